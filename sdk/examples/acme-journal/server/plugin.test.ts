import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { defineServerPlugin, type PluginDatabase } from '@trellis/sdk/server';
import {
  askUntil,
  createTestServer,
  describePlugin,
  folderPlugin,
  type TestClient,
} from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

const rows = '/api/v1/db/data/noco/Shop/Things';
let server: Awaited<ReturnType<typeof createTestServer>>;
let boss: TestClient;
let project = '';
/** What the plugin keeps in tables of its own. */
let own: PluginDatabase;

beforeAll(async () => {
  const plugin = await folderPlugin(folder);
  const half = defineServerPlugin({
    ...plugin.server,
    async setup(ctx) {
      own = ctx.db;
      await plugin.server?.setup(ctx);
    },
  });
  server = await createTestServer({ plugins: [{ ...plugin, server: half }] });
  boss = await server.signUp();
  await server.host.plugins.enable('acme-journal');
  project = (await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
  await boss.post(`/api/v1/db/meta/projects/${project}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Bought', uidt: 'Checkbox' },
    ],
  });
});
afterAll(() => server.dispose());

async function changes(): Promise<number> {
  const path = `/api/v1/plugins/acme-journal/projects/${project}/days`;
  const { body } = await boss.get<{ list: readonly { changes: number }[] }>(path);
  return body.list.reduce((sum, day) => sum + day.changes, 0);
}

test('counts the changes of a project, for those alone who may see it', async () => {
  for (const Name of ['hammer', 'saw "large"']) await boss.post(rows, { Name, Bought: true });
  await boss.patch(`${rows}/1`, { Name: 'nail' });
  // The plugin hears of a change a moment later.
  expect(await askUntil(changes, (count) => count >= 3)).toBe(3);
  const stranger = await server.signUp('stranger@example.com');
  const path = `/api/v1/plugins/acme-journal/projects/${project}/days`;
  expect((await stranger.get(path)).status).toBe(403);
});

test("its format of 'exporters' writes each row as a line", async () => {
  const { status, body } = await boss.get<string>(`${rows}/export/acme-lines`);
  expect(status).toBe(200);
  const lines = body.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { Name: 'nail' },
    { Name: 'saw "large"' },
  ]);
});

test("its job of 'jobs' forgets the days that are older than its setting", async () => {
  const job = server.host.registries.get('jobs').get('acme-journal.prune');
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const run = () => job?.run({ signal: new AbortController().signal, logger });
  await run();
  expect(await changes()).toBe(3);
  const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 32 * 24 * 60 * 60 * 1000);
  const running = run();
  later.mockRestore();
  await running;
  expect(await changes()).toBe(0);
});

test('forgets a project that is gone for good', async () => {
  await boss.post(rows, { Name: 'file' });
  expect(await askUntil(changes, (count) => count >= 1)).toBe(1);
  const kept = () => own.read((unit) => unit.all(unit.table('day')));
  expect(await kept()).toHaveLength(1);
  await boss.delete(`/api/v1/db/meta/projects/${project}`);
  const deleted = '/api/v1/db/meta/deleted-projects';
  const [gone] = (await boss.get<{ list: readonly { id: string }[] }>(deleted)).body.list;
  expect((await boss.delete(`${deleted}/${gone?.id}`)).status).toBe(200);
  expect(await askUntil(kept, (days) => days.length === 0)).toEqual([]);
});
