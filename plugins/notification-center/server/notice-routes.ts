import {
  AccessServiceToken,
  defineRoute,
  LettersToken,
  mayRead,
  RowStoreToken,
  SchemaStoreToken,
  type ProjectSnapshot,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import {
  mailTimes,
  type NoticeEntity,
  type NoticeList,
  type NoticeWish,
  type NoticeWishes,
  type UnreadNotices,
} from '../shared/index.ts';
import type { NoticeKinds } from './notice-kinds.ts';
import { mostShown, type NoticeDetail, type NoticeFilter, type NoticeRow, type Notices } from './notices.ts';

/** The most characters of a notice's text, which is one or two lines. */
const longestWords = 200;
/** The most notices that are read to find those that a person may see. */
const mostRead = 500;

const idsSchema = { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 40 } } as const;

/** What an API token, which stands for a part of its owner's rights, has no say in. */
const ofAccount = 'ownAccount';

/** The subject of a notice, as its person may see it. */
interface NoticePlace {
  readonly project: ProjectSnapshot['project'];
  /** The table; undefined for a subject without one. */
  readonly handle?: TableHandle;
}

/** The notices of the signed-in person. */
export function noticeRoutes(
  ctx: ServerPluginContext,
  { notices, kinds }: { readonly notices: Notices; readonly kinds: NoticeKinds },
): readonly RouteDefinition[] {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  /** If the person may see all rows, a deleted row counts as visible: the notice reveals nothing hidden. */
  async function isSeen(handle: TableHandle, rowKey: string): Promise<boolean> {
    if (handle.scope.rowPredicate(handle.table.id) === undefined) return true;
    try {
      return await rows.exists(handle, rowKey);
    } catch (error) {
      // A database that does not answer must not hide the other notices.
      ctx.logger.warn('Whether a row of a notice is seen is not known', { error });
      return false;
    }
  }

  /** The title of a row, and the additional text of its notice. */
  async function wordsOf(
    row: NoticeRow,
    handle: TableHandle,
  ): Promise<Pick<NoticeEntity, 'row_title' | 'says'>> {
    const { displayColumn } = handle.table;
    const { says } = kinds.of(row.kind);
    try {
      const isNamed = displayColumn !== undefined && mayRead(handle.scope, displayColumn);
      const named = isNamed
        ? await rows.read(handle, row.row_key, { fields: [displayColumn.title] })
        : undefined;
      const name = named?.[displayColumn?.title ?? ''];
      const words =
        row.about === null ? undefined : await says?.({ about: row.about, rowKey: row.row_key, handle });
      return {
        row_title: typeof name === 'string' || typeof name === 'number' ? String(name) : null,
        says: words?.slice(0, longestWords) ?? null,
      };
    } catch (error) {
      ctx.logger.warn('What a notice is about is not known', { error });
      return { row_title: null, says: null };
    }
  }

  /** Undefined if the person may no longer see the subject: a notice must not reveal it. */
  async function placeOf(
    row: NoticeRow,
    { principal, id }: Pick<RouteRequest, 'principal' | 'id'>,
  ): Promise<NoticePlace | undefined> {
    try {
      const scope = await access.scopeFor(principal, row.project_id, id);
      const { permission } = kinds.of(row.kind);
      const isOfRow = row.row_key !== '';
      if (!isOfRow && permission !== undefined && !scope.may(permission)) return undefined;
      if (row.table_id === '') return { project: (await schema.snapshot(scope)).project };
      const handle = await schema.open(scope, row.table_id);
      if (isOfRow && !(await isSeen(handle, row.row_key))) return undefined;
      return { project: handle.snapshot.project, handle };
    } catch (error) {
      if (error instanceof TrellisError && error.status < 500) return undefined;
      throw error;
    }
  }

  /** Whether the person still has a role in a project. */
  async function isIn(
    projectId: string,
    { principal, id }: Pick<RouteRequest, 'principal' | 'id'>,
  ): Promise<boolean> {
    try {
      return (await access.scopeFor(principal, projectId, id)).roles.length > 0;
    } catch (error) {
      if (error instanceof TrellisError && error.status < 500) return false;
      throw error;
    }
  }

  /** The newest notices that the person may see: others, such as those of a project that they left, do not use up the limit. */
  async function shownTo(
    request: Pick<RouteRequest, 'principal' | 'id'>,
    which: NoticeFilter['which'],
  ): Promise<readonly { readonly row: NoticeRow; readonly place: NoticePlace }[]> {
    const shown: { readonly row: NoticeRow; readonly place: NoticePlace }[] = [];
    const of = { accountId: request.principal.id, which };
    // Checked once for each project: there may be hundreds of notices of one that they left.
    const projectIds: string[] = [];
    for (const projectId of await notices.projects(of))
      if (await isIn(projectId, request)) projectIds.push(projectId);
    if (projectIds.length === 0) return [];
    for (let offset = 0; shown.length < mostShown && offset < mostRead; offset += mostShown) {
      const rows = await notices.list(of, { projectIds, offset });
      const places = await Promise.all(rows.map((row) => placeOf(row, request)));
      for (const [at, row] of rows.entries()) {
        const place = places[at];
        if (place !== undefined) shown.push({ row, place });
      }
      if (rows.length < mostShown) break;
    }
    return shown.slice(0, mostShown);
  }

  /** The number of unread notices, up to the limit of the list. Usually there are none, and nothing else is checked. */
  async function unreadOf(request: Pick<RouteRequest, 'principal' | 'id'>): Promise<number> {
    return (await shownTo(request, 'unread')).length;
  }

  async function toEntity(row: NoticeRow, { project, handle }: NoticePlace): Promise<NoticeEntity> {
    const { text, tab = '', pane = '', opens: param } = kinds.of(row.kind);
    const isOfRow = row.row_key !== '';
    const detail: NoticeDetail = isOfRow ? {} : (JSON.parse(row.detail ?? '{}') as NoticeDetail);
    const { title = null, reason = null, opens: value } = detail;
    return {
      id: row.id,
      kind: row.kind,
      text,
      tab,
      pane,
      actor: row.actor,
      project: { id: project.id, title: project.title },
      table: handle === undefined ? null : { id: handle.table.id, title: handle.table.title },
      row_id: row.row_key,
      opens: param === undefined || value === undefined ? null : { param, value },
      ...(handle === undefined || !isOfRow ? { row_title: null, says: null } : await wordsOf(row, handle)),
      title,
      reason,
      at: new Date(Number(row.at)).toISOString(),
      is_read: row.read_at !== null,
    };
  }

  async function wishesOf(accountId: string): Promise<NoticeWishes> {
    const wishOf = await notices.wishes([accountId]);
    return {
      list: kinds.list().map(({ id: kind, label, mail }) => ({
        kind,
        label,
        has_mail: mail !== undefined,
        ...wishOf(accountId, kind),
      })),
      can_mail: ctx.find(LettersToken)?.canSend() ?? false,
      mail_lacks: ctx.find(LettersToken)?.lacks() ?? null,
    };
  }

  return [
    defineRoute({
      method: 'GET',
      path: 'wishes',
      permission: 'signedIn',
      summary: 'Say what the caller wants to be told, and how',
      handle: ({ principal }) => wishesOf(principal.id),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, NoticeWish & { readonly kind: string }>({
      method: 'PUT',
      path: 'wishes',
      permission: ofAccount,
      summary: 'Set what the caller wants of one kind of notice',
      unknownKeys: 'refuse',
      schemas: {
        body: {
          type: 'object',
          required: ['kind', 'page', 'mail'],
          properties: {
            kind: { type: 'string', maxLength: 40 },
            page: { type: 'boolean' },
            mail: { type: 'string', enum: [...mailTimes] },
          },
        },
      },
      async handle({ principal, body: { kind, page, mail } }) {
        kinds.assertKnown(kind);
        await notices.wish(principal.id, kind, { page, mail });
        return wishesOf(principal.id);
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'notices',
      permission: 'signedIn',
      summary: 'List what the caller was told, the newest first',
      async handle(request): Promise<NoticeList> {
        const shown = await shownTo(request, 'all');
        const list = await Promise.all(shown.map(({ row, place }) => toEntity(row, place)));
        return { list, unread: await unreadOf(request) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'notices/unread',
      permission: 'signedIn',
      summary: 'Count what the caller was told and has not read',
      async handle(request): Promise<UnreadNotices> {
        return { unread: await unreadOf(request) };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly ids?: readonly string[] }>({
      method: 'POST',
      path: 'notices/read',
      permission: ofAccount,
      summary: 'Mark notices of the caller as read: those that are named, otherwise all',
      schemas: {
        body: {
          type: 'object',
          properties: { ids: idsSchema },
        },
      },
      async handle({ principal, body }) {
        await notices.read(principal.id, body.ids);
        return {};
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly ids: readonly string[] }>({
      method: 'POST',
      path: 'notices/unread',
      permission: ofAccount,
      summary: 'Mark notices of the caller as not read',
      schemas: { body: { type: 'object', required: ['ids'], properties: { ids: idsSchema } } },
      async handle({ principal, body }) {
        await notices.unread(principal.id, body.ids);
        return {};
      },
    }),
  ];
}
