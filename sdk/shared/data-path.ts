/**
 * Where the data API keeps the rows of a table, or what the further parts name: a row by its key, `count`, or `views`, a view and `export`.
 *
 * @param project and `table`: ids
 * @param further encoded as the others are
 * @public
 */
export function dataPath(project: string, table: string, ...further: readonly string[]): string {
  return pathOf('/api/v1/db/data/noco', project, table, further);
}

/** The same of calls that write many rows at once. @public */
export function bulkDataPath(project: string, table: string, ...further: readonly string[]): string {
  return pathOf('/api/v1/db/data/bulk/noco', project, table, further);
}

function pathOf(root: string, project: string, table: string, further: readonly string[]): string {
  return [root, ...[project, table, ...further].map(encodeURIComponent)].join('/');
}
