import type { AccessScope, TableHandle } from '@trellis/sdk/server';

/** Where a call is made, and what it is made with. */
export interface Ground {
  readonly scope: AccessScope;
  readonly tableId: string;
  readonly columnId: string;
  readonly viewId: string;
  /**
   * A handle with the caller's scope that was made with somebody else's: a plugin that mixes them up must still be refused.
   */
  readonly handle: () => TableHandle;
}

export interface Call {
  readonly permission: string;
  /** Another one that the call needs as well. */
  readonly also?: string;
  /** Ids that were never given to anything where the call would change something: whoever may do it is told 404 or 400. */
  readonly make: (ground: Ground) => unknown;
}

export const unissued = {
  table: 'md_00000000000000',
  column: 'cl_00000000000000',
  view: 'vw_00000000000000',
};

/** Methods that take no caller: what the host and a plugin's administration ask; and the stores inside of stores. */
export const withoutCaller = new Set([
  'sync',
  'objects',
  'files',
  'limit',
  'release',
  'sweep',
  'trash',
  'bases',
  'loadKind',
  'sweepLoads',
  'resumeJobs',
  'dispose',
  'open',
  'keyOf',
  'record',
  'settlePending',
]);
