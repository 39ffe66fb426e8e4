import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, describePlugin, folderPlugin } from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

let server: Awaited<ReturnType<typeof createTestServer>>;

beforeAll(async () => {
  server = await createTestServer({ plugins: [await folderPlugin(folder)] });
});
afterAll(() => server.dispose());

test('computes the first letter in the database', async () => {
  const boss = await server.signUp();
  await server.host.plugins.enable('acme-initial');
  const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Club' });
  const made = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Members',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  const letter = { title: 'Letter', uidt: 'Formula', formula: 'INITIAL({Name})' };
  expect(await boss.post(`/api/v1/db/meta/tables/${made.body.id}/columns`, letter)).toMatchObject({
    status: 200,
  });
  const rows = '/api/v1/db/data/noco/Club/Members';
  const { Id } = (await boss.post<{ Id: number }>(rows, { Name: 'ada' })).body;
  expect((await boss.get(`${rows}/${Id}`)).body).toMatchObject({ Letter: 'A' });
});
