import {
  AccessServiceToken,
  defineRoute,
  SchemaStoreToken,
  type Principal,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { NoticeEntity, NoticeList } from '../shared/index.ts';
import type { NoticeRow, Notices } from './notices.ts';

/** What the person who is signed in was told. */
export function noticeRoutes(ctx: ServerPluginContext, notices: Notices): readonly RouteDefinition[] {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);

  /** Undefined where the person may not see the table any more: a notice tells nothing of what was taken from them. */
  async function toEntity(
    row: NoticeRow,
    principal: Principal,
    requestId: string,
  ): Promise<NoticeEntity | undefined> {
    try {
      const scope = await access.scopeFor(principal, row.project_id, requestId);
      const { project, tables } = await schema.snapshot(scope);
      const table = tables.get(row.table_id);
      if (table === undefined) return undefined;
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
