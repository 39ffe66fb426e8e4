import {
  AccessServiceToken,
  defineRoute,
  RowStoreToken,
  SchemaStoreToken,
  type Principal,
  type RouteDefinition,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { NoticeEntity, NoticeList } from '../shared/index.ts';
import type { NoticeRow, Notices } from './notices.ts';

/** What the person who is signed in was told. */
export function noticeRoutes(ctx: ServerPluginContext, notices: Notices): readonly RouteDefinition[] {
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
      const handle = await schema.open(scope, row.table_id);
      const {
        table,
        snapshot: { project },
      } = handle;
      if (!(await isSeen(handle, row.row_key))) return undefined;
      return {
        id: row.id,
        kind: row.kind,
        actor: row.actor,
        project: { id: project.id, title: project.title },
        table: { id: table.id, title: table.title },
        row_id: row.row_key,
        at: new Date(Number(row.at)).toISOString(),
        is_read: row.read_at !== null,
      };
    } catch (error) {
      if (error instanceof TrellisError && error.status < 500) return undefined;
      throw error;
    }
  }

  return [
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
