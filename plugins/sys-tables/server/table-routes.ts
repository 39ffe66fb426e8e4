import {
  defineRoute,
  SchemaStoreToken,
  toTableSummary,
  type AccessScope,
  type ColumnPatch,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { valueCopies } from './copy-values.ts';
import { tableEntities } from './table-entity.ts';
import {
  columnBodySchema,
  readColumnPatch,
  readNewColumn,
  readNewTable,
  tableBodySchema,
  trialBodySchema,
  type ColumnBody,
  type TableBody,
  type TrialBody,
} from './table-input.ts';

const meta = '/api/v1/db/meta';

interface DuplicateBody {
  readonly title?: string;
  /** The view that it is copied in, which shows the copy although it hides others. */
  readonly view_id?: string;
  /** For a computed column: the type of a plain column that gets what it shows at the moment. */
  readonly values_as?: string;
}

/** List, create, read, rename, reorder and delete tables. */
export function tableRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const types = ctx.registry('columnTypes');
  const entity = tableEntities(ctx);
  const ofProject = { kind: 'project', param: 'projectId' } as const;
  const ofTable = { kind: 'table', param: 'tableId' } as const;
  const list = { path: `${meta}/projects/:projectId/tables`, aliases: [`${meta}/:projectId/tables`] };

  return [
    defineRoute({
      ...list,
      method: 'GET',
      permission: 'tableList',
      object: ofProject,
      summary: 'List the tables of a project',
      handle: async (request) => {
        const { tables } = await schema.snapshot(request.scope);
        const withJunctions = request.query.includeM2M === 'true';
        const shown = [...tables.values()].filter((table) => withJunctions || !table.junction);
        return { list: shown.toSorted((a, b) => a.order - b.order).map(toTableSummary) };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, TableBody>({
      ...list,
      method: 'POST',
      permission: 'tableCreate',
      object: ofProject,
      summary: 'Create a table',
      schemas: { body: tableBodySchema },
      handle: async (request) =>
        entity(request.scope, await schema.createTable(request.scope, readNewTable(request.body, types))),
    }),
    defineRoute({
      method: 'GET',
      path: `${meta}/tables/:tableId`,
      permission: 'tableGet',
      object: ofTable,
      summary: 'Read a table with its columns and views',
      handle: async (request) =>
        entity(request.scope, await schema.table(request.scope, request.params.tableId ?? '')),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, TableBody>({
      method: 'PATCH',
      path: `${meta}/tables/:tableId`,
      permission: 'tableUpdate',
      object: ofTable,
      summary: 'Rename a table',
      schemas: { body: tableBodySchema },
      handle: async (request) => {
        const title = request.body.title ?? request.body.table_name;
        await schema.updateTable(request.scope, request.params.tableId ?? '', {
          ...(title !== undefined && { title }),
          ...(request.body.meta && { meta: request.body.meta }),
        });
        return { msg: 'success' };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${meta}/tables/:tableId/uses`,
      permission: 'tableGet',
      object: ofTable,
      summary: 'List the columns that show links between a table and others',
      handle: ({ scope, params }) => schema.tableUses(scope, params.tableId ?? ''),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${meta}/tables/:tableId`,
      permission: 'tableDelete',
      object: ofTable,
      summary: 'Delete a table; its data is removed for good after 30 days',
      handle: async (request) => {
        await schema.deleteTable(request.scope, request.params.tableId ?? '');
        return true;
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly order: number }>({
      method: 'POST',
      path: `${meta}/tables/:tableId/reorder`,
      permission: 'tableReorder',
      object: ofTable,
      summary: 'Move a table in the list',
      schemas: { body: { type: 'object', required: ['order'], properties: { order: { type: 'number' } } } },
      handle: async (request) => {
        await schema.reorderTable(request.scope, request.params.tableId ?? '', request.body.order);
        return {};
      },
    }),
  ];
}

/** Columns: create, update and delete answer the whole table. */
export function columnRoutes(
  ctx: ServerPluginContext,
  copies: Pick<ReturnType<typeof valueCopies>, 'start'>,
): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const types = ctx.registry('columnTypes');
  const entity = tableEntities(ctx);
  const ofColumn = { kind: 'column', param: 'columnId' } as const;
  const path = `${meta}/columns/:columnId`;

  async function patchOf(scope: AccessScope, columnId: string, body: ColumnBody): Promise<ColumnPatch> {
    return readColumnPatch(body, types, (await schema.snapshot(scope)).column(columnId));
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, ColumnBody>({
      method: 'POST',
      path: `${meta}/tables/:tableId/columns`,
      permission: 'columnAdd',
      object: { kind: 'table', param: 'tableId' },
      summary: 'Add a column',
      schemas: { body: columnBodySchema },
      handle: async (request) =>
        entity(
          request.scope,
          await schema.createColumn(
            request.scope,
            request.params.tableId ?? '',
            readNewColumn(request.body, types),
          ),
        ),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ColumnBody>({
      method: 'PATCH',
      path,
      permission: 'columnUpdate',
      object: ofColumn,
      summary: 'Change a column',
      schemas: { body: columnBodySchema },
      handle: async ({ scope, params: { columnId = '' }, body }) =>
        entity(scope, await schema.updateColumn(scope, columnId, await patchOf(scope, columnId, body))),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, TrialBody>({
      method: 'POST',
      path: `${path}/trial`,
      permission: 'columnUpdate',
      object: ofColumn,
      summary: 'Look at what a change of a column would do to its values, a part of the rows at a time',
      schemas: { body: trialBodySchema },
      handle: async ({ scope, params: { columnId = '' }, body: { after, ...body }, signal }) => {
        const patch = await patchOf(scope, columnId, body);
        return schema.tryColumnUpdate(scope, columnId, patch, { after: after ?? undefined, signal });
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, DuplicateBody>({
      method: 'POST',
      path: `${path}/duplicate`,
      permission: 'columnAdd',
      object: ofColumn,
      summary:
        'Add a column like another one, with its values; or one with what a computed column shows, which a task fills',
      schemas: {
        body: {
          type: 'object',
          properties: {
            title: { type: 'string', maxLength: 255 },
            view_id: { type: 'string', maxLength: 40 },
            values_as: { type: 'string', minLength: 1, maxLength: 100 },
          },
        },
      },
      handle: async ({ scope, params: { columnId = '' }, body }) => {
        const { title, view_id: viewId, values_as: type } = body;
        const like = { ...(title !== undefined && { title }), ...(viewId !== undefined && { viewId }) };
        return entity(
          scope,
          type === undefined
            ? await schema.duplicateColumn(scope, columnId, like)
            : await copies.start(scope, columnId, { ...like, type }),
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/uses`,
      permission: 'tableGet',
      object: ofColumn,
      summary: 'List the views and computed columns that a column is used by',
      handle: ({ scope, params }) => schema.columnUses(scope, params.columnId ?? ''),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      permission: 'columnDelete',
      object: ofColumn,
      summary: 'Delete a column; its data is removed for good after 30 days',
      handle: async (request) =>
        entity(request.scope, await schema.deleteColumn(request.scope, request.params.columnId ?? '')),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/primary`,
      permission: 'columnSetAsPrimary',
      object: ofColumn,
      summary: 'Choose the column that names a row',
      handle: async (request) => {
        await schema.setDisplayColumn(request.scope, request.params.columnId ?? '');
        return true;
      },
    }),
  ];
}
