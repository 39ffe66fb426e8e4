import {
  AccessServiceToken,
  defineRoute,
  LettersToken,
  RowStoreToken,
  SchemaStoreToken,
  type Principal,
  type RouteDefinition,
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
} from '../shared/index.ts';
import type { NoticeKinds } from './notice-kinds.ts';
import type { NoticeDetail, NoticeRow, Notices } from './notices.ts';

/** What the person who is signed in was told. */
export function noticeRoutes(
  ctx: ServerPluginContext,
  { notices, kinds }: { readonly notices: Notices; readonly kinds: NoticeKinds },
): readonly RouteDefinition[] {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  /** Where all rows are there for the person, a row that is gone counts as seen: the notice tells nothing that was hidden. */
  async function isSeen(handle: TableHandle, rowKey: string): Promise<boolean> {
    if (handle.scope.rowPredicate(handle.table.id) === undefined) return true;
    try {
      return await rows.exists(handle, rowKey);
    } catch (error) {
      // A database that does not answer keeps nobody from the other notices.
      ctx.logger.warn('Whether a row of a notice is seen is not known', { error });
      return false;
    }
  }

  /** Undefined where the person may not see the row any more: a notice tells nothing of what was taken from them. */
  async function toEntity(
    row: NoticeRow,
    principal: Principal,
    requestId: string,
  ): Promise<NoticeEntity | undefined> {
    try {
      const scope = await access.scopeFor(principal, row.project_id, requestId);
      const { text, permission, tab = '', pane = '' } = kinds.of(row.kind);
      const base = {
        id: row.id,
        kind: row.kind,
        text,
        tab,
        pane,
        actor: row.actor,
        title: null,
        reason: null,
        at: new Date(Number(row.at)).toISOString(),
        is_read: row.read_at !== null,
      };
      if (row.table_id === '') {
        if (permission !== undefined && !scope.may(permission)) return undefined;
        const { project } = await schema.snapshot(scope);
        const { title, reason } = JSON.parse(row.detail ?? '{}') as NoticeDetail;
        return {
          ...base,
          project: { id: project.id, title: project.title },
          table: null,
          row_id: '',
          title: title ?? null,
          reason: reason ?? null,
        };
      }
      const handle = await schema.open(scope, row.table_id);
      const {
        table,
        snapshot: { project },
      } = handle;
      if (!(await isSeen(handle, row.row_key))) return undefined;
      return {
        ...base,
        project: { id: project.id, title: project.title },
        table: { id: table.id, title: table.title },
        row_id: row.row_key,
      };
    } catch (error) {
      if (error instanceof TrellisError && error.status < 500) return undefined;
      throw error;
    }
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
      permission: 'signedIn',
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
      async handle({ principal, id }): Promise<NoticeList> {
        const rows = await notices.list(principal.id);
        const entities = await Promise.all(rows.map((row) => toEntity(row, principal, id)));
        const list = entities.filter((entity) => entity !== undefined);
        return { list, unread: list.filter((notice) => !notice.is_read).length };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly ids?: readonly string[] }>({
      method: 'POST',
      path: 'notices/read',
      permission: 'signedIn',
      summary: 'Mark notices of the caller as read: those that are named, otherwise all',
      schemas: {
        body: {
          type: 'object',
          properties: { ids: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 40 } } },
        },
      },
      async handle({ principal, body }) {
        await notices.read(principal.id, body.ids);
        return {};
      },
    }),
  ];
}
