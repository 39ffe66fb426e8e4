import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { Predicate } from '@trellis/sdk/shared';
import { openDatabase } from '../../host-server/databases/index.ts';
import { createDataPath } from './data-path.ts';

test('Searches through a large table keep nobody from paging, reading, writing or using a small table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-searches-'));
  const database = await openDatabase(
    { kind: 'sqlite', file: join(folder, 'data.db'), create: true },
    { name: 'searched' },
  );
  const path = await createDataPath(database);
  const scope = await path.newProject('Searched');
  const makeTable = async (title: string) => {
    const { id } = await path.schema.createTable(scope, {
      title,
      columns: [
        { title: 'Id', columnName: 'id', type: 'ID' },
        { title: 'Notes', columnName: 'notes', type: 'SingleLineText' },
      ],
    });
    return path.handleOf(scope, id);
  };
  const [large, small] = [await makeTable('Large'), await makeTable('Small')];
  await database.write((unit) =>
    unit.run(
      unit.knex.raw(
        "insert into ?? (notes) with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) select 'some notes ' || i from n",
        [large.table.tableName],
      ),
    ),
  );
  await path.rowStore.create(small, { Notes: 'here' });
  const where = Array.from({ length: 180 }, (_, index) => `(Notes,like,zq${index})`).join('~or');
  const page = { limit: 25, offset: 0 };
  const leaving = new AbortController();
  let ended = 0;
  const searches = Array.from({ length: 6 }, () =>
    path.rowStore.list(large, { where }, page, leaving.signal).finally(() => {
      ended += 1;
    }),
  );
  const outcomes = Promise.allSettled(searches);

  const filtered = { where: '(Notes,eq,here)' };
  expect(await path.rowStore.list(small, filtered, page)).toHaveLength(1);
  expect(await path.rowStore.count(small, filtered)).toBe(1);
  expect(await path.rowStore.list(large, {}, page)).toHaveLength(25);
  expect(await path.rowStore.count(large, {})).toBe(100_000);
  expect(await path.rowStore.read(large, '7')).toMatchObject({ Notes: 'some notes 7' });
  await path.rowStore.create(large, { Notes: 'meanwhile' });
  // At least the two that run are still at it, or this test has proved nothing.
  expect(ended).toBeLessThan(6);
  leaving.abort();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected' });

  await path.dispose();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test('A write to all rows of a condition looks for them while somebody else writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-searches-'));
  const database = await openDatabase(
    { kind: 'sqlite', file: join(folder, 'data.db'), create: true },
    { name: 'written' },
  );
  const path = await createDataPath(database);
  const scope = await path.newProject('Written');
  const { id } = await path.schema.createTable(scope, {
    title: 'Rows',
    columns: [
      { title: 'Id', columnName: 'id', type: 'ID' },
      { title: 'Notes', columnName: 'notes', type: 'SingleLineText' },
    ],
  });
  const handle = await path.handleOf(scope, id);
  for (const Notes of ['wanted', 'wanted', 'other']) await path.rowStore.create(handle, { Notes });
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const writing = database.write(async (unit) => {
    await unit.run(unit.knex(handle.table.tableName).where({ id: 1 }).update({ notes: 'other' }));
    await unit.run(unit.knex(handle.table.tableName).where({ id: 3 }).update({ notes: 'wanted' }));
    await held;
  });
  const bothFound = new Promise<void>((resolve) => {
    const write = database.write.bind(database);
    let asked = 0;
    jest.spyOn(database, 'write').mockImplementation((...args) => {
      asked += 1;
      if (asked === 2) resolve();
      return write(...args);
    });
  });
  const where = '(Notes,eq,wanted)';
  const changing = path.rowStore.updateAll(handle, { where }, { Notes: 'found' });
  const notes = handle.table.columnByName.get('notes')?.id ?? '';
  const wanted: Predicate = {
    kind: 'compare',
    comparison: 'eq',
    left: { kind: 'column', columnId: notes },
    right: { kind: 'literal', value: 'wanted', storage: 'string' },
  };
  const narrowed = await path.handleOf(path.access.narrow(scope, { rows: new Map([[id, wanted]]) }), id);
  const deleting = path.rowStore.deleteAll(narrowed, { where: '(Id,lt,2)' });
  expect(await path.rowStore.list(handle, { where }, { limit: 25, offset: 0 })).toHaveLength(2);
  // Whoever asks for the writer has looked for the rows.
  await bothFound;
  letGo();
  await writing;
  expect(await changing).toMatchObject({ result: 1 });
  // It has left what exists for the caller since it was found.
  expect(await deleting).toMatchObject({ result: 0 });
  const rows = await path.rowStore.list(handle, {}, { limit: 25, offset: 0 });
  // The first one matches no more, and the last one did not yet.
  expect(rows.map((row) => row.Notes)).toEqual(['other', 'found', 'wanted']);
  await path.dispose();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test('A search ends when its caller goes away, also one that would never end by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-searches-'));
  const openFile = (name: string) =>
    openDatabase({ kind: 'sqlite', file: join(folder, name), create: true }, { name });
  const [metadata, file] = [await openFile('metadata.db'), await openFile('shop.db')];
  const view =
    "create view numbers as with recursive n(i) as (select 1 union all select i + 1 from n) select i, case when i > 0 then 'any' end as name from n";
  await file.write((unit) => unit.run({ sql: view, bindings: [] }));
  const path = await createDataPath(metadata, { sqliteFolder: folder });
  const external = { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } } as const;
  const system = path.access.systemScope(undefined, 'test');
  const { id } = await path.schema.createProject(system, { title: 'Shop', external });
  const scope = path.access.systemScope(id, 'test');
  const handle = await path.handleOf(scope, (await path.schema.table(scope, 'Numbers')).id);
  const page = { limit: 25, offset: 0 };
  const search = (name: string, signal?: AbortSignal) =>
    path.rowStore.list(handle, { where: `(Name,eq,${name})` }, page, signal);
  // The threads of both are there then, so that the endless ones begin at once.
  await Promise.all([search('any'), search('any')]);

  const leaving = new AbortController();
  const endless = [search('none', leaving.signal), search('none', leaving.signal)];
  const outcomes = Promise.allSettled(endless);
  expect(await path.rowStore.list(handle, {}, page)).toHaveLength(25);
  leaving.abort();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'cancelled' } });
  let found: readonly unknown[] = [];
  while (found.length === 0) {
    found = await search('any').catch((error: unknown) => {
      expect(error).toMatchObject({ kind: 'busy' });
      return [];
    });
  }
  expect(found).toHaveLength(25);

  await path.dispose();
  await Promise.all([file.close(), metadata.close()]);
  await rm(folder, { recursive: true, force: true });
});
