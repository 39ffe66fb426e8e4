import type { ColumnSchema, RowQuery, ViewSchema } from '@trellis/sdk/server';
import { columnByTitle, isVisible, type QueryScope } from '../query/build-predicate.ts';
import { isReadable } from '../query/computed-columns.ts';

/** The requested columns. */
export type AskedColumns = Pick<RowQuery, 'fields' | 'also'>;

/** The most sets of columns that are kept for one table. */
const mostKept = 200;

/**
 * Determines the columns of an answer. Equal requests get the same array, which is the key of what is prepared for it (the select
 * list, the statement, the decoders). One instance serves one schema of a table and one set of column types.
 */
export class ShownColumns {
  readonly #kept = new Map<string, readonly ColumnSchema[]>();

  /**
   * The requested columns, else those of the view with the key and those of `also`, else all that may be seen.
   *
   * @throws TrellisError 400 for a column that is hidden or does not exist.
   */
  of(
    scope: QueryScope,
    { fields, also }: AskedColumns,
    view: ViewSchema | undefined,
  ): readonly ColumnSchema[] {
    // For a caller with restricted columns, it is computed for each request.
    if (scope.visible !== 'all') return choose(scope, { fields, also }, view);
    const key =
      fields === undefined
        ? `view ${view?.id ?? ''} ${also?.join(' ') ?? ''}`
        : `fields ${JSON.stringify(fields)}`;
    let columns = this.#kept.get(key);
    if (columns === undefined) {
      columns = choose(scope, { fields, also }, view);
      if (this.#kept.size >= mostKept) this.#kept.clear();
      this.#kept.set(key, columns);
    }
    return columns;
  }
}

function choose(
  of: QueryScope,
  { fields, also = [] }: AskedColumns,
  view: ViewSchema | undefined,
): readonly ColumnSchema[] {
  if (fields !== undefined) {
    const asked = fields
      .filter((title) => title.trim() !== '')
      .map((title) => columnByTitle(of, title, 'select'));
    return [...new Set(asked)];
  }
  const { context, visible } = of;
  const seen = context.table.columns.filter(
    (column) => isReadable(context.reach, column) && isVisible(visible, column),
  );
  if (view === undefined) return seen;
  const shown = new Set([
    ...view.columns.filter((column) => column.show).map((column) => column.columnId),
    ...also,
  ]);
  return seen.filter((column) => column.primaryKey || shown.has(column.id));
}
