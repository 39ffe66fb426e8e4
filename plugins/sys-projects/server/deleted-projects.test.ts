import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const path = '/api/v1/db/meta/deleted-projects';

let server: TestServer;
let owner: TestClient;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
});
afterAll(() => server?.dispose());

async function deletedProject(title: string): Promise<string> {
  const { body: project } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title });
  await owner.post(`/api/v1/db/meta/projects/${project.id}/tables`, {
    title: 'Animals',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  await owner.post(`/api/v1/db/data/noco/${title}/Animals`, { Name: 'Cat' });
  await owner.delete(`/api/v1/db/meta/projects/${project.id}`);
  return project.id;
}

const listed = async () => {
  const { body } = await owner.get<{ list: readonly { id: string }[] }>(path);
  return body.list.map(({ id }) => id);
};

test('a deleted project is dropped for good when its owner says so', async () => {
  const [gone, kept] = [await deletedProject('Gone'), await deletedProject('Kept')];
  expect(await owner.delete(`${path}/${gone}`)).toMatchObject({ status: 200, body: true });
  expect(await listed()).toEqual([kept]);
  expect(await owner.post(`${path}/${gone}/restore`)).toMatchObject({ status: 404 });
  expect(await owner.post(`${path}/${kept}/restore`)).toMatchObject({ status: 200 });
  const rows = await owner.get<{ list: readonly object[] }>('/api/v1/db/data/noco/Kept/Animals');
  expect(rows.body.list).toMatchObject([{ Name: 'Cat' }]);
});

test('a project is dropped for good though a plugin that is told of it never answers', async () => {
  const id = await deletedProject('Silent');
  const silent = server.host.hooks.tap('silent', 'projects.didPurge', () => new Promise(() => {}));
  expect(await owner.delete(`${path}/${id}`)).toMatchObject({ status: 200, body: true });
  await silent.dispose();
  expect((await owner.post(`${path}/${id}/restore`)).status).toBe(404);
});

test('nobody drops the deleted project of somebody else, or one that is not deleted', async () => {
  const id = await deletedProject('Mine');
  const other = await server.signUp();
  expect(await other.delete(`${path}/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'TRASH_NOT_FOUND' },
  });
  expect(await listed()).toEqual([id]);
  const { body: live } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Live' });
  expect(await owner.delete(`${path}/${live.id}`)).toMatchObject({ status: 404 });
  expect(await owner.get(`/api/v1/db/meta/projects/${live.id}`)).toMatchObject({ status: 200 });
});
