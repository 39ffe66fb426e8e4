import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RouteDefinition } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { createIds, doNothingForNobody, pathWith, unissued, type Ids } from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

const projects = '/api/v1/db/meta/projects';

const hook = {
  title: 'Tell',
  operation: 'insert',
  notification: { type: 'URL', payload: { path: 'https://example.com/told' } },
};

/** What answers a token that may only read: its owner's own tasks. No row and no schema is changed by them. */
const writesOfReaders = ['POST /api/v1/plugins/client-errors', 'POST /api/v1/tasks/:taskId/cancel'];

describe('the limits of API tokens, on every route', () => {
  let server: TestServer;
  let owner: TestClient;
  let ids: Ids;
  let routes: readonly RouteDefinition[];
  let other = '';

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp('owner@example.com');
    ids = await createIds(server, owner);
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
      if (doNothingForNobody.includes(name)) continue;
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
    const wishes = '/api/v1/plugins/notification-center/wishes';
    expect(await by.put(wishes, { kind: 'mention', page: false, mail: 'off' })).toMatchObject({
      status: 403,
    });
    const made = await owner.post<{ id: string }>(`/api/v1/db/meta/tables/${ids.table}/hooks`, hook);
    expect(made.status).toBe(200);
    const place = `/api/v1/db/meta/hooks/${made.body.id}`;
    const viewer = await token(ids.project, 'viewer');
    for (const path of [place, `${place}/deliveries`, `${place}/secret`])
      for (const method of ['GET', 'PATCH', 'DELETE', 'POST'])
        expect((await asked(viewer.by, { method }, path)).status).toBeGreaterThanOrEqual(400);
    const { list } = (await owner.get<{ list: object[] }>(`/api/v1/db/meta/tables/${ids.table}/hooks`)).body;
    expect(list).toHaveLength(2);
    const table = await owner.get<TableEntity>(`/api/v1/db/meta/tables/${ids.table}`);
    expect(table.body).toMatchObject({ title: 'Salaries', views: [{ id: ids.view }] });
    const rows = await owner.get('/api/v1/db/data/noco/Secret/Salaries');
    expect(rows.body).toMatchObject({ list: [{ Name: 'Ada' }] });
  });

  test('an answer under a key is given to its own caller alone, while the rights are the same', async () => {
    const made = await owner.post<{ id: string }>(`/api/v1/db/meta/tables/${ids.table}/hooks`, hook);
    const path = `/api/v1/db/meta/hooks/${made.body.id}/secret`;
    const headers = { 'idempotency-key': 'secret-1' };
    const first = await owner.with({ headers }).post<{ secret: string }>(path, {});
    expect(first).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^whsec_/) } });
    const again = await owner.with({ headers }).post(path, {});
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    const viewer = await token(ids.project, 'viewer');
    expect(await viewer.by.with({ headers }).post(path, {})).toMatchObject({ status: 403 });
    const maker = await server.signUp('maker@example.com');
    const users = `${projects}/${ids.project}/users`;
    await owner.post(users, { email: 'maker@example.com', roles: 'creator' });
    const makers = maker.with({ headers });
    const made2 = await makers.post<{ secret: string }>(path, {});
    expect(made2).toMatchObject({ status: 200 });
    const me = await maker.get<{ id: string }>('/api/v1/auth/user/me');
    expect((await owner.delete(`${users}/${me.body.id}`)).status).toBe(200);
    expect(await makers.post(path, {})).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_DONE' } });
    const now = await owner.get<{ secret: string }>(path);
    expect(now.body.secret).toBe(made2.body.secret);
  });

  test('a token neither reads nor writes the small values of its owner', async () => {
    const [by, reader] = [(await token(other, 'creator')).by, (await token(ids.project, 'viewer')).by];
    const mine = { 'probe.kept': 'mine' };
    expect((await owner.put('/api/v1/user-storage', mine)).status).toBe(200);
    const refused = { status: 403, body: { code: 'STORAGE_SESSION' } };
    expect(await by.put('/api/v1/user-storage', { 'probe.kept': 'other' })).toMatchObject(refused);
    expect(await reader.get('/api/v1/user-storage')).toMatchObject(refused);
    expect((await owner.get('/api/v1/user-storage')).body).toMatchObject(mine);
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
