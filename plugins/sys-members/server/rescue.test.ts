import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page, ProjectEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { OwnedProjectEntity } from '../shared/index.ts';

const projects = '/api/v1/db/meta/projects';
const owned = '/api/v1/plugins/sys-members/projects';
let server: TestServer;
let boss: TestClient;
let ann: TestClient;
let bob: TestClient;
let atlas = '';
const ids = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer();
  boss = await server.signUp('boss@example.com');
  ann = await server.signUp('ann@example.com');
  bob = await server.signUp('bob@example.com');
  for (const [name, who] of Object.entries({ boss, ann, bob }))
    ids.set(name, (await who.get<{ id: string }>('/api/v1/auth/user/me')).body.id);
  // Members may make projects of their own.
  const { body: hall } = await boss.post<{ id: string }>(projects, { title: 'Hall' });
  await boss.post(`${projects}/${hall.id}/users`, {
    email: 'ann@example.com,bob@example.com',
    roles: 'viewer',
  });
  atlas = (await ann.post<{ id: string }>(projects, { title: 'Atlas' })).body.id;
  await ann.post(`${projects}/${atlas}/users`, { email: 'bob@example.com', roles: 'viewer' });
});
afterAll(() => server?.dispose());

const listed = async () => (await boss.get<{ list: readonly OwnedProjectEntity[] }>(owned)).body.list;
const rescue = (who: TestClient, id: string, body: object = {}) => who.post(`${owned}/${id}/rescue`, body);

test('a super admin sees all projects and who owns them, and opens none of those of others', async () => {
  expect(await listed()).toMatchObject([
    { id: atlas, title: 'Atlas', owners: [{ email: 'ann@example.com', is_disabled: false }] },
    { title: 'Hall', owners: [{ email: 'boss@example.com' }] },
  ]);
  const { list } = (await boss.get<Page<ProjectEntity>>(projects)).body;
  expect(list.map(({ title, role, permissions }) => [title, role, permissions?.length === 0])).toEqual([
    ['Hall', 'owner', false],
    ['Atlas', undefined, true],
  ]);
  expect((await boss.get(`${projects}/${atlas}`)).status).toBe(403);
  const seen = (await bob.get<Page<ProjectEntity>>(projects)).body.list.map(({ title }) => title);
  expect(seen.toSorted()).toEqual(['Atlas', 'Hall']);
  for (const who of [ann, bob]) expect((await who.get(owned)).status).toBe(403);
});

test('projects are listed in the order in which people count', async () => {
  const made = ['Phase 10', 'Phase 9'];
  const added = await Promise.all(made.map((title) => boss.post<{ id: string }>(projects, { title })));
  expect((await listed()).map(({ title }) => title)).toEqual(['Atlas', 'Hall', 'Phase 9', 'Phase 10']);
  for (const { body } of added) await boss.delete(`${projects}/${body.id}`);
});

test('takes over no project whose owner can sign in, and nobody else takes over any', async () => {
  expect(await rescue(boss, atlas)).toMatchObject({ status: 400, body: { code: 'OWNER_THERE' } });
  expect((await rescue(bob, atlas)).status).toBe(403);
  expect(await rescue(boss, 'p_00000000000000')).toMatchObject({
    status: 404,
    body: { code: 'PROJECT_NOT_FOUND' },
  });
});

test('gives a project whose owner was disabled to somebody, which its audit tells', async () => {
  await boss.patch(`/api/v1/users/${ids.get('ann')}`, { is_disabled: true });
  expect(await listed()).toMatchObject([{ owners: [{ is_disabled: true }] }, {}]);
  expect(await rescue(boss, atlas, { user_id: 'us_00000000000000' })).toMatchObject({
    status: 400,
    body: { code: 'MEMBER_UNKNOWN' },
  });
  expect(await rescue(boss, atlas, { user_id: ids.get('ann') })).toMatchObject({ status: 400 });
  expect(await rescue(boss, atlas, { user_id: ids.get('bob') })).toMatchObject({ status: 200 });
  expect((await bob.get<ProjectEntity>(`${projects}/${atlas}`)).body).toMatchObject({ role: 'owner' });
  const { body } = await bob.get<{ list: readonly object[] }>(`${projects}/${atlas}/audits`);
  expect(body.list[0]).toMatchObject({
    user: 'boss@example.com',
    op_sub_type: 'ROLES_MANAGEMENT',
    description: 'bob@example.com became the owner of the project, whose owners were gone',
  });
  expect((await boss.get(`${projects}/${atlas}`)).status).toBe(403);
  expect(await rescue(boss, atlas)).toMatchObject({ status: 400, body: { code: 'OWNER_THERE' } });
});

test('gives it to the super admin who names nobody', async () => {
  await boss.patch(`/api/v1/users/${ids.get('bob')}`, { is_disabled: true });
  expect((await rescue(boss, atlas)).status).toBe(200);
  expect((await boss.get<ProjectEntity>(`${projects}/${atlas}`)).body).toMatchObject({ role: 'owner' });
});
