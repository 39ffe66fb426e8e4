import type { ColumnEntity } from '@trellis/sdk/shared';
import { kindOfEach, type WebFilterOperator } from '@trellis/sdk/web';

type Cells = 'values' | 'json' | 'texts' | 'several' | 'links' | 'link';

/** What emptiness means for a column's cells. */
function cellsOf(column: ColumnEntity): Cells {
  const { asked, virtual, colOptions } = column;
  if (asked?.several === true) return 'several';
  if (virtual === true && asked === undefined) {
    const { type } = (colOptions ?? {}) as { readonly type?: unknown };
    return type === 'bt' ? 'link' : 'links';
  }
  const kind = kindOfEach(column);
  if (kind === 'json') return 'json';
  return kind === 'string' || kind === 'text' ? 'texts' : 'values';
}

/** The comparison that is shown instead of another one, depending on the cells' contents, if both find the same rows. */
function shown(as: Partial<Record<Cells, string>>, ofSeveral: { readonly label: string }) {
  return {
    shownAs: (column) => as[cellsOf(column)],
    labelOf: (column) => (cellsOf(column) === 'several' ? ofSeveral.label : undefined),
  } satisfies Pick<WebFilterOperator, 'shownAs' | 'labelOf'>;
}

const [blank, notblank] = ['blank', 'notblank'];
const none = { label: 'has no values' };
const some = { label: 'has values' };

/**
 * How to show conditions that were made by the API, or before `blank` existed: as `blank`, or else by what they ask. Texts that
 * were never filled are found neither by `empty` nor by its opposite.
 */
export const emptiness: Readonly<Record<string, Pick<WebFilterOperator, 'shownAs' | 'labelOf'>>> = {
  empty: shown({ values: blank, links: blank, json: 'null' }, none),
  notempty: shown({ values: notblank, links: notblank, texts: notblank, json: 'notnull' }, some),
  null: shown({ values: blank, links: blank, link: blank }, none),
  notnull: shown({ values: notblank, links: notblank, link: notblank }, some),
};
