import { afterAll, expect, test } from '@jest/globals';
import type { UserEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { mostPictureBytes, type ServerUserList } from '#plugins/sys-users/shared';

const path = '/api/v1/auth/user/picture';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40)]);

function describePictures(start: () => Promise<TestServer>): void {
  let server: TestServer;
  const set = (client: TestClient, bytes: Uint8Array) =>
    client.put<{ picture: string; code: string }>(path, { picture: Buffer.from(bytes).toString('base64') });
  const own = async (client: TestClient) => (await client.get<UserEntity>('/api/v1/auth/user/me')).body;

  test('a picture is read by its address, shown to others, and gone with another one or the account', async () => {
    server = await start();
    const ann = await server.signUp('ann@example.com');
    const bob = await server.signUp('bob@example.com');
    expect((await own(bob)).picture).toBeNull();
    const first = (await set(bob, png)).body.picture;
    expect((await own(bob)).picture).toBe(first);
    const answer = await fetch(`${server.url}${first}`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    const users = async () => (await ann.get<ServerUserList>('/api/v1/users')).body.list;
    expect((await users()).map(({ picture }) => picture)).toEqual([null, first]);
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
    const members = `/api/v1/db/meta/projects/${project.body.id}/users`;
    await ann.post(members, { email: 'bob@example.com', roles: 'viewer' });
    const listed = await ann.get<{ users: { list: { picture: string | null }[] } }>(members);
    expect(listed.body.users.list.map(({ picture }) => picture)).toEqual([null, first]);

    const second = (await set(bob, jpeg)).body.picture;
    expect(second).not.toBe(first);
    expect((await fetch(`${server.url}${first}`)).status).toBe(404);
    expect((await fetch(`${server.url}${second.slice(0, -1)}`)).status).toBe(404);
    expect((await bob.delete(path)).status).toBe(200);
    expect((await fetch(`${server.url}${second}`)).status).toBe(404);
    const last = (await set(bob, png)).body.picture;
    const { id } = await own(bob);
    expect((await ann.delete(`/api/v1/users/${id}`)).status).toBe(200);
    expect((await fetch(`${server.url}${last}`)).status).toBe(404);
  });

  test('nothing that runs, nothing large and nothing of others is taken', async () => {
    const ann = await server.signUp('carl@example.com');
    for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html></html>', 'GIF89a', ''])
      expect(await set(ann, Buffer.from(text))).toMatchObject({
        status: 400,
        body: { code: 'PICTURE_KIND' },
      });
    const large = Buffer.concat([png, Buffer.alloc(mostPictureBytes)]);
    expect([400, 413]).toContain((await set(ann, large)).status);
    expect((await set(server.client, png)).status).toBe(401);
    expect((await own(ann)).picture).toBeNull();
    const token = await ann.post<{ token: string }>('/api/v1/db/meta/api-tokens', { permissions: 'editor' });
    const script = server.client.with({ headers: { 'xc-token': token.body.token } });
    expect((await set(script, png)).status).toBe(403);
    await server.dispose();
  });
}

describePictures(() => createTestServer());

describeEachServer('pictures of people', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describePictures(() => createTestServer({ database: databases }));
});
