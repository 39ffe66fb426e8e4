import type { ColumnEntity, ViewColumnEntity } from '../../shared/index.ts';

/** A column of the table as a view shows it. @public */
export interface ShownColumn {
  readonly column: ColumnEntity;
  /** Its place in the view; undefined for a view that has no row for it yet. */
  readonly viewColumn: ViewColumnEntity | undefined;
  /** Pixels; undefined where nobody has chosen them for the view. */
  readonly width: number | undefined;
}

/** The columns that a view shows, in its order. A column that the view does not know yet stands at the end. @public */
export function shownColumns(
  columns: readonly ColumnEntity[],
  viewColumns: readonly ViewColumnEntity[],
): readonly ShownColumn[] {
  const byColumn = new Map(viewColumns.map((each) => [each.fk_column_id, each]));
  return columns
    .map((column, at) => ({ column, at, viewColumn: byColumn.get(column.id) }))
    .filter(({ column, viewColumn }) => (viewColumn === undefined ? !column.system : viewColumn.show))
    .sort((a, b) => (a.viewColumn?.order ?? Infinity) - (b.viewColumn?.order ?? Infinity) || a.at - b.at)
    .map(({ column, viewColumn }) => ({ column, viewColumn, width: chosenWidth(viewColumn) }));
}

function chosenWidth(of: ViewColumnEntity | undefined): number | undefined {
  const number = Number.parseFloat(of?.is_width_chosen === true ? of.width : '');
  return Number.isFinite(number) && number > 0 ? number : undefined;
}
