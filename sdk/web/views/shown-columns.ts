import type { ColumnEntity, ViewColumnEntity } from '../../shared/index.ts';

/** A column of the table in a view. @public */
export interface ShownColumn {
  readonly column: ColumnEntity;
  /** Its place in the view; undefined if the view has none for it yet. */
  readonly viewColumn: ViewColumnEntity | undefined;
  /** Pixels; undefined if nobody has set a width in the view. */
  readonly width: number | undefined;
}

/** The columns that a view shows, in its order. Columns without a place in the view come last. @public */
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
