import type { ColumnSchema, ProjectSnapshot, TableSchema } from '@trellis/sdk/server';

/** The columns of a table, and how they are found. */
export function indexColumns(
  columns: readonly ColumnSchema[],
): Pick<TableSchema, 'columns' | 'columnById' | 'columnByTitle' | 'columnByName' | 'displayColumn'> {
  return {
    columns,
    columnById: new Map(columns.map((column) => [column.id, column])),
    columnByTitle: new Map(columns.map((column) => [column.title, column])),
    columnByName: new Map(
      columns.filter(({ columnName }) => columnName !== '').map((column) => [column.columnName, column]),
    ),
    displayColumn: columns.find((column) => column.display) ?? columns[0],
  };
}

/** The tables of a project, and how they and what they hold are found. */
export function indexTables(
  tables: readonly TableSchema[],
): Pick<ProjectSnapshot, 'tables' | 'table' | 'column' | 'view'> {
  const byId = new Map(tables.map((table) => [table.id, table]));
  const byTitle = new Map(tables.map((table) => [table.title, table]));
  const columns = new Map(
    tables.flatMap((table) => table.columns.map((column) => [column.id, column] as const)),
  );
  const views = new Map(tables.flatMap((table) => table.views.map((view) => [view.id, view] as const)));
  return {
    tables: byId,
    table: (nameOrId) => byId.get(nameOrId) ?? byTitle.get(nameOrId),
    column: (id) => columns.get(id),
    view: (id) => views.get(id),
  };
}
