import { request } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { servedRoutes } from '../served-routes.ts';

/** What later clients call, and what programs call without one: none of it is in the client whose calls the other suites drive. */
const served = [
  'GET /api/v1/aggregated-meta-info',
  'POST /api/v1/url_to_config',
  'GET /api/v1/feedback_form',
  'POST /referral',
  'GET /ui_ability',
  'POST /auth/google/genTokenByCode',
  'POST /auth/github/genTokenByCode',
  'POST /auth/refresh-token',
  'POST /auth/token/refresh',
  'GET /auth/user/me',
  'GET /api/v1/db/auth/user/me',
  'POST /auth/user/signin',
  'POST /auth/user/signup',
  'POST /auth/password/forgot',
  'POST /auth/password/change',
  'POST /auth/password/reset/x',
  'POST /auth/token/validate/x',
  'POST /auth/email/validate/x',
  'GET /api/v1/db/data/noco/p/t/count',
  'GET /api/v1/db/data/noco/p/t/group/c',
  'GET /api/v1/db/data/noco/p/t/views/v/group/c',
  'GET /api/v1/db/data/noco/p/t/export/excel',
  'GET /api/v1/db/data/noco/p/t/views/v/export/excel',
  'GET /api/v1/db/public/shared-view/u/group/c',
  'GET /api/v1/db/public/shared-view/u/rows/export/excel',
  'POST /api/v1/db/meta/tables/t/kanbans',
  'GET /api/v1/db/meta/kanbans/v',
  'PATCH /api/v1/db/meta/kanbans/v',
  'GET /api/v1/db/meta/projects/p/swagger.json',
  'GET /api/v1/db/meta/projects/p/swagger',
  'GET /api/v1/db/meta/projects/p/redoc',
  'GET /api/v1/db/meta/p/tables',
  'POST /api/v1/db/meta/p/tables',
  'GET /api/v1/db/meta/api-tokens',
  'POST /api/v1/db/meta/api-tokens',
  'DELETE /api/v1/db/meta/api-tokens/1',
  'GET /download/a/b.png',
] as const;

/** What the former server answers, or its oldest pages call, and this one does not; each with its reason. */
const absent: Readonly<Record<string, string>> = {
  'GET /api/v1/db/data/noco/p/t/1/bt/c': 'no such call in the contract either: the row holds its parent',
  'POST /api/v1/db/meta/projects/p/tables/t': 'in no client, and nobody knows what it did',
  'POST /api/v1/db/meta/import/airtable': 'an import from another product is no call of the contract',
  'GET /api/v1/db/meta/projects/p/syncs': 'as above',
  'GET /auth/password/reset/x': 'the page is a route of the browser, to which mails lead',
  'GET /email/verify/x': 'as above',
  'GET /nc/p/api/v1/t': 'the paths before version 1 come with the other interfaces',
  'POST /nc/p/v1/graphql': 'as above',
  'POST /dashboard?q=sqlOp_tableList': 'operations of the dashboard come with the other interfaces',
};

function matches(call: string, method: string, path: string): boolean {
  const [asked, address = ''] = call.split(' ');
  const wanted = new URL(address, 'http://server').pathname.split('/');
  const parts = path.split('/');
  if (asked !== method) return false;
  const isRest = parts.at(-1) === '*';
  if (isRest ? wanted.length < parts.length : wanted.length !== parts.length) return false;
  return parts.every((part, at) => part === '*' || part.startsWith(':') || part === wanted[at]);
}

describe('calls that the published client does not have', () => {
  let server: TestServer;
  let boss: TestClient;
  let bob: TestClient;

  beforeAll(async () => {
    server = await createTestServer();
    boss = await server.signUp('boss@example.com');
    bob = await server.signUp('bob@example.com');
  });
  afterAll(() => server?.dispose());

  test('each is answered by a route, but for those that are named with a reason', () => {
    const routes = servedRoutes(server);
    const has = (call: string) =>
      routes.some(({ method, path, aliases = [] }) =>
        [path, ...aliases].some((one) => matches(call, method, one)),
      );
    expect(served.filter((call) => !has(call))).toEqual([]);
    expect(Object.keys(absent).filter(has)).toEqual([]);
  });

  test('a super admin reads how much the server holds, in numbers alone', async () => {
    const path = '/api/v1/aggregated-meta-info';
    const project = (await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Secret plans' }))
      .body;
    const table = await boss.post<{ id: string; views: { id: string }[]; columns: { id: string }[] }>(
      `/api/v1/db/meta/projects/${project.id}/tables`,
      {
        table_name: 'city',
        title: 'City',
        columns: [
          { column_name: 'id', title: 'Id', uidt: 'ID' },
          { column_name: 'name', title: 'Name', uidt: 'SingleLineText' },
        ],
      },
    );
    const [view] = table.body.views;
    const column = table.body.columns[1]?.id;
    const meta = `/api/v1/db/meta`;
    await boss.post(`${meta}/tables/${table.body.id}/forms`, { title: 'Sign up' });
    await boss.post(`${meta}/views/${view?.id}/sorts`, { fk_column_id: column, direction: 'asc' });
    await boss.post(`${meta}/views/${view?.id}/filters`, {
      is_group: true,
      children: [
        { fk_column_id: column, comparison_op: 'eq', value: 'a' },
        { fk_column_id: column, comparison_op: 'eq', value: 'b' },
      ],
    });
    await boss.post(`${meta}/views/${view?.id}/share`, {});
    await boss.post(`${meta}/projects/${project.id}/shared`, { roles: 'viewer' });
    await boss.post(`${meta}/tables/${table.body.id}/hooks`, {
      title: 'Tell',
      event: 'after',
      operation: 'insert',
      notification: { type: 'URL', payload: { method: 'POST', path: 'https://example.com/x' } },
    });
    await boss.post(`/api/v1/db/data/bulk/noco/${project.id}/City`, [{ Name: 'Oslo' }, { Name: 'Bern' }]);
    await bob.post('/api/v1/db/meta/projects', { title: 'Own' });

    const { status, body } = await boss.get<{ projects: readonly object[] }>(path);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { projectCount: 1, userCount: 2, sharedBaseCount: 1 },
    });
    expect(body.projects).toEqual([
      {
        tableCount: { table: 1, view: 0 },
        external: false,
        viewCount: {
          formCount: 1,
          gridCount: 1,
          galleryCount: 0,
          kanbanCount: 0,
          total: 2,
          sharedFormCount: 0,
          sharedGridCount: 1,
          sharedGalleryCount: 0,
          sharedKanbanCount: 0,
          sharedTotal: 1,
          sharedLockedCount: 0,
        },
        webhookCount: 1,
        filterCount: 2,
        sortCount: 1,
        rowCount: [{ TotalRecords: 2 }],
        userCount: 1,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('Secret plans');
    expect(await bob.get(path)).toMatchObject({ status: 403 });
    expect(await server.client.get(path)).toMatchObject({ status: 401 });
  });

  test('what clients say of whence people come is taken and dropped', async () => {
    expect(await server.client.post('/referral', { referral: 'a friend' })).toMatchObject({
      status: 200,
      body: {},
    });
  });

  /** A call whose `Host` is the caller's choice. */
  async function infoAt(host: string, headers: Readonly<Record<string, string>> = {}) {
    const call = request(`${server.url}/api/v1/db/meta/nocodb/info`, {
      headers: { host, 'xc-auth': boss.token ?? '', ...headers },
    });
    call.end();
    const [answer] = (await once(call, 'response')) as [AsyncIterable<Uint8Array>];
    let text = '';
    for await (const part of answer) text += Buffer.from(part).toString();
    return (JSON.parse(text) as { readonly ncSiteUrl?: string | null }).ncSiteUrl;
  }

  test('a number that a plugin cannot count is left out of the summary', async () => {
    const figures = server.host.registries.get('serverFigures');
    const broken = figures.register(
      { id: 'brokenCount', count: () => Promise.reject(new Error('no')) },
      'test',
    );
    const answer = await boss.get<{ projects: readonly object[] }>('/api/v1/aggregated-meta-info');
    void broken.dispose();
    expect(answer.status).toBe(200);
    expect(answer.body.projects[0]).not.toHaveProperty('brokenCount');
  });

  test('the address of the site is that of the request where none is configured', async () => {
    expect(await infoAt('data.example.com:8443')).toBe('http://data.example.com:8443');
    expect(await infoAt('[::1]:8080')).toBe('http://[::1]:8080');
    // A proxy that nobody named is not believed, and what is no host is none.
    expect(await infoAt('data.example.com', { 'x-forwarded-proto': 'https' })).toBe(
      'http://data.example.com',
    );
    expect(await infoAt('evil.example/path?')).toBeNull();
    expect(await infoAt('a@evil.example')).toBeNull();
    const { body } = await server.client.get('/api/v1/db/meta/nocodb/info');
    expect(body).not.toHaveProperty('ncSiteUrl');
  });
});

describe('the address of the site', () => {
  test('is the configured one, whatever the request says; a proxy is believed where it is trusted', async () => {
    for (const [env, expected] of [
      [{ TRELLIS_SITE_URL: 'https://data.example.com' }, 'https://data.example.com'],
      [{ TRELLIS_TRUST_PROXY: '1' }, 'https://shown.example'],
    ] as const) {
      const server = await createTestServer({ env });
      try {
        const { token = '' } = await server.signUp('boss@example.com');
        const answer = await fetch(`${server.url}/api/v1/db/meta/nocodb/info`, {
          headers: { 'xc-auth': token, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shown.example' },
        });
        expect(await answer.json()).toMatchObject({ ncSiteUrl: expected });
      } finally {
        await server.dispose();
      }
    }
  });
});
