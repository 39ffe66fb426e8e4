import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { VisitorLimitToken, type VisitorLimit } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let limit: VisitorLimit;
beforeAll(async () => {
  const counting = testPlugin('counts-visits', (ctx) => {
    limit = ctx.get(VisitorLimitToken);
  });
  server = await createTestServer({ plugins: [counting] });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => server?.dispose());

const link = '00000000-0000-4000-8000-000000000000';
const read = () => server.client.get(`/api/v1/db/public/shared-view/${link}/meta`);

/** Calls by links from this machine beside those of the client, which are counted with them. */
async function visit(calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) await limit.take('127.0.0.1');
}

test('a stranger has no more groups than rows of one answer, and nobody is given a part of them as all', async () => {
  const owner = await server.signUp('owner@example.com');
  const project = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
  const table = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Thing',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Half', uidt: 'Number' },
    ],
  });
  const columnId = (title: string) => table.body.columns?.find((column) => column.title === title)?.id;
  const names = Array.from({ length: 1001 }, (_, index) => ({ Name: `Name ${index}`, Half: index % 2 }));
  await owner.post('/api/v1/db/data/bulk/noco/Shop/Thing', names);
  const { id: viewId } = table.body.views?.[0] ?? {};
  const { body } = await owner.post<{ uuid: string }>(`/api/v1/db/meta/views/${viewId}/share`, {});
  type Groups = readonly { readonly value: { readonly list: readonly object[] } }[];
  const grouped = (title: string, limit: number) =>
    server.client.get<Groups>(
      `/api/v1/db/public/shared-view/${body.uuid}/group/${columnId(title)}?limit=${limit}`,
    );
  expect(await grouped('Name', 1)).toMatchObject({ status: 409, body: { code: 'TOO_MANY_GROUPS' } });
  const halves = await grouped('Half', 1000);
  expect(halves.body.map(({ value }) => value)).toMatchObject([
    { list: { length: 500 }, pageInfo: { totalRows: 501 } },
    { list: { length: 500 }, pageInfo: { totalRows: 500 } },
  ]);
  const all = await owner.get<Groups>(`/api/v1/db/data/noco/Shop/Thing/group/${columnId('Name')}?limit=1`);
  expect(all.body.filter(({ value }) => value.list.length > 0)).toHaveLength(1001);
});

test('an address may open many pages of links, and one that reads without end is asked to wait', async () => {
  // However long the machine takes, it is one minute in which they are counted.
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  // What a hundred people behind one address open in a minute.
  await visit(4000);
  expect(await read()).toMatchObject({ status: 404 });
  await expect(visit(25_600)).rejects.toMatchObject({ code: 'TOO_MANY_TRIES' });
  const refused = await read();
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
