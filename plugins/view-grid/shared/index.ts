import { defineViewType, type SortKey } from '@trellis/sdk/shared';

/** What a grid keeps of itself. */
export interface GridOptions {
  /** The columns by which rows are grouped. */
  readonly groups: readonly SortKey[];
  /** So many columns stay in sight at the start while the others scroll. */
  readonly frozenColumns: number;
}

/** The view type `grid`. Groups and figures are chosen in the grid itself and in its toolbar. */
export const gridView = defineViewType({
  id: 'grid',
  label: 'Grid',
  sharing: { visitors: 'read', word: 'view' },
  options: {
    type: 'object',
    properties: {
      frozenColumns: { type: 'integer', title: 'Frozen columns', minimum: 0, maximum: 20, default: 1 },
      groups: {
        type: 'array',
        title: 'Groups',
        maxItems: 3,
        default: [],
        'x-ui': { hidden: true },
        items: {
          type: 'object',
          required: ['columnId', 'direction'],
          properties: {
            columnId: { type: 'string', minLength: 1, maxLength: 40 },
            direction: { type: 'string', enum: ['asc', 'desc'] },
          },
        },
      },
    },
  },
  columnOptions: {
    type: 'object',
    properties: {
      figure: {
        type: 'string',
        title: 'Figure under the column',
        maxLength: 100,
        'x-ui': { hidden: true },
      },
    },
  },
});
