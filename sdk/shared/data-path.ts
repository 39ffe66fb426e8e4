/**
 * The path of a table's rows in the data API, or of what the further parts name: a row by its key, `count`, or `views`, a view
 * and `export`.
 *
 * @param project the project's id; `table` is the table's id
 * @param further further parts of the path, which are encoded like the others
 * @public
 */
export function dataPath(project: string, table: string, ...further: readonly string[]): string {
  return pathOf('/api/v1/db/data/noco', project, table, further);
}

/** The path of calls that write many rows at once, otherwise as `dataPath`. @public */
export function bulkDataPath(project: string, table: string, ...further: readonly string[]): string {
  return pathOf('/api/v1/db/data/bulk/noco', project, table, further);
}

function pathOf(root: string, project: string, table: string, further: readonly string[]): string {
  return [root, ...[project, table, ...further].map(encodeURIComponent)].join('/');
}
