import type { Unit } from '../sql/unit.ts';
import { newId } from '../runtime/ids.ts';
import type { ColumnRow } from '../metadata/models/column-model.ts';
import { isShownAtFirst } from '../metadata/models/column-rules.ts';
import { models } from '../metadata/models/models.ts';
import type { TableRow } from '../metadata/models/table-model.ts';
import type { ViewColumnRow } from '../metadata/models/view-column-model.ts';
import type { ViewRow } from '../metadata/models/view-model.ts';

/** The metadata rows of a new table: the table, its columns, its default view. */
export interface TableRows {
  readonly table: TableRow;
  readonly columns: readonly ColumnRow[];
  readonly view: ViewRow;
  readonly viewColumns: readonly ViewColumnRow[];
}

/** Marks the display column: the one right after the last primary key, else the one before it, else the first. */
export function withDisplayColumn(columns: readonly ColumnRow[]): readonly ColumnRow[] {
  const lastKey = columns.findLastIndex((column) => column.primary_key);
  const display = columns[lastKey + 1] ?? columns[lastKey - 1] ?? columns[0];
  return columns.map((column) => ({ ...column, display: column === display }));
}

/** The default grid view of a table, with a place for each column. */
export function defaultView(
  table: TableRow,
  columns: readonly ColumnRow[],
  now: number,
  isShown: (column: ColumnRow) => boolean = isShownAtFirst,
): Pick<TableRows, 'view' | 'viewColumns'> {
  const stamps = { created_at: now, updated_at: now };
  const view: ViewRow = {
    id: newId('view'),
    project_id: table.project_id,
    table_id: table.id,
    title: table.title,
    type: 'grid',
    is_default: true,
    show_system_fields: false,
    lock_type: 'collaborative',
    owner_id: null,
    made_by: null,
    description: null,
    group_id: null,
    icon: null,
    meta: null,
    sort_order: 1,
    ...stamps,
  };
  const viewColumns = columns.map((column, index): ViewColumnRow => ({
    id: newId('viewColumn'),
    project_id: table.project_id,
    view_id: view.id,
    column_id: column.id,
    visible: isShown(column),
    width: null,
    meta: null,
    sort_order: index + 1,
    ...stamps,
  }));
  return { view, viewColumns };
}

export async function insertTableRows(
  unit: Unit,
  { table, columns, view, viewColumns }: TableRows,
): Promise<void> {
  const { TableModel, ColumnModel, ViewModel, ViewColumnModel } = await models();
  await TableModel.query(unit.knex).insert(table);
  await ColumnModel.insertMany(unit, columns);
  await ViewModel.query(unit.knex).insert(view);
  await ViewColumnModel.insertMany(unit, viewColumns);
}
