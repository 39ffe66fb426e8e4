import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
  server = await createTestServer();
  client = await server.signUp();
});
afterAll(() => server?.dispose());

test.each([
  ['Geometry', 'POINT (1 2)'],
  ['JSON', '{"a":1}'],
])('a column of type %s has no default value, neither as it is made nor later', async (uidt, cdf) => {
  const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: uidt });
  const refused = {
    status: 400,
    body: { code: 'COLUMN_WITHOUT_DEFAULT', msg: expect.stringContaining("can't have default value") },
  };
  const tables = `/api/v1/db/meta/projects/${project.id}/tables`;
  const id = { title: 'Id', uidt: 'ID' };
  const columns = [id, { title: 'Place', uidt, cdf }];
  expect(await client.post(tables, { title: 'Places', columns })).toMatchObject(refused);
  const made = await client.post<TableEntity>(tables, { title: 'Places', columns: [id] });
  const added = await client.post<TableEntity>(`/api/v1/db/meta/tables/${made.body.id}/columns`, {
    title: 'Place',
    uidt,
  });
  const place = added.body.columns?.find(({ title }) => title === 'Place');
  expect(
    await client.patch(`/api/v1/db/meta/columns/${place?.id}`, { title: 'Place', uidt, cdf }),
  ).toMatchObject(refused);
});
