import type { SortKey } from '@trellis/sdk/shared';
import type { ShownColumn } from '@trellis/sdk/web/views';

/** The columns as the grid draws them: first the one that names the rows, with frozen columns marked and sorts included. */
export function arrangedColumns(
  shown: readonly ShownColumn[],
  { frozenColumns, sorts = [] }: { readonly frozenColumns: number; readonly sorts?: readonly SortKey[] },
) {
  const naming = shown.filter(({ column }) => column.pv);
  const others = shown.filter(({ column }) => !column.pv);
  return [...naming, ...others].map(({ column, width }, at) => ({
    column,
    width,
    frozen: at < frozenColumns,
    sort: sorts.find((sort) => sort.columnId === column.id)?.direction,
  }));
}

/** The columns in the order of the last drag, until the view itself has that order. */
export function reordered(
  shown: readonly ShownColumn[],
  order: readonly string[] | undefined,
): readonly ShownColumn[] {
  if (order === undefined) return shown;
  const place = new Map(order.map((id, at) => [id, at]));
  return shown.toSorted(
    (a, b) => (place.get(a.column.id) ?? Infinity) - (place.get(b.column.id) ?? Infinity),
  );
}

/** The ids after one was moved before another one, or to the end. */
export function moveBefore(
  ids: readonly string[],
  moved: string,
  before: string | undefined,
): readonly string[] {
  const rest = ids.filter((id) => id !== moved);
  const at = before === undefined ? rest.length : rest.indexOf(before);
  return [...rest.slice(0, at), moved, ...rest.slice(at)];
}
