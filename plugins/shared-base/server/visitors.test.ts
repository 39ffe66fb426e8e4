import { randomUUID } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import { AccessServiceToken, defineServerPlugin, RateLimiterToken } from '@trellis/sdk/server';
import { askUntil, createTestServer, testPlugin } from '@trellis/sdk/testing/server';

test('an address that reads shared projects without end is asked to wait, and members behind it are not', async () => {
  const server = await createTestServer();
  // However long the machine takes, it is one minute in which calls are counted.
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  try {
    const owner = await server.signUp('owner@example.com');
    const { id } = (await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' })).body;
    const meta = `/api/v1/db/meta/projects/${id}`;
    const { uuid } = (await owner.post<{ uuid: string }>(`${meta}/shared`, { roles: 'viewer' })).body;
    const visitor = server.client.with({ headers: { 'xc-shared-base-id': uuid } });
    const limiter = server.host.container.get(RateLimiterToken);
    // What other servers have counted: in bundles of a hundred calls.
    for (let bundle = 1; bundle < 120; bundle += 1)
      await limiter.consume({ name: 'visits', limit: 120, windowSeconds: 60 }, { address: '127.0.0.1' });
    for (let call = 0; call < 100; call += 1) expect((await visitor.get(`${meta}/tables`)).status).toBe(200);
    const refused = await visitor.get(`${meta}/tables`);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await owner.get(`${meta}/tables`)).status).toBe(200);
  } finally {
    jest.restoreAllMocks();
    await server.dispose();
  }
});

test('a row that an editor of a shared project sends again, because the answer was lost, is added once', async () => {
  const server = await createTestServer();
  try {
    const owner = await server.signUp('owner@example.com');
    const { id } = (await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' })).body;
    const meta = `/api/v1/db/meta/projects/${id}`;
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    await owner.post(`${meta}/tables`, { title: 'City', columns });
    const { uuid } = (await owner.post<{ uuid: string }>(`${meta}/shared`, { roles: 'editor' })).body;
    const rows = '/api/v1/db/data/noco/Atlas/City';
    const add = (key: string, body = { Name: 'Oslo' }) =>
      server.client
        .with({ headers: { 'xc-shared-base-id': uuid, 'idempotency-key': key } })
        .post<{ Id: number }>(rows, body);
    const key = randomUUID();
    const [first, again] = [await add(key), await add(key)];
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await add(key, { Name: 'Bergen' })).status).toBe(422);
    // One that others may come upon by chance is none.
    for (let call = 0; call < 2; call += 1) expect((await add('1')).status).toBe(200);
    const { pageInfo } = (await owner.get<{ pageInfo: { totalRows: number } }>(rows)).body;
    expect(pageInfo.totalRows).toBe(3);
  } finally {
    await server.dispose();
  }
});

test('a visitor of a project that is being deleted may do nothing, however late the link goes', async () => {
  let uuid = '';
  const seen: unknown[] = [];
  const asks = defineServerPlugin({
    setup(ctx) {
      // Before the plugin of the links takes this one away.
      ctx.tap(
        'projects.didDelete',
        async ({ projectId }) => {
          const principal = { kind: 'sharedBase', id: '', email: '', accountRoles: [] } as const;
          const access = ctx.get(AccessServiceToken);
          const visitor = { ...principal, credentialId: uuid, scopeRules: ['shared-base'] };
          const ask = async () => (await access.scopeFor(visitor, projectId, 'test')).may('tableList');
          seen.push(await ask().catch(String));
        },
        { before: 'shared-base' },
      );
    },
  });
  const server = await createTestServer({ plugins: [testPlugin('asks-late', asks)] });
  try {
    const owner = await server.signUp('owner@example.com');
    const { id } = (await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' })).body;
    const meta = `/api/v1/db/meta/projects/${id}`;
    uuid = (await owner.post<{ uuid: string }>(`${meta}/shared`, { roles: 'viewer' })).body.uuid;
    expect((await owner.delete(meta)).status).toBe(200);
    await askUntil(
      () => Promise.resolve(seen.length),
      (count) => count > 0,
    );
    expect(seen).toEqual([false]);
  } finally {
    await server.dispose();
  }
});

test('a project that was closed is opened again by naming a role, and by no other change', async () => {
  const server = await createTestServer();
  try {
    const owner = await server.signUp('owner@example.com');
    const { id } = (await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' })).body;
    const shared = `/api/v1/db/meta/projects/${id}/shared`;
    await owner.post(shared, { roles: 'viewer' });
    await owner.delete(shared);
    for (const body of [{}, { embed_sites: [] }, { password: null }])
      expect(await owner.patch(shared, body)).toMatchObject({
        status: 404,
        body: { code: 'SHARED_BASE_CLOSED' },
      });
    expect((await owner.get(shared)).body).toMatchObject({ uuid: null });
    expect(await owner.patch(shared, { roles: 'editor' })).toMatchObject({
      status: 200,
      body: { uuid: expect.any(String), roles: 'editor' },
    });
    expect(await owner.patch(shared, {})).toMatchObject({ status: 200, body: { roles: 'editor' } });
  } finally {
    await server.dispose();
  }
});
