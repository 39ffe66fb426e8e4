import type { ObjectKind } from './index.ts';

export interface KindWords {
  /** The type of its tab. */
  readonly tab: string;
  readonly label: string;
  readonly listLabel: string;
  readonly icon: string;
}

export const wordsOf: Readonly<Record<ObjectKind, KindWords>> = {
  view: { tab: 'database-view', label: 'Database view', listLabel: 'Views of the database', icon: 'eye' },
  function: { tab: 'function', label: 'Function', listLabel: 'Functions', icon: 'code' },
  procedure: { tab: 'procedure', label: 'Procedure', listLabel: 'Procedures', icon: 'cog' },
  sequence: { tab: 'sequence', label: 'Sequence', listLabel: 'Sequences', icon: 'sort-numeric-up' },
  trigger: { tab: 'trigger', label: 'Trigger', listLabel: 'Triggers', icon: 'bolt' },
  index: { tab: 'index', label: 'Index', listLabel: 'Indexes', icon: 'sort-alpha-down' },
};
