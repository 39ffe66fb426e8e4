import {
  defineRoute,
  RouteAnswer,
  RowStoreToken,
  SchemaStoreToken,
  toPageInfo,
  TransfersToken,
  VisitorLimitToken,
  type ColumnSchema,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError, type Row } from '@trellis/sdk/shared';
import { linkErrors } from './link-errors.ts';
import type { linkFiles } from './link-files.ts';
import { publicMeta } from './public-meta.ts';
import { ReadMarks } from './read-marks.ts';
import type { KnownSender, Senders } from './senders.ts';
import { visibleColumns } from './visible-columns.ts';
import {
  largestLimit,
  readFigures,
  readLinkedQuery,
  readViewQuery,
  readVisitorPage,
} from './visitor-query.ts';
import type { VisitCounts } from './visit-counts.ts';
import type { Visit, Visits } from './visits.ts';

type Request = RouteRequest;

/** The kinds of links in a path, with their names in `LinkSchema`. */
const kinds = { hm: 'hasMany', mm: 'manyToMany' } as const;

/** The calls for anybody with the link of a view, signed in or not; the visit limits what they reach. */
export function publicRoutes(
  ctx: ServerPluginContext,
  of: {
    readonly visits: Visits;
    readonly files: Pick<ReturnType<typeof linkFiles>, 'inRows' | 'inValues'>;
    readonly visitCounts: Pick<VisitCounts, 'count'>;
    readonly senders: Senders;
  },
): readonly RouteDefinition[] {
  const { visits, files, visitCounts, senders } = of;
  const rows = ctx.get(RowStoreToken);
  const schema = ctx.get(SchemaStoreToken);
  const transfers = ctx.get(TransfersToken);
  const visitors = ctx.get(VisitorLimitToken);
  const marks = new ReadMarks();

  async function list(visit: Visit, request: Request) {
    const page = readVisitorPage(request.query);
    const query = readViewQuery(visit, request.query);
    const { handle } = visit;
    if (request.query.count === 'false') {
      const shown = await rows.list(handle, query, page, request.signal);
      return { data: { list: files.inRows(visit, shown), pageInfo: {} } };
    }
    const found = await rows.page(handle, query, page, request.signal);
    return { data: { list: files.inRows(visit, found.rows), pageInfo: toPageInfo(page, found.totalRows) } };
  }

  async function group(visit: Visit, request: Request) {
    const { id, title } = shownColumn(visit, request.params.column ?? '');
    const page = readVisitorPage(request.query);
    const query = readViewQuery(visit, request.query);
    const groups = await rows.groups(
      visit.handle,
      query,
      { by: title, perGroup: page.limit, limit: largestLimit },
      request.signal,
    );
    return groups.map(({ value, count, rows: found }) => ({
      key: files.inValues(visit, id, value),
      value: {
        list: files.inRows(visit, found),
        pageInfo: toPageInfo({ limit: page.limit, offset: 0 }, count),
      },
    }));
  }

  async function groupFigures(visit: Visit, request: Request) {
    const { query, wanted } = readFigures(visit, request.query);
    const levels = await rows.groupFigures(visit.handle, query, wanted, request.signal);
    const by = (query.groups ?? []).map(({ columnId }) => columnId);
    return {
      levels: levels.map((level) =>
        level.map(({ values, figures, ...group }) => ({
          ...group,
          values: values.map((value, at) => files.inValues(visit, by[at] ?? '', value)),
          figures: wanted.map(({ columnId }, at) => files.inValues(visit, columnId, figures[at])),
        })),
      ),
    };
  }

  async function aggregate(visit: Visit, request: Request) {
    const { query, wanted } = readFigures(visit, request.query);
    const values = await rows.aggregate(visit.handle, query, wanted, request.signal);
    return {
      list: wanted.map(({ aggregation, columnId }, at) => ({
        aggregation,
        value: files.inValues(visit, columnId, values[at]),
      })),
    };
  }

  async function download(request: Request) {
    const visit = await visits.open(request, 'download');
    if (visit.link.meta.allowCSVDownload === false) throw linkErrors.create('SHARED_VIEW_DOWNLOAD');
    const { type = '' } = request.params;
    if (!transfers.exporters().some(({ id }) => id === type)) throw linkErrors.create('SHARED_VIEW_FORMAT');
    const query = readViewQuery(visit, request.query);
    const fields = query.fields ?? visibleColumns(visit).map(({ title }) => title);
    const stream = await rows.stream(visit.handle, { ...query, fields }, request.signal);
    // A refused export does not count.
    await visitors.takeExport(request.ip);
    const written = transfers.write(
      type,
      { ...stream, batches: shownIn(visit, stream.batches) },
      { raw: request.query.raw === 'true', title: visit.view.title },
    );
    if (written === undefined) throw linkErrors.create('SHARED_VIEW_FORMAT');
    const name = encodeURIComponent(`${visit.view.title}-export.${written.extension}`);
    return new RouteAnswer({
      body: written.body,
      headers: {
        'content-type': written.mediaType,
        'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        'nc-export-offset': '-1',
        'nc-export-elapsed-time': '0',
      },
    });
  }

  async function* shownIn(
    visit: Visit,
    batches: AsyncIterable<readonly Row[]>,
  ): AsyncIterable<readonly Row[]> {
    for await (const batch of batches) yield files.inRows(visit, batch);
  }

  async function linked(request: Request) {
    const visit = await visits.open(request, 'linked');
    const { rowId: key = '', kind = '', column: id = '' } = request.params;
    const column = shownColumn(visit, id);
    const link = visit.handle.table.links.find((one) => one.id === column.linkId);
    if (link === undefined || !Object.hasOwn(kinds, kind) || link.kind !== kinds[kind as keyof typeof kinds])
      throw linkErrors.create('SHARED_VIEW_COLUMN', { column: id });
    const page = readVisitorPage(request.query);
    const asked = readLinkedQuery(visit, request.query);
    const of = { key, linkId: link.id };
    const found = await rows.linked(visit.handle, of, asked, { ...page, signal: request.signal });
    return {
      list: files.inValues(visit, column.id, found.rows),
      pageInfo: toPageInfo(page, found.totalRows),
    };
  }

  async function metaOf(visit: Visit, request: Request) {
    const closed = await closedTo(visit, senders.recognise(visit, request));
    const handed = visit.type.handOut?.(visit.view);
    return {
      ...(await publicMeta(visit, schema)),
      ...(closed && { closed }),
      ...(handed !== undefined && { handed }),
    };
  }

  const path = '/api/v1/db/public/shared-view/:uuid';
  const get = (to: string, summary: string, handle: (request: Request) => Promise<unknown>) =>
    defineRoute({ method: 'GET', path: `${path}/${to}`, permission: 'public', summary, handle });
  const read = (to: string, summary: string, handle: (visit: Visit, request: Request) => Promise<unknown>) =>
    get(to, summary, async (request) => {
      const visit = await visits.open(request, 'read');
      const asked = JSON.stringify([visit.link.uuid, to, request.params, request.query]);
      return marks.answer(request, asked, () => handle(visit, request));
    });
  return [
    get('meta', 'Read what a shared view shows', async (request) => {
      const visit = await visits.open(request, 'look');
      // The page of a link requests it when it is opened, and later with the answer's mark.
      if (request.headers['if-none-match'] === undefined) visitCounts.count(visit.link.viewId);
      return marks.answer(request, undefined, () => metaOf(visit, request));
    }),
    read('rows', 'List the rows of a shared view', list),
    read('group/:column', 'List the rows of a shared view by the values of a column', group),
    read('rows/groups', 'The groups of rows of a shared view, with figures over each', groupFigures),
    read('rows/aggregate', 'Figures over the rows of a shared view', aggregate),
    get('rows/export/:type', 'Export a shared view as a file', download),
    get('rows/:rowId/:kind/:column', 'List the rows that a row of a shared view is linked to', linked),
  ];
}

/** Why visitors can send nothing now, in the form of a refusal; undefined if they can, and if they only read. */
async function closedTo({ type, view }: Visit, known: KnownSender | undefined): Promise<object | undefined> {
  try {
    await type.assertOpen?.(view, known?.person, known?.stranger);
    return undefined;
  } catch (error) {
    if (!(error instanceof TrellisError) || error.status >= 500) throw error;
    return { code: error.code, msg: error.message, params: error.params };
  }
}

/** @throws TrellisError 404 for a column that the view does not show. */
function shownColumn(visit: Visit, id: string): ColumnSchema {
  const column = visibleColumns(visit).find((one) => one.id === id);
  if (column === undefined) throw linkErrors.create('SHARED_VIEW_COLUMN', { column: id });
  return column;
}
