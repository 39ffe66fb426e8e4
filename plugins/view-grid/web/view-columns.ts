import type { ColumnEntity, ViewColumnEntity } from '@trellis/sdk/shared';

/** A column of the table as the view shows it. */
export interface ShownColumn {
  readonly column: ColumnEntity;
  /** Its place in the view; undefined for a view that has no row for it yet. */
  readonly viewColumn: ViewColumnEntity | undefined;
  readonly width: number;
}

const fallbackWidth = 180;

/** The columns that a view shows, in its order. A column that the view does not know yet stands at the end. */
export function shownColumns(
  columns: readonly ColumnEntity[],
  viewColumns: readonly ViewColumnEntity[],
): readonly ShownColumn[] {
  const byColumn = new Map(viewColumns.map((each) => [each.fk_column_id, each]));
  return columns
    .map((column, at) => ({ column, at, viewColumn: byColumn.get(column.id) }))
    .filter(({ column, viewColumn }) => (viewColumn === undefined ? !column.system : viewColumn.show))
    .sort((a, b) => (a.viewColumn?.order ?? Infinity) - (b.viewColumn?.order ?? Infinity) || a.at - b.at)
    .map(({ column, viewColumn }) => ({ column, viewColumn, width: pixels(viewColumn?.width) }));
}

/** The columns in the order that the user has just dragged them to, until the view itself says the same. */
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

/** The ids after one was moved before another, or to the end. */
export function moveBefore(
  ids: readonly string[],
  moved: string,
  before: string | undefined,
): readonly string[] {
  const rest = ids.filter((id) => id !== moved);
  const at = before === undefined ? rest.length : rest.indexOf(before);
  return [...rest.slice(0, at), moved, ...rest.slice(at)];
}

/**
 * The order number that puts a column between its new neighbours; undefined when their numbers leave no room, so that all
 * have to be numbered again.
 */
export function orderBetween(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined) return right === undefined ? 1 : right - 1;
  if (right === undefined) return left + 1;
  const middle = (left + right) / 2;
  return middle > left && middle < right ? middle : undefined;
}

function pixels(width: string | null | undefined): number {
  const number = Number.parseFloat(width ?? '');
  return Number.isFinite(number) && number > 0 ? number : fallbackWidth;
}
