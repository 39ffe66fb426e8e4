import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let owner: TestClient;
let path = '';
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp('owner@example.com');
  const project = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
  path = `/api/v1/db/meta/projects/${project.body.id}/shared`;
});
afterAll(() => server?.dispose());

interface Share {
  readonly uuid: string;
  readonly roles: string;
  readonly embed_sites?: readonly string[];
}

async function sitesOf(uuid: string): Promise<string | undefined> {
  const { headers } = await fetch(`${server.url}/embed/nc/base/${uuid}`);
  return /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
}

test('a shared project is framed by the sites that its owner names, also under a new id, until it is closed', async () => {
  const { uuid } = (await owner.post<Share>(path, { roles: 'editor' })).body;
  expect(await sitesOf(uuid)).toBe("'none'");
  const named = await owner.patch<Share>(path, { roles: 'editor', embed_sites: ['A.example'] });
  expect(named.body).toMatchObject({ uuid, roles: 'editor', embed_sites: ['https://a.example'] });
  expect(await sitesOf(uuid)).toBe('https://a.example');
  const other = await owner.patch<Share>(path, { embed_sites: ['https://a.example'] });
  expect(other.body).toMatchObject({ uuid, roles: 'editor', embed_sites: ['https://a.example'] });
  expect((await owner.patch<Share>(path, {})).body).toMatchObject({ uuid, roles: 'editor' });
  await owner.patch(path, { roles: 'viewer' });
  expect(await sitesOf(uuid)).toBe('https://a.example');
  const wrong = await owner.patch(path, { roles: 'viewer', embed_sites: ["x; script-src 'unsafe-inline'"] });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'FRAMING_SITE' } });
  const renewed = (await owner.post<Share>(path, { roles: 'viewer' })).body;
  expect(await sitesOf(uuid)).toBe("'none'");
  expect(await sitesOf(renewed.uuid)).toBe('https://a.example');
  await owner.patch(path, { roles: 'viewer', embed_sites: [] });
  expect(await sitesOf(renewed.uuid)).toBe("'none'");
  await owner.patch(path, { roles: 'viewer', embed_sites: ['*'] });
  await owner.delete(path);
  expect(await sitesOf(renewed.uuid)).toBe("'none'");
  // Naming sites opens no project that was closed.
  const late = await owner.patch(path, { embed_sites: ['*'] });
  expect(late).toMatchObject({ status: 404, body: { code: 'SHARED_BASE_CLOSED' } });
  expect((await owner.get<Share>(path)).body.uuid).toBeNull();
});
