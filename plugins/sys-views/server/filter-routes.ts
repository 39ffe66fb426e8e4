import {
  defineRoute,
  RouteAnswer,
  SchemaStoreToken,
  toFilterEntity,
  ViewStoreToken,
  type AccessScope,
  type FilterHome,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import {
  filterBodySchema,
  filterTreeSchema,
  readFilter,
  type FilterBody,
  type FilterTreeBody,
} from './filter-input.ts';
import { filterOfView, findFilter, findView } from './find-in-project.ts';

const meta = '/api/v1/db/meta';
const empty = () => new RouteAnswer({ body: '' });

/** List, create, read, change and delete the filters of a view, groups with their children. */
export function filterRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const store = ctx.get(ViewStoreToken);
  const ofView = { kind: 'view', param: 'viewId' } as const;
  const ofFilter = { kind: 'filter', param: 'filterId' } as const;
  const path = `${meta}/filters/:filterId`;
  const homes = ctx.registry('filterHomes');

  /** The plugin that stores a filter; undefined for a view's filter, and for an unknown one. */
  async function homeOf(scope: AccessScope, filterId: string): Promise<FilterHome | undefined> {
    if ((await filterOfView(schema, scope, filterId)) !== undefined) return undefined;
    for (const home of homes.list()) if ((await home.projectOf(filterId)) === scope.projectId) return home;
    return undefined;
  }

  async function readFilterById({ scope, params }: Pick<RouteRequest, 'scope' | 'params'>) {
    const id = params.filterId ?? '';
    const kept = await (await homeOf(scope, id))?.read(scope, id);
    if (kept !== undefined) return kept;
    const { table, filter } = await findFilter(schema, scope, id);
    return toFilterEntity(filter, table);
  }

  return [
    defineRoute({
      method: 'GET',
      path: `${meta}/views/:viewId/filters`,
      permission: 'filterList',
      object: ofView,
      summary: 'List the filters of a view, groups with theirs',
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
    defineRoute<Record<string, string>, Record<string, unknown>, FilterTreeBody>({
      method: 'PUT',
      path: `${meta}/views/:viewId/filters`,
      permission: 'filterUpdate',
      object: ofView,
      summary: 'Replace all filters of a view by a tree of filters',
      schemas: { body: filterTreeSchema },
      handle: async (request) => {
        const { table, view } = await findView(schema, request.scope, request.params.viewId ?? '');
        const { list, replaces } = request.body;
        const saved = await store.setFilters(
          request.scope,
          view.id,
          list.map(readFilter),
          replaces?.map(readFilter),
        );
        return saved.map((filter) => toFilterEntity(filter, table));
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      permission: 'filterGet',
      object: ofFilter,
      summary: 'Read a filter',
      handle: (request) => readFilterById(request),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/children`,
      permission: 'filterChildrenRead',
      object: ofFilter,
      summary: 'List the filters of a group',
      handle: async (request) => (await readFilterById(request)).children ?? [],
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, FilterBody>({
      method: 'PATCH',
      path,
      permission: 'filterUpdate',
      object: ofFilter,
      summary: 'Change a filter',
      schemas: { body: filterBodySchema },
      handle: async (request) => {
        const { scope, params, body } = request;
        const id = params.filterId ?? '';
        const home = await homeOf(scope, id);
        await (home === undefined
          ? store.updateFilter(scope, id, readFilter(body))
          : home.update(scope, id, readFilter(body)));
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
        const { scope, params } = request;
        const id = params.filterId ?? '';
        const home = await homeOf(scope, id);
        await (home === undefined ? store.deleteFilter(scope, id) : home.remove(scope, id));
        return empty();
      },
    }),
  ];
}
