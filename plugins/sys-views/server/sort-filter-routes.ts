import {
  defineRoute,
  RouteAnswer,
  SchemaStoreToken,
  toFilterEntity,
  toSortEntity,
  ViewStoreToken,
  type FilterInput,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { CellValue, JsonSchema, LogicalOp } from '@trellis/sdk/shared';
import { findFilter, findSort, findView } from './find-in-project.ts';

interface SortBody {
  readonly fk_column_id?: string;
  readonly direction?: 'asc' | 'desc' | null;
  readonly order?: number | null;
}

interface FilterBody {
  readonly fk_column_id?: string | null;
  readonly fk_parent_id?: string | null;
  readonly logical_op?: string | null;
  readonly comparison_op?: string | null;
  readonly value?: CellValue;
  readonly is_group?: boolean | 0 | 1 | null;
  readonly order?: number | null;
  readonly children?: readonly FilterBody[] | null;
}

const id: JsonSchema = { type: ['string', 'null'], maxLength: 40 };

const sortBodySchema: JsonSchema = {
  type: 'object',
  properties: {
    fk_column_id: { type: 'string', maxLength: 40 },
    direction: { enum: ['asc', 'desc', null] },
    order: { type: ['number', 'null'] },
  },
};

const filterBodySchema: JsonSchema = {
  type: 'object',
  properties: {
    fk_column_id: id,
    fk_parent_id: id,
    logical_op: { type: ['string', 'null'], pattern: '^(?:[aA][nN][dD]|[oO][rR]|[nN][oO][tT])$' },
    comparison_op: { type: ['string', 'null'], maxLength: 40 },
    value: {},
    is_group: { enum: [true, false, 0, 1, null] },
    order: { type: ['number', 'null'] },
    children: { type: ['array', 'null'], maxItems: 100, items: { type: 'object' } },
  },
};

function readFilter(body: FilterBody): FilterInput {
  return {
    ...(body.fk_column_id && { columnId: body.fk_column_id }),
    ...(body.fk_parent_id && { parentId: body.fk_parent_id }),
    ...(body.logical_op && { logicalOp: body.logical_op.toLowerCase() as LogicalOp }),
    ...(body.comparison_op && { operator: body.comparison_op }),
    ...(body.value !== undefined && { value: body.value }),
    ...(body.is_group && { isGroup: true }),
    ...(typeof body.order === 'number' && { order: body.order }),
    ...(body.children && { children: body.children.map(readFilter) }),
  };
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

/** List, create, read, change and delete the filters of a view, groups with their children. */
export function filterRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const store = ctx.get(ViewStoreToken);
  const ofView = { kind: 'view', param: 'viewId' } as const;
  const ofFilter = { kind: 'filter', param: 'filterId' } as const;
  const path = `${meta}/filters/:filterId`;
  return [
    defineRoute({
      method: 'GET',
      path: `${meta}/views/:viewId/filters`,
      permission: 'filterList',
      object: ofView,
      summary: 'List the root filters of a view',
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        return view.filters.map((filter) => toFilterEntity(filter, table));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, FilterBody>({
      method: 'POST',
      path: `${meta}/views/:viewId/filters`,
      permission: 'filterCreate',
      object: ofView,
      summary: 'Add a filter, or a group with its filters, to a view',
      schemas: { body: filterBodySchema },
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        return toFilterEntity(
          await store.createFilter(request.scope, view.id, readFilter(request.body)),
          table,
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      permission: 'filterGet',
      object: ofFilter,
      summary: 'Read a filter',
      handle: async (request) => {
        const { table, filter } = await findFilter(schema, request.scope, request.params.filterId ?? '');
        return toFilterEntity(filter, table);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/children`,
      permission: 'filterChildrenRead',
      object: ofFilter,
      summary: 'List the filters of a group',
      handle: async (request) => {
        const { table, filter } = await findFilter(schema, request.scope, request.params.filterId ?? '');
        return filter.children.map((child) => toFilterEntity(child, table));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, FilterBody>({
      method: 'PATCH',
      path,
      permission: 'filterUpdate',
      object: ofFilter,
      summary: 'Change a filter',
      schemas: { body: filterBodySchema },
      handle: async (request) => {
        await store.updateFilter(request.scope, request.params.filterId ?? '', readFilter(request.body));
        return empty();
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      permission: 'filterDelete',
      object: ofFilter,
      summary: 'Remove a filter, and with a group its filters',
      handle: async (request) => {
        await store.deleteFilter(request.scope, request.params.filterId ?? '');
        return empty();
      },
    }),
  ];
}
