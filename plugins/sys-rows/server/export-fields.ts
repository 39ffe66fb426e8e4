import { mayRead, type TableHandle } from '@trellis/sdk/server';

/**
 * The titles of an export's columns, in order: the requested ones, else the view's visible columns, else all except system ones.
 */
export function exportFields(
  { scope, table, view }: TableHandle,
  asked: readonly string[] | undefined,
): readonly string[] {
  if (asked !== undefined) return asked;
  const columns =
    view === undefined
      ? table.columns.filter((column) => !column.system || column.primaryKey)
      : view.columns
          .filter((of) => of.show)
          .toSorted((a, b) => a.order - b.order)
          .flatMap((of) => table.columnById.get(of.columnId) ?? []);
  return columns.filter((column) => mayRead(scope, column)).map((column) => column.title);
}
