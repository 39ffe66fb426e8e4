import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import SqliteFile from 'better-sqlite3';
import { rowHistory } from '../../host-server/changes/read-log.ts';
import { openDatabase } from '../../host-server/databases/index.ts';
import { createDataPath } from './data-path.ts';

/** The project of the fixture. */
const projectId = 'p_2gzii0rq42ct3a';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Opens what the version before the change log left: its database, as that version wrote it. */
async function openFormer() {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-former-'));
  folders.push(folder);
  const file = join(folder, 'trellis.db');
  const writing = new SqliteFile(file);
  writing.exec(await readFile(new URL('./fixtures/before-change-log.sql', import.meta.url), 'utf8'));
  writing.close();
  const database = await openDatabase({ kind: 'sqlite', file }, { name: 'former' });
  const path = await createDataPath(database);
  const scope = path.access.systemScope(projectId, 'test');
  const table = await path.schema.table(scope, 'Things');
  return { ...path, database, scope, table };
}

test('a data folder of the version before keeps its rows and views', async () => {
  const { rowStore, handleOf, scope, table, database, dispose } = await openFormer();
  const page = { limit: 100, offset: 0 };
  const rows = await rowStore.list(await handleOf(scope, table.id), {}, page);
  expect(rows.map((row) => row['Id'])).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  expect(rows[0]).toEqual({ Id: 1, Name: 'Big lamp', Price: '13.75', Sold: 1 });
  const dear = await rowStore.list(await handleOf(scope, table.id, 'Dear ones'), {}, page);
  expect(dear.map((row) => row['Id'])).toEqual([1, 11, 12, 13]);
  await dispose();
  await database.close();
});

test('a data folder of the version before keeps its history, its audit and what can be undone', async () => {
  const { metadata, rowStore, handleOf, audit, scope, table, database, dispose } = await openFormer();
  const id = (title: string) => table.columnByTitle.get(title)?.id ?? '';
  const history = async (key: string) =>
    (await rowHistory(metadata, { tableId: table.id, key }, { limit: 10 })).map(({ change }) => change);
  const lamp = await history('1');
  expect(lamp.map(({ op, after }) => [op, after?.[id('Name')], after?.[id('Price')]])).toEqual([
    ['update', undefined, '13.75'],
    ['update', 'Big lamp', undefined],
    ['insert', 'Lamp', '12.5'],
  ]);
  expect((await history('4')).map(({ op, actorEmail }) => `${op} ${actorEmail}`)).toEqual([
    'delete ann@example.com',
    'insert ann@example.com',
  ]);
  const lines = await audit.list(scope, { limit: 100, offset: 0 });
  expect(lines.map(({ type, subType }) => `${type} ${subType}`)).toEqual([
    'VIEW CREATED',
    'DATA DELETE',
    'DATA BULK_UPDATE',
    'DATA UPDATE',
    'DATA UPDATE',
    'DATA BULK_INSERT',
    'DATA INSERT',
    'TABLE CREATED',
    'PROJECT CREATED',
  ]);
  const handle = await handleOf(scope, table.id);
  await rowStore.undo(scope, lamp[0]?.operationId ?? '');
  await rowStore.undo(scope, (await history('4'))[0]?.operationId ?? '');
  const back = await rowStore.list(handle, { where: '(Id,in,1,4)' }, { limit: 10, offset: 0 });
  expect(back).toEqual([
    { Id: 1, Name: 'Big lamp', Price: '12.5', Sold: null },
    { Id: 4, Name: 'thing 2', Price: '2.25', Sold: 1 },
  ]);
  await dispose();
  await database.close();
});

test('a data folder of the version before leaves nothing behind in its former tables', async () => {
  const { database, dispose } = await openFormer();
  for (const table of ['trellis_change', 'trellis_audit', 'trellis_outbox'])
    expect(await database.schema((changer) => changer.hasTable(table))).toBe(false);
  const plugins = await database.read((unit) =>
    unit.all<{ id: string }>(unit.knex('trellis_plugin').where('id', 'like', 'sys-r%').select('id')),
  );
  expect(plugins.map(({ id }) => id)).toEqual(['sys-rows']);
  await dispose();
  await database.close();
});
