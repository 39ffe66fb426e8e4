import { defineViewType } from '@trellis/sdk/shared';

/** What a grid keeps of itself. */
export interface GridOptions {
  /** So many columns stay in sight at the start while the others scroll. */
  readonly frozenColumns: number;
}

/** The pure part of the view type. */
export const gridView = defineViewType({
  id: 'grid',
  label: 'Grid',
  options: {
    type: 'object',
    properties: {
      frozenColumns: { type: 'integer', title: 'Frozen columns', minimum: 0, maximum: 20, default: 1 },
    },
  },
});
