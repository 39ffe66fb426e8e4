import { AccessServiceToken, TasksToken, type RouteDefinition } from '@trellis/sdk/server';
import type { TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';

/** Ids of one object of each kind that routes name. */
export interface Ids {
  readonly project: string;
  readonly base: string;
  readonly table: string;
  readonly column: string;
  readonly view: string;
  readonly viewColumn: string;
  readonly sort: string;
  readonly filter: string;
  readonly task: string;
}

/** Ids of the right form that were never given to anything. */
export const unissued: Ids = {
  project: 'p_00000000000000',
  base: 'ds_00000000000000',
  table: 'md_00000000000000',
  column: 'cl_00000000000000',
  view: 'vw_00000000000000',
  viewColumn: 'nc_00000000000000',
  sort: 'so_00000000000000',
  filter: 'fi_00000000000000',
  task: 'tk_00000000000000',
};

/** A project with a table, and what a view of it has. */
export async function createObjects(client: TestClient, title = 'Secret'): Promise<Omit<Ids, 'task'>> {
  const project = await client.post<{ id: string; bases: readonly { id: string }[] }>(
    '/api/v1/db/meta/projects',
    { title },
  );
  const table = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Salaries',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  const column = table.body.columns?.[1]?.id ?? '';
  const view = table.body.views?.[0]?.id ?? '';
  const path = `/api/v1/db/meta/views/${view}`;
  const columns = await client.get<readonly ViewColumnEntity[]>(`${path}/columns`);
  const sort = await client.post<{ id: string }>(`${path}/sorts`, { fk_column_id: column, direction: 'asc' });
  const filter = await client.post<{ id: string }>(`${path}/filters`, {
    fk_column_id: column,
    comparison_op: 'eq',
    value: 'x',
  });
  await client.post(`/api/v1/db/data/noco/${project.body.id}/Salaries`, { Name: 'Ada' });
  return {
    project: project.body.id,
    base: project.body.bases[0]?.id ?? '',
    table: table.body.id,
    column,
    view,
    viewColumn: columns.body[0]?.id ?? '',
    sort: sort.body.id,
    filter: filter.body.id,
  };
}

/** A task of a kind that does nothing. */
export async function createTask({ host }: TestServer, projectId: string): Promise<string> {
  const run = () => Promise.resolve();
  host.registries.get('taskKinds').register({ id: 'idle', permission: 'tableCreate', run }, 'test');
  const scope = host.container.get(AccessServiceToken).systemScope(projectId, 'test');
  const task = await host.container
    .get(TasksToken)
    .start(scope, { kind: 'idle', title: 'Nothing', payload: {} });
  return task.id;
}

/** The path of a route with ids in its places; `undefined` for one that names no object. */
export function pathWith(route: RouteDefinition, ids: Ids): string | undefined {
  const { object } = route;
  if (object === undefined || object.kind === 'none') return undefined;
  const values: Record<string, string> =
    object.kind === 'data'
      ? {
          [object.project]: ids.project,
          ...(object.table !== undefined && { [object.table]: ids.table }),
          ...(object.view !== undefined && { [object.view]: ids.view }),
        }
      : { [object.param]: ids[object.kind] };
  return route.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '1');
}
