import { randomBytes } from 'node:crypto';
import {
  defineRoute,
  defineServerPlugin,
  followGoneViews,
  RowStoreToken,
  SchemaStoreToken,
} from '@trellis/sdk/server';
import { migrations } from './migrations.ts';
import { tick } from './tick.ts';
import { Wall } from './wall.ts';
import { watchHome } from './watch-home.ts';
import { WatchStore, type Condition } from './watch-store.ts';

interface WatchBody {
  readonly columnId: string;
  readonly value: string;
}

/** Filters are found by ids of this form alone. */
const newFilterId = () => `fi_${randomBytes(7).toString('hex')}`;

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    const schema = ctx.get(SchemaStoreToken);
    const watches = new WatchStore(ctx.db);
    const wall = new Wall(ctx.db);

    // Conditions in tables of ours name values that people rename.
    ctx.register('conditionHolders', { id: 'acme-watch', moved: (unit, moved) => watches.move(unit, moved) });
    ctx.register('filterHomes', watchHome(ctx, watches));
    // Who has no account sees a view on the wall: columns that are made later start hidden in it.
    ctx.register('openViews', {
      id: 'acme-watch',
      ofTable: (tableId) => wall.ofTable(tableId),
      isOpen: (viewId) => wall.isOpen(viewId),
    });
    followGoneViews(ctx, {
      keptOf: ({ viewId }) => wall.viewsOf({ view_id: viewId }),
      async didGo(views) {
        for (const viewId of views) await wall.takeDown({ view_id: viewId });
      },
    });
    ctx.register('operations', tick(ctx));
    ctx.tap('accounts.didDelete', ({ accountId }) => watches.end({ account_id: accountId }));
    ctx.tap('projects.didPurge', async ({ projectId }) => {
      await watches.end({ project_id: projectId });
      await wall.takeDown({ project_id: projectId });
    });

    ctx.routes(
      defineRoute({
        method: 'GET',
        path: 'watches',
        permission: 'signedIn',
        summary: 'List the ids of what the caller watches',
        handle: async ({ principal }) => ({ list: await watches.idsOf(principal.id) }),
      }),
      defineRoute<Record<string, string>, Record<string, unknown>, WatchBody>({
        method: 'POST',
        path: 'tables/:tableId/watches',
        permission: 'dataRead',
        object: { kind: 'table', param: 'tableId' },
        summary: 'Watch the rows of a table that have a value',
        schemas: {
          body: {
            type: 'object',
            required: ['columnId', 'value'],
            properties: {
              columnId: { type: 'string', maxLength: 40 },
              value: { type: 'string', maxLength: 200 },
            },
          },
        },
        async handle({ scope, params, body, signal }) {
          const [id, tableId] = [newFilterId(), params['tableId'] ?? ''];
          const filter: Condition = { kind: 'condition', id, logicalOp: 'and', operator: 'eq', ...body };
          const table = await schema.open(scope, tableId);
          const count = await ctx.get(RowStoreToken).count(table, { filters: [filter] }, signal);
          const projectId = scope.projectId ?? '';
          await watches.add({ id, accountId: scope.principal.id, projectId, tableId, filter });
          return { id, count };
        },
      }),
      defineRoute({
        method: 'POST',
        path: 'views/:viewId/wall',
        permission: 'viewUpdate',
        object: { kind: 'view', param: 'viewId' },
        summary: 'Hang a view on the wall',
        async handle({ scope, params: { viewId = '' } }) {
          const tableId = (await schema.snapshot(scope)).view(viewId)?.tableId ?? '';
          await wall.hang({ view_id: viewId, table_id: tableId, project_id: scope.projectId ?? '' });
          return {};
        },
      }),
      defineRoute({
        method: 'DELETE',
        path: 'views/:viewId/wall',
        permission: 'viewUpdate',
        object: { kind: 'view', param: 'viewId' },
        summary: 'Take a view down from the wall',
        async handle({ params: { viewId = '' } }) {
          await wall.takeDown({ view_id: viewId });
          return {};
        },
      }),
      defineRoute({
        method: 'GET',
        path: 'tables/:tableId/wall',
        permission: 'viewUpdate',
        object: { kind: 'table', param: 'tableId' },
        summary: 'List the ids of the views of a table that hang on the wall',
        handle: async ({ params: { tableId = '' } }) => ({ list: await wall.viewsOf({ table_id: tableId }) }),
      }),
    );
  },
});
