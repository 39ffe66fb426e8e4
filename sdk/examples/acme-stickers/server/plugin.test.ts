import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AttachedFile } from '@trellis/sdk/shared';
import { createTestServer, describePlugin, folderPlugin, type TestClient } from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

/** A picture of one point. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const own = '/api/v1/plugins/acme-stickers';

let server: Awaited<ReturnType<typeof createTestServer>>;
let boss: TestClient;
let project = '';
let sheets = '';

async function upload(): Promise<readonly AttachedFile[]> {
  const form = new FormData();
  form.append('files', new Blob([picture]), 'cat.png');
  const path = encodeURIComponent('noco/Shop/Things/Pictures');
  const answer = await fetch(`${server.url}/api/v1/db/storage/upload?path=${path}`, {
    method: 'POST',
    headers: { 'xc-auth': boss.token ?? '' },
    body: form,
  });
  return (await answer.json()) as readonly AttachedFile[];
}

beforeAll(async () => {
  server = await createTestServer({ plugins: [await folderPlugin(folder)] });
  boss = await server.signUp();
  await server.host.plugins.enable('acme-stickers');
  project = (await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
  const table = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Pictures', uidt: 'Attachment' },
    ],
  });
  sheets = `${own}/tables/${table.body.id}/sheets`;
  for (const Pictures of [await upload(), null])
    await boss.post('/api/v1/db/data/noco/Shop/Things', { Pictures });
});
afterAll(() => server.dispose());

test("shows a cell's pictures to everybody who has the sheet's address, until it is taken back", async () => {
  const { id } = (await boss.post<{ id: string }>(sheets, { row: '1', column: 'Pictures' })).body;
  const visitor = server.client;
  const { pictures } = (await visitor.get<{ pictures: readonly AttachedFile[] }>(`${own}/sheets/${id}`)).body;
  expect(pictures).toMatchObject([{ title: 'cat.png', mimetype: 'image/png' }]);
  const address = `${server.url}${pictures[0]?.url}`;
  const shown = await fetch(address);
  expect([shown.status, Buffer.from(await shown.arrayBuffer())]).toEqual([200, picture]);

  expect((await boss.delete(`${own}/projects/${project}/sheets/${id}`)).status).toBe(200);
  expect(await visitor.get(`${own}/sheets/${id}`)).toMatchObject({ status: 404, body: { code: 'NO_SHEET' } });
  expect((await fetch(address)).status).toBe(404);
});

test('makes no sheet of a cell without pictures, or for those who may not', async () => {
  for (const cell of [
    { row: '2', column: 'Pictures' },
    { row: '1', column: 'Id' },
    { row: '7', column: 'Pictures' },
  ])
    expect(await boss.post(sheets, cell)).toMatchObject({ status: 400, body: { code: 'NO_PICTURES' } });
  const stranger = await server.signUp('stranger@example.com');
  expect((await stranger.post(sheets, { row: '1', column: 'Pictures' })).status).toBe(403);
});
