import type { ColumnEntity } from '@trellis/sdk/shared';
import { kindOfEach, type WebFilterOperator } from '@trellis/sdk/web';

type Cells = 'values' | 'json' | 'texts' | 'several' | 'links' | 'link';

/** What emptiness means for the cells of a column. */
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

/** A comparison that is shown as another one where both find the same rows. */
function shown(as: string, sameOf: readonly Cells[], ofSeveral: string) {
  return {
    shownAs: (column) => (sameOf.includes(cellsOf(column)) ? as : undefined),
    labelOf: (column) => (cellsOf(column) === 'several' ? ofSeveral : undefined),
  } satisfies Pick<WebFilterOperator, 'shownAs' | 'labelOf'>;
}

/**
 * How conditions are shown that were made over the API, or before there was `blank`: as that, or else as what they ask. Texts that were
 * never filled are not found by `empty`, nor by its opposite.
 */
export const emptiness: Readonly<Record<string, Pick<WebFilterOperator, 'shownAs' | 'labelOf'>>> = {
  empty: shown('blank', ['values', 'links'], 'has no values'),
  notempty: shown('notblank', ['values', 'links', 'texts'], 'has values'),
  null: shown('blank', ['values', 'links', 'link'], 'has no values'),
  notnull: shown('notblank', ['values', 'links', 'link'], 'has values'),
};
