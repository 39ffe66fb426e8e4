import {
  defineRoute,
  RouteAnswer,
  SchemaStoreToken,
  toSortEntity,
  ViewStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema, SortKey } from '@trellis/sdk/shared';
import { findSort, findView } from './find-in-project.ts';

interface SortBody {
  readonly fk_column_id?: string;
  readonly direction?: 'asc' | 'desc' | null;
  readonly order?: number | null;
}

const sortBodySchema: JsonSchema = {
  type: 'object',
  properties: {
    fk_column_id: { type: 'string', maxLength: 40 },
    direction: { enum: ['asc', 'desc', null] },
    order: { type: ['number', 'null'] },
  },
};

/** All sorts of a view, the most significant first. */
interface SortListBody {
  readonly list: readonly SortItem[];
  /** The sorts as they were read: if others are saved now, nothing is written. */
  readonly replaces?: readonly SortItem[];
}

interface SortItem {
  readonly fk_column_id: string;
  readonly direction?: 'asc' | 'desc' | null;
}

const sortItems: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: { ...sortBodySchema, required: ['fk_column_id'] },
};

const sortListSchema: JsonSchema = {
  type: 'object',
  required: ['list'],
  properties: { list: sortItems, replaces: sortItems },
};

function readSort({ fk_column_id: columnId, direction }: SortItem): SortKey {
  return { columnId, direction: direction ?? 'asc' };
}

const meta = '/api/v1/db/meta';
const empty = () => new RouteAnswer({ body: '' });

/** List, create, read, change and delete the sorts of a view. */
export function sortRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const store = ctx.get(ViewStoreToken);
  const ofView = { kind: 'view', param: 'viewId' } as const;
  const ofSort = { kind: 'sort', param: 'sortId' } as const;
  const path = `${meta}/sorts/:sortId`;
  return [
    defineRoute({
      method: 'GET',
      path: `${meta}/views/:viewId/sorts`,
      permission: 'sortList',
      object: ofView,
      summary: 'List the sorts of a view',
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        return { sorts: { list: view.sorts.map((sort) => toSortEntity(sort, table)) } };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, SortBody>({
      method: 'POST',
      path: `${meta}/views/:viewId/sorts`,
      permission: 'sortCreate',
      object: ofView,
      summary: 'Add a sort to a view',
      schemas: { body: { ...sortBodySchema, required: ['fk_column_id'] } },
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        const sort = await store.createSort(request.scope, view.id, {
          columnId: request.body.fk_column_id ?? '',
          direction: request.body.direction ?? 'asc',
          ...(typeof request.body.order === 'number' && { order: request.body.order }),
        });
        return toSortEntity(sort, table);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, SortListBody>({
      method: 'PUT',
      path: `${meta}/views/:viewId/sorts`,
      permission: 'sortUpdate',
      object: ofView,
      summary: 'Replace all sorts of a view',
      schemas: { body: sortListSchema },
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        const saved = await store.setSorts(
          request.scope,
          view.id,
          request.body.list.map(readSort),
          request.body.replaces?.map(readSort),
        );
        return { sorts: { list: saved.map((sort) => toSortEntity(sort, table)) } };
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      permission: 'sortGet',
      object: ofSort,
      summary: 'Read a sort',
      handle: async (request) => {
        const { table, sort } = await findSort(schema, request.scope, request.params.sortId ?? '');
        return toSortEntity(sort, table);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, SortBody>({
      method: 'PATCH',
      path,
      permission: 'sortUpdate',
      object: ofSort,
      summary: 'Change a sort',
      schemas: { body: sortBodySchema },
      handle: async (request) => {
        const { fk_column_id: columnId, direction, order } = request.body;
        await store.updateSort(request.scope, request.params.sortId ?? '', {
          ...(columnId && { columnId }),
          ...(direction && { direction }),
          ...(typeof order === 'number' && { order }),
        });
        return empty();
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      permission: 'sortDelete',
      object: ofSort,
      summary: 'Remove a sort',
      handle: async (request) => {
        await store.deleteSort(request.scope, request.params.sortId ?? '');
        return empty();
      },
    }),
  ];
}
