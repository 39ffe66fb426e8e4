import { defineViewType, type SortKey } from '@trellis/sdk/shared';

/** The stored options of a grid. */
export interface GridOptions {
  /** The columns by which rows are grouped. */
  readonly groups: readonly SortKey[];
  /** The number of columns at the start that stay visible while the others scroll. */
  readonly frozenColumns: number;
  readonly rowHeight: RowHeight;
  /** Rows of one page; 0 for all of them, scrolled. */
  readonly pageSize: number;
}

/** How much of long cells is shown. */
export type RowHeight = 'short' | 'medium' | 'tall' | 'extraTall';

/** The height of a row in pixels. */
export const rowHeights: Readonly<Record<RowHeight, number>> = {
  short: 34,
  medium: 58,
  tall: 94,
  extraTall: 130,
};

/** The available page sizes; 0 for all rows, scrolled. */
export const pageSizes = [0, 25, 50, 100, 200] as const;

/** The most frozen columns. */
export const mostFrozen = 20;

const groupsIn = ({ groups }: Readonly<Record<string, unknown>>): GridOptions['groups'] =>
  Array.isArray(groups) ? (groups as GridOptions['groups']) : [];

/** The view type `grid`. Groups and aggregations are chosen in the grid itself and in its toolbar. */
export const gridView = defineViewType({
  id: 'grid',
  label: 'Grid',
  sharing: {
    visitors: 'read',
    word: 'view',
    publicOptions: (options, isSeen) => ({
      ...options,
      groups: groupsIn(options).filter(({ columnId }) => isSeen(columnId)),
    }),
  },
  ownOptions: ['rowHeight', 'pageSize', 'frozenColumns'],
  options: {
    type: 'object',
    properties: {
      frozenColumns: {
        type: 'integer',
        title: 'Frozen columns',
        minimum: 0,
        maximum: mostFrozen,
        default: 1,
      },
      rowHeight: {
        type: 'string',
        title: 'Row height',
        enum: ['short', 'medium', 'tall', 'extraTall'],
        default: 'short',
      },
      pageSize: { type: 'integer', title: 'Rows per page', enum: [...pageSizes], default: 0 },
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
        title: 'Summary under the column',
        maxLength: 100,
        'x-ui': { hidden: true },
        'x-names': 'aggregations',
      },
    },
  },
});
