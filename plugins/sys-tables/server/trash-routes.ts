import {
  defineRoute,
  TrashToken,
  type RouteDefinition,
  type ServerPluginContext,
  type TrashItem,
} from '@trellis/sdk/server';
import type { TrashEntity } from '../shared/index.ts';
import { tableEntities } from './table-entity.ts';

const path = '/api/v1/db/meta/projects/:projectId/trash';

function toTrashEntity({ kind, id, title, type, table, deletedAt, dropsAt, own }: TrashItem): TrashEntity {
  return {
    kind,
    id,
    title,
    uidt: type ?? null,
    table: table ?? null,
    deleted_at: deletedAt,
    drops_at: dropsAt,
    is_meta: own,
  };
}

/** Deleted objects of a project: list, restore, or drop them permanently. */
export function trashRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const trash = ctx.get(TrashToken);
  const entity = tableEntities(ctx);
  const object = { kind: 'project', param: 'projectId' } as const;

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'tableDelete',
      object,
      summary: 'List the tables and columns that were deleted in the last 30 days',
      handle: async ({ scope }) => ({ list: (await trash.list(scope)).map(toTrashEntity) }),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/tables/:deletedId/restore`,
      permission: 'tableDelete',
      object,
      summary: 'Restore a deleted table',
      handle: async ({ scope, params }) =>
        entity(scope, await trash.restoreTable(scope, params.deletedId ?? '')),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/columns/:deletedId/restore`,
      permission: 'columnDelete',
      object,
      summary: 'Restore a deleted column; answers its table',
      handle: async ({ scope, params }) =>
        entity(scope, await trash.restoreColumn(scope, params.deletedId ?? '')),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/tables/:deletedId`,
      permission: 'tableDelete',
      object,
      summary: 'Drop a deleted table for good',
      handle: async ({ scope, params }) => {
        await trash.purgeTable(scope, params.deletedId ?? '');
        return true;
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/columns/:deletedId`,
      permission: 'columnDelete',
      object,
      summary: 'Drop a deleted column for good',
      handle: async ({ scope, params }) => {
        await trash.purgeColumn(scope, params.deletedId ?? '');
        return true;
      },
    }),
  ];
}
