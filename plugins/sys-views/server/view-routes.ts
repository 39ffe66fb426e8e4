import {
  type AccessScope,
  defineRoute,
  RouteAnswer,
  SchemaStoreToken,
  toViewColumnEntity,
  toViewEntity,
  ViewEntitiesToken,
  ViewStoreToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  type TableSchema,
  type ViewSchema,
  type ViewStore,
} from '@trellis/sdk/server';
import type { JsonSchema, ViewEntity, ViewList } from '@trellis/sdk/shared';
import type { ViewName } from '../shared/index.ts';
import { findView, findViewColumn, viewErrors } from './find-in-project.ts';

interface ViewBody {
  readonly title?: string;
  readonly order?: number;
  readonly show_system_fields?: boolean | 0 | 1 | null;
  readonly lock_type?: ViewSchema['lockType'];
  readonly description?: string | null;
  /** Extras of ours, as the two above. */
  readonly group_id?: string | null;
  readonly icon?: string | null;
  /** True makes it the view that a table opens with, in place of the former one. */
  readonly make_default?: boolean;
  readonly meta?: Readonly<Record<string, unknown>> | null;
  /** The options that the client saw when it made those of `meta`: an extra of ours. */
  readonly meta_before?: Readonly<Record<string, unknown>> | null;
  readonly copy_from_id?: string | null;
  /** A view type's id; clients of the v1 API send its number back, which says nothing. */
  readonly type?: unknown;
}

type ViewRequest = RouteRequest<Record<string, string>, Record<string, unknown>, ViewBody>;

interface ViewColumnBody {
  readonly fk_column_id?: string;
  readonly show?: boolean | 0 | 1 | null;
  readonly order?: number | null;
  readonly width?: string | number | null;
  readonly meta?: Readonly<Record<string, unknown>> | null;
  /** As of a view. */
  readonly meta_before?: Readonly<Record<string, unknown>> | null;
}

const flag: JsonSchema = { enum: [true, false, 0, 1, null] };

const viewBodySchema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 255 },
    order: { type: 'number' },
    show_system_fields: flag,
    lock_type: { enum: ['collaborative', 'locked', 'personal'] },
    description: { type: ['string', 'null'], maxLength: 2000 },
    group_id: { type: ['string', 'null'], maxLength: 40 },
    icon: { type: ['string', 'null'], maxLength: 40 },
    make_default: { type: 'boolean' },
    meta: { type: ['object', 'null'] },
    meta_before: { type: ['object', 'null'] },
    copy_from_id: { type: ['string', 'null'], maxLength: 40 },
  },
} satisfies JsonSchema;

const viewColumnBodySchema: JsonSchema = {
  type: 'object',
  properties: {
    fk_column_id: { type: 'string', maxLength: 40 },
    show: flag,
    order: { type: ['number', 'null'] },
    width: { type: ['string', 'number', 'null'], maxLength: 10 },
    meta: { type: ['object', 'null'] },
    meta_before: { type: ['object', 'null'] },
  },
};

const meta = '/api/v1/db/meta';
/** Names of views that are told of a project. */
const mostNames = 2000;
const narrowest = 40;
const widest = 2000;
const empty = () => new RouteAnswer({ body: '' });

/** `123px` or 123 as pixels. */
function pixels(width: string | number | null | undefined): number | undefined {
  const number = typeof width === 'string' ? Number.parseFloat(width) : width;
  return number === null || number === undefined || !Number.isFinite(number)
    ? undefined
    : Math.round(Math.min(Math.max(number, narrowest), widest));
}

function readViewColumn(body: ViewColumnBody): Parameters<ViewStore['setColumn']>[3] {
  const width = pixels(body.width);
  return {
    ...(body.show !== undefined && body.show !== null && { show: Boolean(body.show) }),
    ...(typeof body.order === 'number' && { order: body.order }),
    ...(width !== undefined && { width }),
    ...(body.meta && { meta: body.meta, metaBefore: body.meta_before ?? undefined }),
  };
}

/** `ignoreIds[]=a&ignoreIds[]=b`, once or repeated. */
function ignoredIds(value: unknown): readonly string[] {
  return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(
    (id) => typeof id === 'string',
  );
}

function namesOf({ id, title, views }: TableSchema): readonly ViewName[] {
  return views.map((view) => ({
    id: view.id,
    title: view.title,
    icon: view.icon ?? null,
    table: { id, title },
  }));
}

/** Views and how they arrange their columns. */
export function viewRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const store = ctx.get(ViewStoreToken);
  const entities = ctx.get(ViewEntitiesToken);
  const ofTable = { kind: 'table', param: 'tableId' } as const;
  const ofView = { kind: 'view', param: 'viewId' } as const;
  const ofViewColumn = { kind: 'viewColumn', param: 'viewColumnId' } as const;

  async function create({ scope, params, body }: ViewRequest, type: string): Promise<ViewEntity> {
    const title = body.title?.trim();
    if (!title) throw viewErrors.create('VIEW_TITLE_REQUIRED');
    const view = await store.create(scope, params.tableId ?? '', {
      title,
      type,
      copyFrom: body.copy_from_id ?? undefined,
      showSystemFields: Boolean(body.show_system_fields),
      // Clients of the v1 API send whole views, whose other modes say nothing of a new one.
      ...(body.lock_type === 'personal' && { lockType: 'personal' }),
      description: body.description ?? null,
      ...(body.group_id !== undefined && { groupId: body.group_id }),
      ...(body.icon !== undefined && { icon: body.icon }),
      ...(body.meta && { meta: body.meta }),
    });
    return tell(scope, view);
  }

  /** A view with what plugins keep of it. */
  async function tell(scope: AccessScope, view: ViewSchema): Promise<ViewEntity> {
    const table = await schema.table(scope, view.tableId);
    const told = (await entities.of(scope, table)).find(({ id }) => id === view.id);
    return told ?? toViewEntity(view, table);
  }

  return [
    defineRoute({
      method: 'GET',
      path: `${meta}/tables/:tableId/views`,
      permission: 'viewList',
      object: ofTable,
      summary: 'List the views of a table',
      handle: async ({ scope, params }): Promise<ViewList> => {
        const table = await schema.table(scope, params.tableId ?? '');
        return { list: await entities.of(scope, table), groups: table.viewGroups };
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'projects/:projectId/views',
      permission: 'viewList',
      object: { kind: 'project', param: 'projectId' },
      summary: `List the names of all views of a project, at most ${mostNames}`,
      handle: async ({ scope }): Promise<readonly ViewName[]> => {
        const { tables } = await schema.snapshot(scope);
        const named = [...tables.values()].filter(({ junction }) => !junction);
        return named.flatMap(namesOf).slice(0, mostNames);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ViewBody>({
      method: 'POST',
      path: `${meta}/tables/:tableId/grids`,
      permission: 'gridViewCreate',
      object: ofTable,
      summary: 'Create a grid view',
      schemas: { body: viewBodySchema },
      handle: (request) => create(request, 'grid'),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ViewBody>({
      method: 'POST',
      path: `${meta}/tables/:tableId/views`,
      // The store asks for the permission of the view's own type (`gridViewCreate`), or for that of a personal view.
      permission: 'viewList',
      object: ofTable,
      summary: 'Create a view of any type',
      schemas: {
        body: {
          ...viewBodySchema,
          properties: { ...viewBodySchema.properties, type: { type: 'string', maxLength: 100 } },
          required: ['type', 'title'],
        },
      },
      handle: (request) => create(request, String(request.body.type)),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ViewBody>({
      method: 'PATCH',
      path: `${meta}/views/:viewId`,
      // The store asks for `viewUpdate`, or for less, by what is changed and whose view it is.
      permission: 'viewList',
      object: ofView,
      summary:
        'Rename, reorder or lock a view, change how it shows its table, or make it the one that its table opens with',
      schemas: { body: viewBodySchema },
      handle: async (request) => {
        const {
          title,
          order,
          show_system_fields: systemFields,
          lock_type: lockType,
          description,
          group_id: groupId,
          icon,
          make_default: isDefault,
          meta: viewMeta,
          meta_before: metaBefore,
        } = request.body;
        if (title !== undefined && title.trim() === '') throw viewErrors.create('VIEW_TITLE_REQUIRED');
        const view = await store.update(request.scope, request.params.viewId ?? '', {
          ...(title !== undefined && { title: title.trim() }),
          ...(order !== undefined && { order }),
          ...(systemFields !== undefined &&
            systemFields !== null && { showSystemFields: Boolean(systemFields) }),
          ...(lockType !== undefined && { lockType }),
          ...(description !== undefined && { description }),
          ...(groupId !== undefined && { groupId }),
          ...(icon !== undefined && { icon }),
          ...(isDefault === true && { isDefault }),
          ...(viewMeta && { meta: viewMeta }),
          ...(metaBefore && { metaBefore }),
        });
        return tell(request.scope, view);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${meta}/views/:viewId`,
      // The store asks for `viewDelete`, or for `personalViewEdit` where it is the caller's own.
      permission: 'viewList',
      object: ofView,
      summary: 'Delete a view',
      handle: async (request) => {
        await store.delete(request.scope, request.params.viewId ?? '');
        return empty();
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${meta}/views/:viewId/show-all`,
      permission: 'showAllColumns',
      object: ofView,
      summary: 'Show every column of a view',
      handle: async (request) => {
        await store.setAllColumns(
          request.scope,
          request.params.viewId ?? '',
          'show',
          ignoredIds(request.query.ignoreIds),
        );
        return empty();
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${meta}/views/:viewId/hide-all`,
      permission: 'hideAllColumns',
      object: ofView,
      summary: 'Hide every column of a view',
      handle: (request) =>
        store.setAllColumns(
          request.scope,
          request.params.viewId ?? '',
          'hide',
          ignoredIds(request.query.ignoreIds),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: `${meta}/views/:viewId/columns`,
      permission: 'columnList',
      object: ofView,
      summary: 'List the columns of a view',
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        return view.columns.map((column) => toViewColumnEntity(column, table));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ViewColumnBody>({
      method: 'POST',
      path: `${meta}/views/:viewId/columns`,
      permission: 'viewUpdate',
      object: ofView,
      summary: 'Place a column in a view',
      schemas: { body: { ...viewColumnBodySchema, required: ['fk_column_id'] } },
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        const column = await store.setColumn(
          request.scope,
          view.id,
          request.body.fk_column_id ?? '',
          readViewColumn(request.body),
        );
        return { ...toViewColumnEntity(column, table), view_id: view.id };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ViewColumnBody>({
      method: 'PATCH',
      path: `${meta}/views/:viewId/columns/:viewColumnId`,
      permission: 'viewColumnUpdate',
      object: ofView,
      summary: 'Show, hide or move a column of a view, or set its options',
      schemas: { body: viewColumnBodySchema },
      handle: async (request) => {
        const { view } = await findView(schema, request.scope, request.params.viewId ?? '');
        const column = view.columns.find(({ id }) => id === request.params.viewColumnId);
        if (column === undefined) throw viewErrors.create('VIEW_COLUMN_NOT_FOUND');
        await store.setColumn(request.scope, view.id, column.columnId, readViewColumn(request.body));
        return [];
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${meta}/grids/:viewId/grid-columns`,
      permission: 'columnList',
      object: ofView,
      summary: 'List the columns of a grid view',
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        return view.columns.map((column) => toViewColumnEntity(column, table));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ViewColumnBody>({
      method: 'PATCH',
      path: `${meta}/grid-columns/:viewColumnId`,
      permission: 'gridColumnUpdate',
      object: ofViewColumn,
      summary: 'Show, hide, move or resize a column of a grid view',
      schemas: { body: viewColumnBodySchema },
      handle: async (request) => {
        const { view, column } = await findViewColumn(
          schema,
          request.scope,
          request.params.viewColumnId ?? '',
        );
        await store.setColumn(request.scope, view.id, column.columnId, readViewColumn(request.body));
        return empty();
      },
    }),
  ];
}
