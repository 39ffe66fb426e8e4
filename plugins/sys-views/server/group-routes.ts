import {
  defineRoute,
  RouteAnswer,
  ViewStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';

interface GroupBody {
  readonly title?: string;
  readonly order?: number;
}

const title = { type: 'string', minLength: 1, maxLength: 100 } satisfies JsonSchema;

/** The groups of a table's views; an extension of the v1 API. */
export function groupRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const store = ctx.get(ViewStoreToken);
  const groups = '/api/v1/db/meta/tables/:tableId/view-groups';
  const ofTable = { permission: 'viewUpdate', object: { kind: 'table', param: 'tableId' } } as const;
  return [
    defineRoute<Record<string, string>, Record<string, unknown>, GroupBody>({
      ...ofTable,
      method: 'POST',
      path: groups,
      summary: 'Create a group of views',
      schemas: { body: { type: 'object', properties: { title }, required: ['title'] } },
      handle: ({ scope, params, body }) => store.createGroup(scope, params.tableId ?? '', body.title ?? ''),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, GroupBody>({
      ...ofTable,
      method: 'PATCH',
      path: `${groups}/:groupId`,
      summary: 'Rename or reorder a group of views',
      schemas: { body: { type: 'object', properties: { title, order: { type: 'number' } } } },
      handle: ({ scope, params, body }) =>
        store.updateGroup(scope, params.tableId ?? '', params.groupId ?? '', body),
    }),
    defineRoute({
      ...ofTable,
      method: 'DELETE',
      path: `${groups}/:groupId`,
      summary: 'Remove a group of views, which stay',
      async handle({ scope, params }) {
        await store.deleteGroup(scope, params.tableId ?? '', params.groupId ?? '');
        return new RouteAnswer({ body: '' });
      },
    }),
  ];
}
