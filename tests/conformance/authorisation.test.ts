import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, TasksToken, type RouteDefinition } from '@trellis/sdk/server';
import type { TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { servedRoutes } from './served-routes.ts';

/** Every route that answers without credentials. A new one has to be added here by hand, and looked at. */
const publicRoutes = [
  'GET /api/v1/auth/providers',
  'GET /api/v1/auth/providers/:provider/callback',
  'GET /api/v1/auth/providers/:provider/start',
  'GET /api/v1/auth/user/me',
  'GET /api/v1/auth/user/signup',
  'GET /api/v1/db/meta/nocodb/info',
  'GET /api/v1/db/meta/projects/:projectId/redoc',
  'GET /api/v1/db/meta/projects/:projectId/swagger',
  'GET /api/v1/db/public/shared-base/:uuid/meta',
  'GET /api/v1/feedback_form',
  'GET /api/v1/health',
  'GET /api/v1/plugins/web',
  'GET /api/v1/version',
  'GET /download/*',
  'GET /ui_ability',
  'POST /api/v1/auth/email/validate/:token',
  'POST /api/v1/auth/invitation/read',
  'POST /api/v1/auth/password/forgot',
  'POST /api/v1/auth/password/reset/:token',
  'POST /api/v1/auth/token/refresh',
  'POST /api/v1/auth/token/validate/:token',
  'POST /api/v1/auth/user/signin',
  'POST /api/v1/auth/user/signout',
  'POST /api/v1/auth/user/signup',
];

interface Ids {
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
const unissued: Ids = {
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

async function createObjects(client: TestClient): Promise<Omit<Ids, 'task'>> {
  const project = await client.post<{ id: string; bases: readonly { id: string }[] }>(
    '/api/v1/db/meta/projects',
    {
      title: 'Secret',
    },
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
  await client.post('/api/v1/db/data/noco/Secret/Salaries', { Name: 'Ada' });
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
async function createTask({ host }: TestServer, projectId: string): Promise<string> {
  const run = () => Promise.resolve();
  host.registries.get('taskKinds').register({ id: 'idle', permission: 'tableCreate', run }, 'test');
  const scope = host.container.get(AccessServiceToken).systemScope(projectId, 'test');
  const task = await host.container
    .get(TasksToken)
    .start(scope, { kind: 'idle', title: 'Nothing', payload: {} });
  return task.id;
}

/** The path of a route with ids in its places; `undefined` for one that names no object. */
function pathWith(route: RouteDefinition, ids: Ids): string | undefined {
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

describe('the authorisation of every route', () => {
  let server: TestServer;
  let owner: TestClient;
  let stranger: TestClient;
  let ids: Ids;
  let routes: readonly RouteDefinition[];

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp('owner@example.com');
    stranger = await server.signUp('stranger@example.com');
    const objects = await createObjects(owner);
    ids = { ...objects, task: await createTask(server, objects.project) };
    routes = servedRoutes(server);
  });

  afterAll(async () => {
    await server?.dispose();
  });

  test('only the routes on the list are public', () => {
    const open = routes.filter((route) => route.permission === 'public');
    expect(open.map((route) => `${route.method} ${route.path}`).toSorted()).toEqual(publicRoutes);
  });

  test('every other route answers 401 without credentials, whatever stands in the query', async () => {
    for (const route of routes.filter((of) => of.permission !== 'public')) {
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const full = path.replace(/:(\w+)/g, '1');
        const body = route.method === 'GET' ? undefined : {};
        const answer = await server.client.send(route.method, `${full}?public=/api/v1/version`, body);
        expect({ route: `${route.method} ${path}`, status: answer.status, body: answer.body }).toMatchObject({
          route: `${route.method} ${path}`,
          status: 401,
          body: { msg: 'Unauthorized access' },
        });
      }
    }
  });

  test('a stranger cannot tell an object of somebody else from one that never was', async () => {
    let compared = 0;
    for (const route of routes) {
      const [real, none] = [pathWith(route, ids), pathWith(route, unissued)];
      if (real === undefined || none === undefined) continue;
      compared += 1;
      const body = route.method === 'GET' ? undefined : {};
      const answers = [
        await stranger.send(route.method, real, body),
        await stranger.send(route.method, none, body),
      ];
      const [of, never] = answers.map(({ status, body: said }) => ({ status, said }));
      expect({ route: `${route.method} ${route.path}`, ...of }).toEqual({
        route: `${route.method} ${route.path}`,
        ...never,
      });
      expect(of?.status).toBeGreaterThanOrEqual(400);
      expect(of?.status).toBeLessThan(500);
    }
    expect(compared).toBeGreaterThan(40);
  });

  test('after all that the owner finds everything as it was', async () => {
    const rows = await owner.get('/api/v1/db/data/noco/Secret/Salaries');
    expect(rows.body).toMatchObject({ list: [{ Name: 'Ada' }] });
    const table = await owner.get<TableEntity>(`/api/v1/db/meta/tables/${ids.table}`);
    expect(table.body).toMatchObject({ title: 'Salaries', views: [{ id: ids.view }] });
  });

  test('ids that are paths, prototypes or SQL are ids that never were', async () => {
    const hostile = ['../projects', '__proto__', 'constructor', "md_1' or '1'='1", '%2e%2e%2f', 'md_', ''];
    for (const id of hostile) {
      const path = `/api/v1/db/meta/tables/${encodeURIComponent(id)}`;
      const answer = await owner.get<{ readonly msg?: string }>(path);
      expect({ id, status: answer.status }).toEqual({ id, status: expect.any(Number) });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body.msg ?? '').not.toMatch(/select|sqlite|node_modules|\/home|at .*:\d+/i);
    }
  });

  test('rights end with the next request after a membership ends', async () => {
    const access = server.host.container.get(AccessServiceToken);
    const me = await stranger.get<{ id: string }>('/api/v1/auth/user/me');
    const rows = '/api/v1/db/data/noco/Secret/Salaries';
    await access.grant(ids.project, me.body.id, 'viewer');
    expect(await stranger.get(rows)).toMatchObject({ status: 200 });
    expect(await stranger.post(rows, { Name: 'Eve' })).toMatchObject({
      status: 403,
      body: { msg: 'dataInsert - viewer : Not allowed' },
    });
    expect(await stranger.delete(`/api/v1/db/meta/tables/${ids.table}`)).toMatchObject({ status: 403 });
    await access.revoke(ids.project, me.body.id);
    expect(await stranger.get(rows)).toMatchObject({ status: 403 });
  });
});
