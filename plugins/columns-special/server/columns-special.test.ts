import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
  server = await createTestServer();
  client = await server.signUp();
});
afterAll(() => server?.dispose());

test('a geometry has no default value', async () => {
  const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Map' });
  const columns = [
    { title: 'Id', uidt: 'ID' },
    { title: 'Place', uidt: 'Geometry', cdf: 'POINT (1 2)' },
  ];
  expect(
    await client.post(`/api/v1/db/meta/projects/${project.id}/tables`, { title: 'Places', columns }),
  ).toMatchObject({ status: 400, body: { msg: expect.stringContaining("can't have default value") } });
});
