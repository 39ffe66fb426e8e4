import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, type RouteDefinition } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { callWith, createIds, doNothingForNobody, unissued, type Ids } from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

/** Every route that answers without credentials. A new one has to be added here by hand, and looked at. */
const publicRoutes = [
  'GET /api/v1/auth/pictures/:token',
  'GET /api/v1/auth/providers',
  'GET /api/v1/auth/providers/:provider/callback',
  'GET /api/v1/auth/providers/outcome',
  'GET /api/v1/auth/user/me',
  'GET /api/v1/auth/user/signup',
  'GET /api/v1/auth/user/step',
  'GET /api/v1/db/meta/nocodb/info',
  'GET /api/v1/db/meta/projects/:projectId/redoc',
  'GET /api/v1/db/meta/projects/:projectId/swagger',
  'GET /api/v1/db/public/form-pictures/:token',
  'GET /api/v1/db/public/shared-base/:uuid/meta',
  'GET /api/v1/db/public/shared-view/:uuid/group/:column',
  'GET /api/v1/db/public/shared-view/:uuid/meta',
  'GET /api/v1/db/public/shared-view/:uuid/nested/:column',
  'GET /api/v1/db/public/shared-view/:uuid/rows',
  'GET /api/v1/db/public/shared-view/:uuid/rows/:rowId/:kind/:column',
  'GET /api/v1/db/public/shared-view/:uuid/rows/aggregate',
  'GET /api/v1/db/public/shared-view/:uuid/rows/export/:type',
  'GET /api/v1/db/public/shared-view/:uuid/rows/groups',
  'GET /api/v1/feedback_form',
  'GET /api/v1/health',
  'GET /api/v1/plugins/automation-addresses/calls/:address',
  'GET /api/v1/plugins/web',
  'GET /api/v1/version',
  'GET /download/*',
  'GET /ui_ability',
  'PATCH /api/v1/plugins/automation-addresses/calls/:address',
  'POST /api/v1/auth/email/validate/:token',
  'POST /api/v1/auth/invitation/read',
  'POST /api/v1/auth/password/forgot',
  'POST /api/v1/auth/password/reset/:token',
  'POST /api/v1/auth/providers/:provider/start',
  'POST /api/v1/auth/token/refresh',
  'POST /api/v1/auth/token/validate/:token',
  'POST /api/v1/auth/user/signin',
  'POST /api/v1/auth/user/signout',
  'POST /api/v1/auth/user/signup',
  'POST /api/v1/auth/user/step',
  'POST /api/v1/db/public/shared-view/:uuid/files/:column',
  'POST /api/v1/db/public/shared-view/:uuid/rows',
  'POST /api/v1/plugins/automation-addresses/calls/:address',
  'POST /auth/:provider/genTokenByCode',
  'POST /referral',
  'PUT /api/v1/plugins/automation-addresses/calls/:address',
];

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
    ids = await createIds(server, owner);
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
      const [real, none] = [callWith(route, ids), callWith(route, unissued)];
      if (real === undefined || none === undefined) continue;
      compared += 1;
      const answers = [
        await stranger.send(route.method, real.path, real.body),
        await stranger.send(route.method, none.path, none.body),
      ];
      const [of, never] = answers.map(({ status, body: said }) => ({ status, said }));
      expect({ route: `${route.method} ${route.path}`, ...of }).toEqual({
        route: `${route.method} ${route.path}`,
        ...never,
      });
      if (doNothingForNobody.includes(`${route.method} ${route.path}`)) continue;
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
