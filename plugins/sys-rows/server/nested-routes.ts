import {
  defineRoute,
  mayRead,
  RowStoreToken,
  toPageInfo,
  type ColumnSchema,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { tableOf, writeAnswer, type DataRequest } from './data-routes.ts';
import { rowErrors } from './row-errors.ts';
import { readLinkedCells, readPage, readRowQuery, type DataQuery } from './row-query.ts';

/** Rows that are linked to a row, and those that could be. As in the v1 API, the column determines the direction of the link. */
export function nestedRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const rowStore = ctx.get(RowStoreToken);

  /** The row and the link in a path. */
  function placeOf(request: DataRequest) {
    const handle = tableOf(request);
    const { rowId: key = '', column = '' } = request.params;
    const linkId = linkColumn(request, column).linkId ?? '';
    return { handle, key, linkId };
  }

  function linkColumn(request: DataRequest, name: string): ColumnSchema {
    const { table, view, scope } = tableOf(request);
    const column = table.columnById.get(name) ?? table.columnByTitle.get(name);
    const isShown =
      column?.linkId !== undefined &&
      mayRead(scope, column) &&
      (view === undefined || scope.can(undefined, 'read') || isInView(view.columns, column.id));
    if (!isShown) throw rowErrors.create('NESTED_COLUMN_UNKNOWN', { column: name });
    return column;
  }

  async function list(request: DataRequest, others: boolean) {
    const { handle, key, linkId } = placeOf(request);
    const page = readPage(request.query);
    const query = readRowQuery(request.query);
    const of = { key, linkId, others };
    const { rows, totalRows } = await rowStore.linked(handle, of, query, { ...page, signal: request.signal });
    return { list: rows, pageInfo: toPageInfo(page, totalRows) };
  }

  async function change(request: DataRequest, how: 'link' | 'unlink') {
    const { handle, key, linkId } = placeOf(request);
    const other = request.params.refRowId ?? '';
    const { operationId } = await rowStore[how](handle, { key, linkId, other });
    return writeAnswer({ result: { msg: 'success' }, operationId });
  }

  function routesOf(prefix: string, view: string | undefined, kind: 'hm' | 'mm' | 'bt') {
    const object = { kind: 'data', project: 'project', table: 'table', view } as const;
    const path = `${prefix}/:rowId/${kind}/:column`;
    const changes = [
      { method: 'POST', permission: 'relationDataAdd', summary: 'Link two rows', how: 'link' },
      { method: 'DELETE', permission: 'relationDataRemove', summary: 'Take a link away', how: 'unlink' },
    ] as const;
    return [
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${path}/exclude`,
        permission: `${kind}ExcludedList`,
        object,
        summary: 'List rows that are not linked to a row yet',
        handle: (request) => list(request, true),
      }),
      ...changes.map(({ method, permission, summary, how }) =>
        defineRoute<Record<string, string>, DataQuery>({
          method,
          path: `${path}/:refRowId`,
          permission,
          object,
          summary,
          handle: (request) => change(request, how),
        }),
      ),
      // A belongs-to link is part of the row itself.
      ...(kind === 'bt'
        ? []
        : [
            defineRoute<Record<string, string>, DataQuery>({
              method: 'GET',
              path,
              permission: `${kind}List`,
              object,
              summary: 'List the rows that are linked to a row',
              handle: (request) => list(request, false),
            }),
          ]),
    ];
  }

  /** Sets cells of a link column: `[{row, rows}]`, by keys or as a text of titles. */
  async function setLinks(request: DataRequest) {
    const handle = tableOf(request);
    const linkId = linkColumn(request, request.params.column ?? '').linkId ?? '';
    const { result, operationId } = await rowStore.setLinks(
      handle,
      linkId,
      readLinkedCells(request.body),
      request.signal,
    );
    const refused = result.map(({ key, error: { message: msg, code, params } }) => ({
      row: key,
      msg,
      code,
      params,
    }));
    return writeAnswer({ result: { refused }, operationId });
  }

  const setCells = defineRoute<Record<string, string>, DataQuery>({
    method: 'PUT',
    path: '/api/v1/db/data/bulk/:orgs/:project/:table/links/:column',
    permission: 'relationDataAdd',
    object: { kind: 'data', project: 'project', table: 'table' },
    summary: 'Set the rows that cells of a link column hold; says which cells could not be set',
    handle: setLinks,
  });

  const table = '/api/v1/db/data/:orgs/:project/:table';
  return [
    setCells,
    ...(['hm', 'mm', 'bt'] as const).flatMap((kind) => [
      ...routesOf(table, undefined, kind),
      ...routesOf(`${table}/views/:view`, 'view', kind),
    ]),
  ];
}

function isInView(
  columns: readonly { readonly columnId: string; readonly show: boolean }[],
  id: string,
): boolean {
  return columns.some(({ columnId, show }) => show && columnId === id);
}
