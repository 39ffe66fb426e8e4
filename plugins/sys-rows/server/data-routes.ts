import {
  defineRoute,
  isVisitor,
  mayRead,
  RowStoreToken,
  RouteAnswer,
  SchemaStoreToken,
  toPageInfo,
  TransfersToken,
  VisitorLimitToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  type TableHandle,
  type WriteAnswer,
} from '@trellis/sdk/server';
import { TrellisError, type PageInfo, type Row } from '@trellis/sdk/shared';
import { exportFields } from './export-fields.ts';
import { groupedList } from './grouped-list.ts';
import { withLinkedRows } from './linked-events.ts';
import { rowErrors } from './row-errors.ts';
import { toRowEvent } from './row-events.ts';
import {
  checkIgnoreWebhook,
  readAggregations,
  readGroupColumn,
  readHistoryPage,
  readPage,
  readPlace,
  readRowQuery,
  readRow,
  type DataQuery,
} from './row-query.ts';

/** Bytes of a file whose rows are added. They are staged as they come, so this bounds the disk and not the memory. */
const largestImport = 1024 * 1024 * 1024;

export type DataRequest = RouteRequest<Record<string, string>, DataQuery>;

/** The header that names the operation which `undo` takes back. */
const operationHeader = 'x-trellis-operation';

/** A write's answer with its operation in a header, so that the body stays what clients know. */
export function writeAnswer(answer: WriteAnswer<unknown>): RouteAnswer {
  return new RouteAnswer({
    body: answer.result,
    headers: answer.operationId === undefined ? {} : { [operationHeader]: answer.operationId },
  });
}

/** What the host resolved a data path to; it answers 404 itself where the path names nothing. */
export function tableOf({ table }: DataRequest): TableHandle {
  if (table === undefined) throw rowErrors.create('ROW_NOT_FOUND');
  return table;
}

/** `{"list": rows, "pageInfo": ...}` around rows that are JSON already. */
function listAnswer(rows: Uint8Array, pageInfo: PageInfo | undefined): Uint8Array {
  const end = pageInfo === undefined ? '}' : `,"pageInfo":${JSON.stringify(pageInfo)}}`;
  return Buffer.concat([Buffer.from('{"list":'), rows, Buffer.from(end)]);
}

function found(row: Row | undefined): Row {
  if (row === undefined) throw rowErrors.create('ROW_NOT_FOUND');
  return row;
}

/** The calls on rows of one table, for the table itself and once more for each of its views. */
export function dataRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const rowStore = ctx.get(RowStoreToken);
  const schema = ctx.get(SchemaStoreToken);
  const transfers = ctx.get(TransfersToken);
  const visits = ctx.get(VisitorLimitToken);
  const groups = groupedList(ctx);

  /** A page with the number of all rows, which the grid asks for by itself: it wants the rows first. */
  async function list(request: DataRequest) {
    const page = readPage(request.query);
    const { rows, totalRows } = await rowStore.pageJson(tableOf(request), readRowQuery(request.query), page, {
      count: request.query.count !== 'false',
      // A page that is read at once asks for none.
      get signal() {
        return request.signal;
      },
    });
    const pageInfo = totalRows === undefined ? undefined : toPageInfo(page, totalRows);
    return new RouteAnswer({ body: listAnswer(rows, pageInfo) });
  }

  async function exportRows(request: DataRequest) {
    const handle = tableOf(request);
    const query = readRowQuery(request.query);
    const fields = exportFields(handle, query.fields);
    // A format that nobody writes is refused before the rows are read.
    const { type = '' } = request.params;
    if (!transfers.exporters().some(({ id }) => id === type)) throw rowErrors.create('FORMAT_UNKNOWN');
    const rows = await rowStore.stream(handle, { ...query, fields }, request.signal);
    // One that is refused is none.
    if (isVisitor(request.principal)) await visits.takeExport(request.ip);
    const title = handle.view?.title ?? handle.table.title;
    const written = transfers.write(type, rows, { raw: request.query.raw === 'true', title });
    if (written === undefined) throw rowErrors.create('FORMAT_UNKNOWN');
    const fileName = encodeURIComponent(`${title}-export.${written.extension}`);
    return new RouteAnswer({
      body: written.body,
      headers: {
        'content-type': written.mediaType,
        'content-disposition': `attachment; filename="${fileName}"; filename*=UTF-8''${fileName}`,
        'nc-export-offset': '-1',
        'nc-export-elapsed-time': '0',
        'access-control-expose-headers': 'content-disposition, nc-export-offset, nc-export-elapsed-time',
      },
    });
  }

  async function importRows(request: DataRequest) {
    const { type = '' } = request.params;
    const { stream, signal } = request;
    const rows = stream && transfers.read(type, stream, signal);
    if (rows === undefined) throw unknownImport(type);
    return rowStore.load(tableOf(request), rows, { signal });
  }

  /** Who calls the API by hand is told which words it takes. */
  function unknownImport(type: string): TrellisError {
    const known = transfers.importers().map(({ id }) => id);
    return known.length === 0
      ? rowErrors.create('IMPORT_ABSENT')
      : rowErrors.create('IMPORT_UNKNOWN', { type, known: known.join(', ') });
  }

  async function deleteRow(request: DataRequest) {
    const [handle, key] = [tableOf(request), request.params.rowId ?? ''];
    try {
      return writeAnswer(await rowStore.delete(handle, key));
    } catch (error) {
      if (!(error instanceof TrellisError) || !error.code.startsWith('ROW_IN_USE')) throw error;
      const uses = await usesOf(handle, key);
      // As in the v1 API: nothing was deleted, and clients look for the reasons in the body.
      return new RouteAnswer({ body: { message: uses.length > 0 ? uses : [error.message] } });
    }
  }

  /** By which link columns rows point to a row, as far as the caller may know. */
  async function usesOf(handle: TableHandle, key: string): Promise<readonly string[]> {
    const { scope, table, snapshot } = handle;
    const columns = table.columns.filter(
      (column) => column.linkId !== undefined && !column.system && mayRead(scope, column),
    );
    const uses: string[] = [];
    for (const column of columns) {
      const link = table.links.find(({ id }) => id === column.linkId);
      if (link === undefined || link.kind === 'belongsTo') continue;
      const used = await rowStore
        .linked(handle, { key, linkId: link.id }, { fields: [] }, { limit: 1, offset: 0 })
        .catch((error: unknown) => {
          if (error instanceof TrellisError) return undefined;
          throw error;
        });
      const to = snapshot.tables.get(link.toTableId);
      if (used === undefined || used.totalRows === 0 || to === undefined) continue;
      uses.push(`${uses.length + 1}. ${table.title}.${column.title} is a LinkToAnotherRecord of ${to.title}`);
    }
    return uses;
  }

  function historyRoute(prefix: string): RouteDefinition {
    return defineRoute<Record<string, string>, DataQuery>({
      method: 'GET',
      path: `${prefix}/:rowId/history`,
      permission: 'dataRead',
      object: { kind: 'data', project: 'project', table: 'table', view: undefined },
      summary: 'List what happened to a row, the newest change first',
      async handle(request) {
        const page = readHistoryPage(request.query);
        const { rowId = '' } = request.params;
        const handle = tableOf(request);
        const entries = await rowStore.history(handle, rowId, { ...page, withLinks: true });
        const events = entries.map((entry) => toRowEvent(entry, request.scope.principal));
        return { list: await withLinkedRows({ schema, rowStore }, handle, events) };
      },
    });
  }

  function routesAt(prefix: string, view: string | undefined): readonly RouteDefinition[] {
    const object = { kind: 'data', project: 'project', table: 'table', view } as const;
    const of = view === undefined ? 'table' : 'view';
    return [
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: prefix,
        permission: 'dataList',
        object,
        summary: `List the rows of a ${of}, with their number`,
        handle: list,
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'POST',
        path: prefix,
        permission: 'dataInsert',
        object,
        summary: `Add a row through a ${of}`,
        handle: async (request) =>
          writeAnswer(await rowStore.create(tableOf(request), readRow(request.body), readPlace(request))),
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/find-one`,
        permission: 'dataFindOne',
        object,
        summary: 'Read the first row that meets a condition',
        async handle(request) {
          // As in the v1 API, this and `groupby` take no filters and sorts from the view of the path.
          const handle = tableOf(request).whole();
          return (await rowStore.findOne(handle, readRowQuery(request.query), request.signal)) ?? {};
        },
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/groupby`,
        permission: 'dataGroupBy',
        object,
        summary: 'Count rows by the values of a column',
        handle: async (request) => {
          const handle = tableOf(request).whole();
          const page = readPage(request.query);
          const groups = await rowStore.groupBy(
            handle,
            readGroupColumn(request.query, handle),
            readRowQuery(request.query),
            { ...page, signal: request.signal },
          );
          return { list: groups.list, pageInfo: toPageInfo(page, groups.totalRows) };
        },
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/count`,
        permission: 'dataCount',
        object,
        summary: 'Count rows',
        handle: async (request) => ({
          count: await rowStore.count(tableOf(request), readRowQuery(request.query), request.signal),
        }),
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/aggregate`,
        permission: 'dataGroupBy',
        object,
        summary: `Figures over the rows of a ${of}, by column`,
        async handle(request) {
          const handle = tableOf(request);
          const wanted = readAggregations(request.query, handle);
          const values = await rowStore.aggregate(
            handle,
            readRowQuery(request.query),
            wanted,
            request.signal,
          );
          return {
            list: wanted.map(({ title, aggregation }, at) => ({ title, aggregation, value: values[at] })),
          };
        },
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/groups`,
        permission: 'dataGroupBy',
        object,
        summary: `The groups of rows of a ${of} by up to three columns, with figures over each`,
        async handle(request) {
          const handle = tableOf(request);
          const wanted = readAggregations(request.query, handle);
          const query = readRowQuery(request.query);
          return { levels: await rowStore.groupFigures(handle, query, wanted, request.signal) };
        },
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/group/:columnId`,
        permission: 'dataGroupBy',
        object,
        summary: `List the first rows of a ${of} for each value of a column`,
        handle: groups,
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/export/:type`,
        permission: 'exportCsv',
        object,
        summary: `Export a ${of} as a file`,
        handle: exportRows,
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'POST',
        path: `${prefix}/import/:type`,
        permission: 'bulkDataInsert',
        object,
        summary: 'Add the rows of a file; the answer is the task that adds them',
        bodyKind: 'raw',
        bodyLimit: largestImport,
        handle: importRows,
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/:rowId`,
        permission: 'dataRead',
        object,
        summary: 'Read a row',
        handle: async (request) =>
          found(
            await rowStore.read(tableOf(request), request.params.rowId ?? '', readRowQuery(request.query)),
          ),
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'GET',
        path: `${prefix}/:rowId/exist`,
        permission: 'dataExist',
        object,
        summary: 'Ask whether a row exists',
        handle: (request) => rowStore.exists(tableOf(request), request.params.rowId ?? ''),
      }),
      ...(view === undefined ? [historyRoute(prefix)] : []),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'PATCH',
        path: `${prefix}/:rowId`,
        permission: 'dataUpdate',
        object,
        summary: 'Change cells of a row',
        handle: async (request) => {
          checkIgnoreWebhook(request.query);
          const answer = await rowStore.update(
            tableOf(request),
            request.params.rowId ?? '',
            readRow(request.body),
          );
          found(answer.result);
          return writeAnswer(answer);
        },
      }),
      defineRoute<Record<string, string>, DataQuery>({
        method: 'DELETE',
        path: `${prefix}/:rowId`,
        permission: 'dataDelete',
        object,
        summary: 'Delete a row',
        handle: deleteRow,
      }),
    ];
  }

  const table = '/api/v1/db/data/:orgs/:project/:table';
  return [...routesAt(table, undefined), ...routesAt(`${table}/views/:view`, 'view')];
}
