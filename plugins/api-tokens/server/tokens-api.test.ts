import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken } from '@trellis/sdk/server';
import type { ProjectRole, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { TokenEntity } from '../shared/index.ts';

const projects = '/api/v1/db/meta/projects';
const own = '/api/v1/db/meta/api-tokens';

describe('API tokens', () => {
  let server: TestServer;
  let ann: TestClient;
  let atlas = '';
  let other = '';

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    atlas = await createProject('Atlas');
    other = await createProject('Other');
  });
  afterAll(() => server?.dispose());

  async function createProject(title: string): Promise<string> {
    const { body } = await ann.post<{ id: string }>(projects, { title });
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    await ann.post<TableEntity>(`${projects}/${body.id}/tables`, { title: 'City', columns });
    return body.id;
  }

  const path = (project: string) => `${projects}/${project}/api-tokens`;
  const rows = (project: string) => `/api/v1/db/data/noco/${project}/City`;
  const by = (token: string) => server.client.with({ headers: { 'xc-token': token } });

  async function make(at: string, body: object = {}, client = ann): Promise<TokenEntity> {
    const answer = await client.post<TokenEntity>(at, body);
    expect(answer.status).toBe(200);
    return answer.body;
  }

  async function member(email: string, role: ProjectRole): Promise<TestClient> {
    const client = await server.signUp(email);
    const { body } = await client.get<{ id: string }>('/api/v1/auth/user/me');
    await server.host.container.get(AccessServiceToken).grant(atlas, body.id, role);
    return client;
  }

  test('are shown once, kept as digests, and listed by how they begin', async () => {
    const made = await make(path(atlas), { description: 'Import' });
    expect(made).toMatchObject({ token: expect.stringMatching(/^tr_[\w-]{37}$/), permissions: 'editor' });
    const [listed] = (await ann.get<readonly TokenEntity[]>(path(atlas))).body;
    expect(listed).toMatchObject({
      id: made.id,
      project_id: atlas,
      description: 'Import',
      token: `${made.token.slice(0, 7)}…`,
      last_used_at: null,
      owner: { email: 'ann@example.com' },
    });
    expect((await by(made.token).get(rows(atlas))).status).toBe(200);
    const bearer = server.client.with({ headers: { authorization: `Bearer ${made.token}` } });
    expect((await bearer.post(rows(atlas), { Name: 'Oslo' })).status).toBe(200);
    const [used] = (await ann.get<readonly TokenEntity[]>(path(atlas))).body;
    expect(used?.last_used_at).toEqual(expect.any(String));
  });

  test('do what their role allows in their project, and nothing elsewhere', async () => {
    const { token } = await make(path(atlas), { permissions: 'viewer' });
    expect((await by(token).get(rows(atlas))).status).toBe(200);
    expect(await by(token).post(rows(atlas), { Name: 'Rome' })).toMatchObject({ status: 403 });
    expect((await by(token).get(rows(other))).status).toBe(403);
    expect((await by(token).post(projects, { title: 'Mine' })).status).toBe(403);
    expect((await by(token).get<{ list: { id: string }[] }>(projects)).body.list.map(({ id }) => id)).toEqual(
      [atlas],
    );
    expect((await by(token).get(`${projects}/${atlas}/users`)).status).toBe(403);
    expect((await by(token).get('/api/v1/app-store/plugins')).status).toBe(403);
    const me = await by(token).get('/api/v1/auth/user/me');
    expect(me.body).toMatchObject({ roles: { viewer: true } });
    expect(JSON.stringify(me.body)).not.toContain('super');
  });

  test('of the account reach all projects of their owner', async () => {
    const { token, project_id: project } = await make(own, { description: 'All', permissions: 'creator' });
    expect(project).toBeNull();
    for (const id of [atlas, other]) expect((await by(token).get(rows(id))).status).toBe(200);
    const columns = [{ title: 'Id', uidt: 'ID' }];
    expect((await by(token).post(`${projects}/${other}/tables`, { title: 'Made', columns })).status).toBe(
      200,
    );
    expect((await by(token).get('/api/v1/app-store/plugins')).status).toBe(403);
  });

  test('never exceed their owner, from the next request on', async () => {
    const bob = await member('bob@example.com', 'creator');
    const { token } = await make(path(atlas), { permissions: 'creator' }, bob);
    expect((await by(token).post(rows(atlas), { Name: 'Bonn' })).status).toBe(200);
    expect(await bob.post(path(atlas), { permissions: 'owner' })).toMatchObject({ status: 400 });
    const access = server.host.container.get(AccessServiceToken);
    const id = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
    await access.grant(atlas, id, 'viewer');
    expect((await by(token).post(rows(atlas), { Name: 'Bern' })).status).toBe(403);
    expect((await by(token).get(rows(atlas))).status).toBe(200);
    expect((await bob.post(path(atlas), {})).status).toBe(403);
    await access.revoke(atlas, id);
    expect((await by(token).get(rows(atlas))).status).toBe(403);
  });

  test('work no more when they are deleted, by id or by text, and nobody deletes those of others', async () => {
    const cid = await member('cid@example.com', 'creator');
    const [first, second] = [await make(path(atlas)), await make(path(atlas))];
    expect((await cid.get<readonly TokenEntity[]>(path(atlas))).body).toEqual([]);
    expect((await cid.delete(`${path(atlas)}/${first.id}`)).body).toBe(0);
    expect((await ann.delete(`${path(other)}/${first.id}`)).body).toBe(0);
    expect((await by(first.token).get(rows(atlas))).status).toBe(200);
    expect((await ann.delete(`${path(atlas)}/${first.id}`)).body).toBe(1);
    expect((await ann.delete(`${path(atlas)}/${second.token}`)).body).toBe(1);
    expect((await ann.delete(`${path(atlas)}/${second.token}`)).body).toBe(0);
    for (const { token } of [first, second]) expect((await by(token).get(rows(atlas))).status).toBe(401);
    const ofCid = await make(path(atlas), {}, cid);
    expect((await ann.delete(`${path(atlas)}/${ofCid.id}`)).body).toBe(1);
  });

  test('end on their day, which is one to come', async () => {
    for (const expiry of ['2020-01-01', 'soon', '2999-13-40', '2999-02-30', '2020-01-01T00:00:00Z'])
      expect(await ann.post(path(atlas), { expiry })).toMatchObject({
        status: 400,
        body: { code: 'TOKEN_EXPIRY' },
      });
    const made = await make(path(atlas), { expiry: '2999-12-31' });
    expect(made.expiry).toBe('2999-12-31 23:59:59');
    expect((await by(made.token).get(rows(atlas))).status).toBe(200);
  });

  test('cannot make tokens, and junk in their place is nobody', async () => {
    const { token } = await make(path(atlas), { permissions: 'creator' });
    expect(await by(token).post(path(atlas), {})).toMatchObject({
      status: 403,
      body: { code: 'TOKEN_BY_TOKEN' },
    });
    expect((await by(token).get(own)).status).toBe(403);
    for (const junk of ['x', `${token}x`, token.toLowerCase().slice(0, 39), "tr_' or '1'='1", '__proto__'])
      expect((await by(junk).get(rows(atlas))).status).toBe(401);
    const unknown = { description: 'x', roles: 'owner' };
    expect((await ann.post(path(atlas), unknown)).status).toBe(400);
  });

  test('end when their owner sets a new password by a link', async () => {
    const carl = await server.signUp('carl@example.com');
    const { token } = await make(own, { description: 'Left behind' }, carl);
    expect((await by(token).get(projects)).status).toBe(200);
    const { id } = (await carl.get<{ id: string }>('/api/v1/auth/user/me')).body;
    const { body: link } = await ann.post<{ token: string }>(`/api/v1/users/${id}/reset-link`);
    const reset = `/api/v1/auth/password/reset/${link.token}`;
    expect((await server.client.post(reset, { password: 'An0ther!pw' })).status).toBe(200);
    expect((await by(token).get(projects)).status).toBe(401);
  });
});
