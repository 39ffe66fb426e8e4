import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineServerPlugin, type PluginDatabase } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestServer } from '@trellis/sdk/testing/server';
import own from '../plugin.json' with { type: 'json' };
import { migrations } from './migrations.ts';
import { WatchStore } from './watch-store.ts';

let server: TestServer;
let db: PluginDatabase;

beforeAll(async () => {
  const tables = defineServerPlugin({
    migrations,
    setup(ctx) {
      db = ctx.db;
    },
  });
  server = await createTestServer({
    plugins: [testPlugin('watches-of-a-test', tables, { contributes: { tables: own.contributes.tables } })],
  });
});
afterAll(() => server?.dispose());

async function rule(id: string): Promise<void> {
  const row = { id, project_id: 'desk', owner: '{}', active: true, trigger_type: 'row.matches' };
  await db.write((unit) =>
    unit.run(
      unit.table('rule').insert({ ...row, table_id: 'md_1', version: 1, created_at: 0, updated_at: 0 }),
    ),
  );
}

const countOf = (table: string) =>
  db.read(async (unit) => (await unit.all(unit.table(table).select('watch_id'))).length);

test('of two that are made of what is computed now one stays, and one of something else takes its place', async () => {
  await rule('au_one');
  const watches = new WatchStore(db);
  const of = { version: 1, meaning: 'old', tables: ['md_2'], marks: ['a', 'b'] };
  await Promise.all([watches.make('au_one', of), watches.make('au_one', of)]);
  const first = await watches.ofRule('au_one');
  expect(first?.meaning).toBe('old');
  await watches.make('au_one', { ...of, meaning: 'new', marks: ['c'] });
  const second = await watches.ofRule('au_one');
  expect(second?.meaning).toBe('new');
  expect([...(await watches.held(second ?? { id: '', meaning: '' }))]).toEqual(['c']);
});

test('what was asked for conditions that are others by now is not kept for the new ones', async () => {
  await rule('au_changed');
  const watches = new WatchStore(db);
  await db.write((unit) => unit.run(unit.table('rule').where({ id: 'au_changed' }).update({ version: 2 })));
  await watches.make('au_changed', { version: 1, meaning: 'm', tables: ['md_2'], marks: ['a'] });
  expect(await watches.ofRule('au_changed')).toBeUndefined();
});

test('rows are forgotten with what they were kept for, however many they are', async () => {
  const watches = new WatchStore(db);
  const marks = Array.from({ length: 1201 }, (_, index) => `mark-${index}`);
  await rule('au_two');
  await watches.make('au_two', { version: 1, meaning: 'm', tables: ['md_2', 'md_3'], marks });
  await watches.forget('au_two');
  expect(await watches.ofRule('au_two')).toBeUndefined();
  await watches.make('au_nobody', { version: 1, meaning: 'm', tables: ['md_2'], marks });
  await db.write((unit) => unit.run(unit.table('rule').delete()));
  await watches.sweep();
  expect([await countOf('watch_row'), await countOf('watch_table')]).toEqual([0, 0]);
});
