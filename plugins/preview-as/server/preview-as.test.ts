import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, type CredentialResolver } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

describe('looking at a project as somebody else', () => {
  let server: TestServer;
  let ann: TestClient;
  let viewer: TestClient;
  let path = '';
  const rows = '/api/v1/db/data/noco/Atlas/City';

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    viewer = await server.signUp('viewer@example.com');
    const { body } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
    path = `/api/v1/db/meta/projects/${body.id}`;
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    await ann.post<TableEntity>(`${path}/tables`, { title: 'City', columns });
    const me = await viewer.get<{ id: string }>('/api/v1/auth/user/me');
    await server.host.container.get(AccessServiceToken).grant(body.id, me.body.id, 'viewer');
  });
  afterAll(() => server?.dispose());

  const as = (client: TestClient, role: string) => client.with({ headers: { 'xc-preview': role } });

  test('has the rights of that role alone, and the server says so', async () => {
    const seen = await as(ann, 'viewer').get<{ permissions: string[] }>(path);
    expect(seen.body).toMatchObject({ role: 'viewer' });
    const real = await viewer.get<{ permissions: string[] }>(path);
    expect(seen.body.permissions).toEqual(real.body.permissions);
    expect((await as(ann, 'viewer').get(rows)).status).toBe(200);
    expect(await as(ann, 'viewer').post(rows, { Name: 'Oslo' })).toMatchObject({ status: 403 });
    expect((await as(ann, 'editor').post(rows, { Name: 'Oslo' })).status).toBe(200);
    expect((await as(ann, 'editor').delete(path)).status).toBe(403);
    expect((await ann.get<{ permissions: string[] }>(path)).body.permissions).toContain('previewAs');
  });

  test('never gives a right', async () => {
    for (const role of ['owner', 'creator', 'editor', '']) {
      expect((await as(viewer, role).post(rows, { Name: 'Rome' })).status).toBe(403);
      expect((await as(server.client, role).get(rows)).status).toBe(401);
    }
    expect((await as(viewer, 'editor').get('/api/v1/app-store/plugins')).status).toBe(403);
    expect((await as(ann, 'viewer').get('/api/v1/app-store/plugins')).status).toBe(403);
    const token = await ann.post<{ token: string }>(`${path}/api-tokens`, { permissions: 'viewer' });
    const script = server.client.with({ headers: { 'xc-token': token.body.token } });
    expect((await as(script, 'editor').post(rows, { Name: 'Rome' })).status).toBe(403);
  });

  test('does nothing at all for a role that nobody knows, which would have all rights otherwise', async () => {
    for (const role of ['king', 'Viewer', '__proto__', 'viewer,editor']) {
      const refused = await as(ann, role).post(rows, { Name: 'Rome' });
      expect(refused).toMatchObject({ status: 400, body: { code: 'PREVIEW_ROLE_UNKNOWN' } });
      expect((await as(server.client, role).get(rows)).status).toBe(400);
    }
    const { body } = await ann.get<{ list: { Name: string }[] }>(rows);
    expect(body.list.map(({ Name }) => Name)).not.toContain('Rome');
  });

  test('is refused where who somebody is cannot be found out at first, and could be afterwards', async () => {
    let asked = 0;
    const failing = new Error('The session could not be read');
    const resolvers = server.host.registries.get('credentialResolvers');
    const session = resolvers.get('session') as { resolve: CredentialResolver['resolve'] };
    const resolve = session.resolve;
    session.resolve = (request) => {
      asked += 1;
      if (asked === 1) throw failing;
      return resolve.call(session, request);
    };
    const refused = await as(ann, 'viewer').post(rows, { Name: 'Bern' });
    session.resolve = resolve;
    expect(refused).toMatchObject({ status: 503, body: { code: 'PREVIEW_OF_NOBODY' } });
    expect(asked).toBe(1);
  });

  test('changes nothing of who somebody is', async () => {
    const me = await as(ann, 'viewer').get('/api/v1/auth/user/me');
    expect(me.body).toMatchObject({ email: 'ann@example.com', roles: { super: true } });
  });
});
