import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RouteDefinition } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { createObjects, createTask, pathWith, unissued, type Ids } from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

const projects = '/api/v1/db/meta/projects';

const hook = {
  title: 'Tell',
  operation: 'insert',
  notification: { type: 'URL', payload: { path: 'https://example.com/told' } },
};

/**
 * What answers a token that may only read: small values of its owner, its owner's own tasks, and webhooks that are not there, as in the v1
 * API. No row and no schema is changed by them.
 */
const writesOfReaders = [
  'DELETE /api/v1/db/meta/hooks/:hookId',
  'PATCH /api/v1/db/meta/hooks/:hookId',
  'POST /api/v1/plugins/client-errors',
  'POST /api/v1/plugins/notification-center/notices/read',
  'POST /api/v1/tasks/:taskId/cancel',
  'PUT /api/v1/user-storage',
];

describe('the limits of API tokens, on every route', () => {
  let server: TestServer;
  let owner: TestClient;
  let ids: Ids;
  let routes: readonly RouteDefinition[];
  let other = '';

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp('owner@example.com');
    const objects = await createObjects(owner);
    ids = { ...objects, task: await createTask(server, objects.project) };
    other = (await owner.post<{ id: string }>(projects, { title: 'Other' })).body.id;
    routes = servedRoutes(server).filter(({ permission }) => permission !== 'public');
  });
  afterAll(() => server?.dispose());

  async function token(project: string, permissions: string) {
    const { body } = await owner.post<{ id: string; token: string }>(`${projects}/${project}/api-tokens`, {
      permissions,
    });
    const by = server.client.with({ headers: { 'xc-token': body.token } });
    expect((await by.get(`${projects}/${project}/tables`)).status).toBe(200);
    return { by, id: body.id };
  }
  const asked = (by: TestClient, { method }: { readonly method: string }, path: string) =>
    by.send(method, path, method === 'GET' ? undefined : {});
  const nameOf = ({ method, path }: RouteDefinition) => `${method} ${path}`;

  test('a token of one project finds nothing of another one, though its owner does', async () => {
    const { by } = await token(other, 'creator');
    let compared = 0;
    for (const route of routes) {
      const [real, none] = [pathWith(route, ids), pathWith(route, unissued)];
      if (real === undefined || none === undefined) continue;
      compared += 1;
      const [{ status, body }, never] = [await asked(by, route, real), await asked(by, route, none)];
      const name = nameOf(route);
      expect({ name, status, body }).toEqual({ name, status: never.status, body: never.body });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    expect(compared).toBeGreaterThan(40);
  });

  test('a token that may only read changes nothing', async () => {
    const { by } = await token(ids.project, 'viewer');
    const done: string[] = [];
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      const path = pathWith(route, ids) ?? route.path.replace(/:(\w+)/g, '1');
      const { status } = await asked(by, route, path);
      expect({ name: nameOf(route), isAnswered: status < 500 }).toEqual({
        name: nameOf(route),
        isAnswered: true,
      });
      if (status < 400) done.push(nameOf(route));
    }
    expect(done.toSorted()).toEqual(writesOfReaders);
    const made = await owner.post<{ id: string }>(`/api/v1/db/meta/tables/${ids.table}/hooks`, hook);
    expect(made.status).toBe(200);
    const place = `/api/v1/db/meta/hooks/${made.body.id}`;
    const viewer = await token(ids.project, 'viewer');
    for (const path of [place, `${place}/deliveries`, `${place}/secret`])
      for (const method of ['GET', 'PATCH', 'DELETE', 'POST'])
        expect((await asked(viewer.by, { method }, path)).status).toBeGreaterThanOrEqual(400);
    const { list } = (await owner.get<{ list: object[] }>(`/api/v1/db/meta/tables/${ids.table}/hooks`)).body;
    expect(list).toHaveLength(1);
    const table = await owner.get<TableEntity>(`/api/v1/db/meta/tables/${ids.table}`);
    expect(table.body).toMatchObject({ title: 'Salaries', views: [{ id: ids.view }] });
    const rows = await owner.get('/api/v1/db/data/noco/Secret/Salaries');
    expect(rows.body).toMatchObject({ list: [{ Name: 'Ada' }] });
  });

  test('a token that was deleted is nobody', async () => {
    const { by, id } = await token(ids.project, 'creator');
    expect((await owner.delete(`${projects}/${ids.project}/api-tokens/${id}`)).body).toBe(1);
    for (const route of routes) {
      const path = pathWith(route, ids) ?? route.path.replace(/:(\w+)/g, '1');
      const { status } = await asked(by, route, path);
      expect({ name: nameOf(route), status }).toEqual({ name: nameOf(route), status: 401 });
    }
  });
});
