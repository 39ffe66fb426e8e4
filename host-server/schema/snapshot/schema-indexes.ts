import type { ColumnSchema, LinkSchema, ProjectSnapshot, TableSchema } from '@trellis/sdk/server';

/** The columns of a table with their indexes. */
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

/** The tables of a project and the links between them, with their indexes. */
export function indexTables(
  unlinked: readonly TableSchema[],
  links: readonly LinkSchema[],
): Pick<ProjectSnapshot, 'tables' | 'links' | 'table' | 'column' | 'view'> {
  const known = new Map(unlinked.map((table) => [table.id, table]));
  const whole = links.filter((link) => isWhole(link, known));
  const tables = unlinked.map((table) => ({
    ...table,
    links: whole.filter((link) => link.tableId === table.id),
  }));
  const byId = new Map(tables.map((table) => [table.id, table]));
  const byTitle = new Map(tables.map((table) => [table.title, table]));
  const columns = new Map(
    tables.flatMap((table) => table.columns.map((column) => [column.id, column] as const)),
  );
  const views = new Map(tables.flatMap((table) => table.views.map((view) => [view.id, view] as const)));
  return {
    tables: byId,
    links: new Map(whole.map((link) => [link.id, link])),
    table: (nameOrId) => byId.get(nameOrId) ?? byTitle.get(nameOrId),
    column: (id) => columns.get(id),
    view: (id) => views.get(id),
  };
}

/** Whether all tables and columns of a link exist. A link is hidden while one of them is deleted or hidden. */
function isWhole(link: LinkSchema, tables: ReadonlyMap<string, TableSchema>): boolean {
  const has = (tableId: string, columnIds: readonly string[]) =>
    columnIds.every((id) => tables.get(tableId)?.columnById.has(id) === true);
  const { through } = link;
  return (
    has(link.tableId, link.columnIds) &&
    has(link.toTableId, link.toColumnIds) &&
    (through === undefined || has(through.tableId, [...through.columnIds, ...through.toColumnIds]))
  );
}
