import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineServerPlugin } from '@trellis/sdk/server';
import {
  askUntil,
  createTestServer,
  describePlugin,
  folderPlugin,
  type TestClient,
} from '@trellis/sdk/testing/server';
import { notePath, notesPath } from '../shared/index.ts';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

let server: Awaited<ReturnType<typeof createTestServer>>;
let boss: TestClient;
let project = '';
let table = '';

/** The notes that the plugin keeps in its own table. */
let kept: () => Promise<readonly object[]>;

beforeAll(async () => {
  const plugin = await folderPlugin(folder);
  const half = defineServerPlugin({
    ...plugin.server,
    setup(ctx) {
      kept = () => ctx.db.read((unit) => unit.all(unit.table('note')));
      return plugin.server?.setup(ctx);
    },
  });
  server = await createTestServer({ plugins: [{ ...plugin, server: half }] });
  boss = await server.signUp();
  await server.host.plugins.enable('acme-notes');
  project = (await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
  const columns = [{ title: 'Id', uidt: 'ID', pk: true, ai: true }];
  const tables = `/api/v1/db/meta/projects/${project}/tables`;
  table = (await boss.post<{ id: string }>(tables, { title: 'Orders', columns })).body.id;
});
afterAll(() => server.dispose());

const listed = async () => (await boss.get<{ list: readonly object[] }>(notesPath(project))).body.list;

test('lists the tables about which somebody wrote a note, and keeps its text', async () => {
  expect(await listed()).toEqual([]);
  for (const text of ['Asks before it deletes', ' Never delete one '])
    expect((await boss.put(notePath(table), { text })).status).toBe(200);
  expect(await listed()).toEqual([{ id: table, title: 'Orders' }]);
  expect((await boss.get(notePath(table))).body).toEqual({ text: 'Never delete one' });
});

test('shows them to nobody who may not see the table', async () => {
  const stranger = await server.signUp('stranger@example.com');
  for (const path of [notesPath(project), notePath(table)])
    expect((await stranger.get(path)).status).toBe(403);
});

test('brings a note back with its table, and forgets it once that is gone for good', async () => {
  const trash = `/api/v1/db/meta/projects/${project}/trash`;
  const deleted = async () => {
    await boss.delete(`/api/v1/db/meta/tables/${table}`);
    const [item] = (await boss.get<{ list: readonly { id: string }[] }>(trash)).body.list;
    return `${trash}/tables/${item?.id}`;
  };
  const place = await deleted();
  expect(await listed()).toEqual([]);
  expect((await boss.post(`${place}/restore`, {})).status).toBe(200);
  expect(await listed()).toEqual([{ id: table, title: 'Orders' }]);

  expect(await kept()).toHaveLength(1);
  expect((await boss.delete(await deleted())).status).toBe(200);
  expect(await askUntil(kept, (notes) => notes.length === 0)).toEqual([]);
});
