import type { Unit } from '../sql/unit.ts';
import { newId } from '../metadata/ids.ts';
import type { ColumnRow, TableRow, ViewColumnRow, ViewRow } from './rows.ts';
import { toColumn } from './rows.ts';

/** Everything that the metadata gains with a table: itself, its columns, its default view. */
export interface TableRows {
  readonly table: TableRow;
  readonly columns: readonly ColumnRow[];
  readonly view: ViewRow;
  readonly viewColumns: readonly ViewColumnRow[];
}

/** The column that names a row: the one right after the last primary key, else the one before it, else the first. */
export function withDisplayColumn(columns: readonly ColumnRow[]): readonly ColumnRow[] {
  const lastKey = columns.findLastIndex((column) => column.primary_key);
  const display = columns[lastKey + 1] ?? columns[lastKey - 1] ?? columns[0];
  return columns.map((column) => ({ ...column, display: column === display }));
}

/** Whether a view shows a column at first. Foreign keys are shown as long as no link column stands for them. */
export function isShownAtFirst(column: ColumnRow): boolean {
  const { system, type } = toColumn(column);
  return !system || type === 'ForeignKey';
}

/** The default grid view of a table, and a place for each column in it. */
export function defaultView(
  table: TableRow,
  columns: readonly ColumnRow[],
  now: number,
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
    meta: null,
    sort_order: 1,
    ...stamps,
  };
  const viewColumns = columns.map((column, index): ViewColumnRow => ({
    id: newId('viewColumn'),
    project_id: table.project_id,
    view_id: view.id,
    column_id: column.id,
    visible: isShownAtFirst(column),
    width: null,
    sort_order: index + 1,
    ...stamps,
  }));
  return { view, viewColumns };
}

/** Writes rows in pieces that every database takes. */
export async function insertAll(unit: Unit, table: string, rows: readonly object[]): Promise<void> {
  const size = 50;
  for (let start = 0; start < rows.length; start += size) {
    await unit.run(unit.knex(table).insert(rows.slice(start, start + size)));
  }
}

export async function insertTableRows(unit: Unit, rows: TableRows): Promise<void> {
  await unit.run(unit.knex('trellis_table').insert(rows.table));
  await insertAll(unit, 'trellis_column', rows.columns);
  await unit.run(unit.knex('trellis_view').insert(rows.view));
  await insertAll(unit, 'trellis_view_column', rows.viewColumns);
}
