import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, describePlugin, folderPlugin, type TestClient } from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

let server: Awaited<ReturnType<typeof createTestServer>>;
let boss: TestClient;
let project = '';

beforeAll(async () => {
  server = await createTestServer({ plugins: [await folderPlugin(folder)] });
  boss = await server.signUp();
  await server.host.plugins.enable('acme-house-rules');
  project = (await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Bank' })).body.id;
});
afterAll(() => server.dispose());

const create = (title: string) =>
  boss.post<{ id: string; title: string; columns: readonly { readonly title: string }[] }>(
    `/api/v1/db/meta/projects/${project}/tables`,
    {
      title,
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    },
  );

test('changes the names and the texts that people write', async () => {
  const { id, title } = (await create(' Members ')).body;
  expect(title).toBe('Members');
  const columns = `/api/v1/db/meta/tables/${id}/columns`;
  expect((await boss.post(columns, { title: ' Town ', uidt: 'SingleLineText' })).status).toBe(200);
  const rows = '/api/v1/db/data/noco/Bank/Members';
  const { Id, Name } = (await boss.post<{ Id: number; Name: string }>(rows, { Name: ' Ada ' })).body;
  expect(Name).toBe('Ada');
  await boss.patch(`${rows}/${Id}`, { Name: ' Bob ', Town: ' Bern ' });
  expect((await boss.get(`${rows}/${Id}`)).body).toMatchObject({ Name: 'Bob', Town: 'Bern' });
});

test('keeps the tables and rows that stay', async () => {
  const { id } = (await create('Ledger')).body;
  const rows = '/api/v1/db/data/noco/Bank/Ledger';
  const { Id } = (await boss.post<{ Id: number }>(rows, { Name: 'Rent' })).body;
  expect((await boss.delete(`${rows}/${Id}`)).body).toMatchObject({ code: 'ROWS_STAY' });
  expect((await boss.delete(`/api/v1/db/meta/tables/${id}`)).body).toMatchObject({ code: 'TABLE_STAYS' });
  expect((await boss.get(`${rows}/${Id}`)).body).toMatchObject({ Name: 'Rent' });
});

test('lets nobody switch on a plugin that nobody wants', async () => {
  const input = { kept: [], unwanted: ['view-kanban'] };
  const store = '/api/v1/app-store/plugins';
  expect((await boss.put(`${store}/acme-house-rules/settings`, { input })).status).toBe(200);
  await boss.post(`${store}/view-kanban/disable`, { cascade: [] });
  const refused = await boss.post<{ msg: string }>(`${store}/view-kanban/enable`, {});
  expect(refused.body.msg).toContain("Nobody wants 'view-kanban' here.");
});
