import {
  ChangeMarksToken,
  defineRoute,
  RateLimiterToken,
  RouteAnswer,
  RowStoreToken,
  toPageInfo,
  type RouteDefinition,
  type RouteRequest,
  type RowInput,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import { submitMark } from '../shared/index.ts';
import { droppedRow } from './dropped-row.ts';
import { linkErrors } from './link-errors.ts';
import type { LinkFiles } from './link-files.ts';
import { countedBy, type Senders } from './senders.ts';
import { sentLinks } from './sent-links.ts';
import { sentRow } from './sent-row.ts';
import { visibleColumns } from './visible-columns.ts';
import { readCandidateQuery, readVisitorPage } from './visitor-query.ts';
import type { Visit, VisitRequest, Visits } from './visits.ts';

/** Rows that one account or address may send by links. The view type limits a single form. */
const rowsOfSender = { name: 'shared-view-rows', limit: 3600, windowSeconds: 60 };
/** Calls with files that one account or address may send by links. */
const filesOfSender = { name: 'shared-view-files', limit: 200, windowSeconds: 600 };
/** The most bytes of a row without files. */
const largestRow = 1024 * 1024;
/** Seconds for the handler of an upload, which copies the received bytes. */
const uploadSeconds = 600;

interface SubmitOf {
  readonly visits: Visits;
  readonly files: LinkFiles;
  readonly senders: Senders;
}

/** The calls with which visitors add rows, by links of views for filling in. */
export function submitRoutes(
  ctx: ServerPluginContext,
  { visits, files, senders }: SubmitOf,
): readonly RouteDefinition[] {
  const rows = ctx.get(RowStoreToken);
  const limiter = ctx.get(RateLimiterToken);
  const marks = ctx.get(ChangeMarksToken);
  const links = sentLinks(ctx);
  const path = '/api/v1/db/public/shared-view/:uuid';
  const uploadLimit = () => Math.max(largestRow, files.largestBody());

  /** The values to write, by titles; those of hidden and unknown columns are dropped alike. */
  async function sentValues(visit: Visit, request: RouteRequest, data: RowInput): Promise<RowInput> {
    const shown = new Map(visibleColumns(visit).map((column) => [column.title, column]));
    const kept = Object.entries(data).filter(([title, value]) => shown.has(title) && value !== undefined);
    const values = await files.withSent(visit, Object.fromEntries(kept), request);
    return files.restored(visit, values);
  }

  /** A view that currently accepts rows. */
  async function openView(request: VisitRequest, act: 'submit' | 'candidates'): Promise<Visit> {
    const visit = await visits.open(request, act);
    await visit.type.assertOpen?.(visit.view);
    return visit;
  }

  return [
    defineRoute({
      method: 'POST',
      path: `${path}/rows`,
      permission: 'public',
      summary: 'Add a row by the link of a view that is there to be filled in',
      bodyKind: 'form',
      get bodyLimit() {
        return uploadLimit();
      },
      seconds: uploadSeconds,
      repeatableByGuests: true,
      async willReadBody(request) {
        await limiter.consume(rowsOfSender, countedBy(request));
        if (/^multipart\//i.test(request.headers['content-type'] ?? ''))
          await limiter.consume(filesOfSender, countedBy(request));
        // Before anything is stored for the sender, such as the key for repeated requests.
        const known = senders.recognise(await visits.open(request, 'submit'), request);
        // The answer stored for a key does not contain them.
        return known?.isAgain === true ? known.cookies : [];
      },
      async handle(request) {
        const visit = await openView(request, 'submit');
        const { handle, type, view } = visit;
        const { data, aside } = sentRow(request.body);
        const sent = await sentValues(visit, request, data);
        const known = senders.recognise(visit, request);
        const sender = {
          address: request.ip,
          countedBy: countedBy(request),
          ...(known && { person: known.person }),
          ...(known?.stranger && { stranger: known.stranger }),
        };
        const context = { table: handle.table, snapshot: handle.snapshot, view, sender, aside };
        const taken = (await type.willSubmit?.(sent, context)) ?? sent;
        const tell = (row?: Row) =>
          type.didSubmit?.(row, context).catch((error: unknown) => {
            request.logger.error('What follows a row that was sent by a link failed.', {
              view: view.id,
              error,
            });
          });
        const add = async () => {
          const { keys, chosen } = await links.read(visit, taken);
          const ofLinks = Object.fromEntries(chosen.map(({ column, rows: named }) => [column.title, named]));
          if (type.isProgram?.(context) === true) {
            request.logger.info('A row that a program sent by a link was dropped.', { view: view.id });
            return { added: undefined, told: droppedRow(visit, taken), ofLinks };
          }
          marks.keep(request.id, submitMark, view.id);
          const linked = new Set(visibleColumns(visit).flatMap(({ linkId, title }) => (linkId ? title : [])));
          const plain = Object.entries(taken).filter(([title]) => !linked.has(title));
          const { result } = await rows.create(handle, { ...Object.fromEntries(plain), ...keys });
          await links.write(visit, result, chosen);
          return { added: result, told: result, ofLinks };
        };
        const { added, told, ofLinks } = await add().catch(async (error: unknown) => {
          await tell();
          throw error;
        });
        await tell(added);
        const [shown = {}] = files.inRows(visit, [told]);
        // The key would reveal the number of rows.
        const body = Object.fromEntries(
          visibleColumns(visit).map(({ title }) => [title, ofLinks[title] ?? shown[title] ?? null]),
        );
        return new RouteAnswer({ body, cookies: known?.isAgain === false ? known.cookies : [] });
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/files/:column`,
      permission: 'public',
      summary: 'Upload files for a row that is sent by a link',
      bodyKind: 'multipart',
      get bodyLimit() {
        return uploadLimit();
      },
      seconds: uploadSeconds,
      async willReadBody(request) {
        await limiter.consume(filesOfSender, countedBy(request));
        files.columnOf(await openView(request, 'submit'), request.params.column ?? '');
      },
      async handle(request) {
        const visit = await openView(request, 'submit');
        const column = files.columnOf(visit, request.params.column ?? '');
        if (request.files === undefined || request.files.length === 0)
          throw linkErrors.create('SHARED_VIEW_NO_FILES');
        return files.receive(visit, column, request);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/nested/:column`,
      permission: 'public',
      summary: 'List the rows that a new row may be linked to, by their keys and names',
      async handle(request) {
        const visit = await openView(request, 'candidates');
        const { column = '' } = request.params;
        const handle = await links.candidates(visit, column);
        if (handle === undefined) throw linkErrors.create('SHARED_VIEW_COLUMN', { column });
        const page = readVisitorPage(request.query);
        const query = readCandidateQuery(visit, request.query);
        const found = await rows.page(handle, query, page, request.signal);
        return {
          list: files.inValues(visit, column, found.rows),
          pageInfo: toPageInfo(page, found.totalRows),
        };
      },
    }),
  ];
}
