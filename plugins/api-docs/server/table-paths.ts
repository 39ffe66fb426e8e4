import type { ColumnSchema, TableSchema, ViewSchema } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import { adder, type TablePlace } from './calls.ts';
import { inputSchema, newRowSchema, rowSchema } from './cell-schemas.ts';
import { addLinks, nestedParameters } from './link-calls.ts';
import type { PathItem, Paths } from '../shared/index.ts';
import { json, jsonBody } from './open-api.ts';
import { addRows } from './row-calls.ts';
import { schema } from './references.ts';

/** The columns in answers of calls that name none. */
function shownColumns(table: TableSchema): readonly ColumnSchema[] {
  return table.columns.filter(({ system, primaryKey }) => !system || primaryKey);
}

function viewColumns(table: TableSchema, view: ViewSchema): readonly ColumnSchema[] {
  const shown = new Set(view.columns.filter(({ show }) => show).map(({ columnId }) => columnId));
  return table.columns.filter(({ id, primaryKey }) => primaryKey || shown.has(id));
}

/** What a document holds of one table: the shapes of its rows, and its paths. */
export function describeTable(place: TablePlace): {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly paths: Paths;
} {
  const { table, tableNames } = place;
  const name = tableNames.of(table.title);
  const columns = shownColumns(table);
  const schemas: Record<string, JsonSchema> = {
    [`${name}Response`]: rowSchema(table, columns),
    [`${name}Request`]: inputSchema(table, columns),
    [`${name}New`]: newRowSchema(`${name}Request`, columns),
  };
  // A junction is written through the links that it holds.
  if (table.junction) return { schemas, paths: {} };
  const paths: Record<string, PathItem> = tablePaths(place, name);
  for (const view of table.views) {
    // The first view is named like its table: both are names of schemas.
    const ofView = tableNames.of(`${table.title} ${view.title} view`);
    schemas[`${ofView}Response`] = rowSchema(table, viewColumns(table, view));
    Object.assign(paths, viewPaths(place, view, { request: name, response: ofView }));
  }
  return { schemas, paths };
}

function tablePaths(place: TablePlace, name: string): Record<string, PathItem> {
  const { project, table } = place;
  const path = `/api/v1/db/data/v1/${encodeURIComponent(project)}/${encodeURIComponent(table.title)}`;
  const bulk = path.replace('/data/', '/data/bulk/');
  const names = { request: name, response: name };
  const add = adder(place);
  const rows: JsonSchema = { type: 'array', items: schema(`${name}Request`) };
  addRows(add, path, { ...names, nested: nestedParameters(table) });
  addLinks(add, path, table);
  add(bulk, {
    method: 'post',
    permission: 'bulkDataInsert',
    name: 'bulk add',
    summary: 'Add rows',
    requestBody: jsonBody(rows),
    answer: json({ type: 'array', items: { type: 'object' } }, 'The keys of the rows'),
  });
  add(bulk, {
    method: 'patch',
    permission: 'bulkDataUpdate',
    name: 'bulk change',
    summary: 'Change rows; each names its key',
    requestBody: jsonBody(rows),
    answer: json({ type: 'array' }, 'What became of each row'),
  });
  add(bulk, {
    method: 'delete',
    permission: 'bulkDataDelete',
    name: 'bulk delete',
    summary: 'Delete rows; each names its key',
    requestBody: jsonBody({ type: 'array', items: { type: 'object' } }),
    answer: json({ type: 'array' }, 'What became of each row'),
  });
  return add.paths;
}

function viewPaths(
  place: TablePlace,
  view: ViewSchema,
  names: { readonly request: string; readonly response: string },
): Paths {
  const { project, table } = place;
  const at = [project, table.title].map(encodeURIComponent).join('/');
  const path = `/api/v1/db/data/v1/${at}/views/${encodeURIComponent(view.title)}`;
  const add = adder(place, view.title);
  addRows(add, path, { ...names, nested: [] });
  return add.paths;
}
