import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import SqliteFile from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { WorkerRequest } from '../../host-server/databases/sqlite/worker-protocol.ts';
import { openDatabase } from '../../host-server/databases/index.ts';
import { withMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';
import { recorded } from './recorded.ts';

const cities = {
  title: 'Cities',
  columns: [
    { title: 'Id', columnName: 'id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'Notes', type: 'LongText' },
    { title: 'People', type: 'Number' },
    { title: 'Area', type: 'Decimal' },
    { title: 'Founded', type: 'Date' },
    { title: 'Seen', type: 'DateTime' },
    { title: 'Capital', type: 'Checkbox' },
    { title: 'More', type: 'JSON' },
  ],
};

const oslo = {
  Name: 'Oslo',
  Notes: 'by\nthe fjord',
  People: 700_000,
  Area: 454.12,
  Founded: '1040-01-01',
  Seen: '2026-02-03 04:05:06+00:00',
  Capital: true,
  More: { rivers: ['Akerselva', 7, null] },
};

/** What is asked of the writing thread: each message that runs statements of a transaction. */
const isWrite = (batch: readonly WorkerRequest[]) => batch.some(({ call }) => call.kind === 'batch');

/** Looks at each message to a thread, and may do something before it is sent. */
function watchMessages(look: (batch: readonly WorkerRequest[]) => void): void {
  const send = Worker.prototype.postMessage;
  jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function post(this: Worker, batch, ...rest) {
    look(batch as readonly WorkerRequest[]);
    return send.call(this, batch, ...rest);
  });
}

describe('writes of single rows to a SQLite file, whose answers are foretold', () => {
  let folder = '';
  let number = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-foretold-'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function start() {
    number += 1;
    const file = join(folder, `${number}.db`);
    const database = await openDatabase({ kind: 'sqlite', file, create: true }, { name: 'foretold' });
    await withMetadata(database);
    const path = await createDataPath(database);
    const scope = await path.newProject('Atlas');
    const table = await path.schema.createTable(scope, cities);
    const handle = await path.handleOf(scope, table.id);
    const { rowStore } = path;
    await rowStore.create(handle, oslo);
    const intruder = new SqliteFile(file);
    return {
      rowStore,
      handle,
      intruder,
      table: `"${table.tableName}"`,
      columnOf: (title: string) => table.columnByTitle.get(title)?.id ?? '',
      changes: () => recorded(database, table.id),
      rows: async () => rowStore.list(await path.handleOf(scope, table.id), {}, { limit: 100, offset: 0 }),
      /** Lets somebody else write between the look at the rows and the transaction. */
      between(write: () => void) {
        let isDone = false;
        watchMessages((batch) => {
          if (isDone || !isWrite(batch)) return;
          isDone = true;
          write();
        });
      },
      async dispose() {
        intruder.close();
        await path.dispose();
        await database.close();
      },
    };
  }

  test('need one message for all that wait together, and give and record what is stored', async () => {
    const { rowStore, handle, rows, changes, columnOf, dispose } = await start();
    await rowStore.create(handle, { ...oslo, Name: 'Stavanger' });
    let messages = 0;
    watchMessages((batch) => {
      if (isWrite(batch)) messages += 1;
    });
    const [bergen, , , gone, , empty] = await Promise.all([
      rowStore.create(handle, { ...oslo, Name: 'Bergen', Capital: false, Area: '1.50' }),
      rowStore.update(handle, '1', { People: 700_001, More: [], Notes: null, Seen: '2026-01-01 00:00:00' }),
      rowStore.update(handle, '1', { People: 700_002 }),
      rowStore.delete(handle, '2'),
      rowStore.update(handle, '2', { People: 1 }),
      rowStore.create(handle, {}),
    ]);
    expect(messages).toBe(1);
    jest.restoreAllMocks();
    expect(gone.result).toBe(1);
    expect(await rows()).toEqual([
      expect.objectContaining({ Id: 1, People: 700_002, More: '[]', Notes: null }),
      bergen.result,
      empty.result,
    ]);
    expect(bergen.result).toMatchObject({
      Id: 3,
      Name: 'Bergen',
      Capital: 0,
      Area: '1.5',
      Founded: '1040-01-01',
    });
    const people = columnOf('People');
    const told = (await changes()).slice(2).map(({ op, rowKey, before, after }) => ({
      op,
      rowKey,
      people: [before?.[people], after?.[people]],
    }));
    // Writes of different rows that wait together may stand in any order; those of one row follow on each other.
    expect(told.toSorted((left, right) => Number(left.rowKey) - Number(right.rowKey))).toEqual([
      { op: 'update', rowKey: '1', people: [700_000, 700_001] },
      { op: 'update', rowKey: '1', people: [700_001, 700_002] },
      { op: 'delete', rowKey: '2', people: [700_000, undefined] },
      { op: 'insert', rowKey: '3', people: [undefined, 700_000] },
      { op: 'insert', rowKey: '4', people: [undefined, null] },
    ]);
    await dispose();
  });

  test('record the row that they found, also where it changed after it was looked at', async () => {
    const { rowStore, handle, intruder, table, between, changes, columnOf, dispose } = await start();
    between(() => intruder.exec(`update ${table} set "Name" = 'Christiania', "People" = 5 where id = 1`));
    const { result } = await rowStore.update(handle, '1', { People: 6 });
    expect(result).toMatchObject({ Name: 'Christiania', People: 6 });
    const last = (await changes()).at(-1);
    const people = columnOf('People');
    expect([last?.before, last?.after]).toEqual([{ [people]: 5 }, { [people]: 6 }]);
    await dispose();
  });

  test('find no row where it was deleted after it was looked at, and record nothing', async () => {
    const { rowStore, handle, intruder, table, between, changes, rows, dispose } = await start();
    const before = await changes();
    between(() => intruder.exec(`delete from ${table}`));
    const [updated, deleted] = await Promise.all([
      rowStore.update(handle, '1', { People: 6 }),
      rowStore.delete(handle, '1'),
    ]);
    expect([updated, deleted]).toEqual([
      { result: undefined, operationId: undefined },
      { result: 0, operationId: undefined },
    ]);
    expect(await changes()).toEqual(before);
    expect(await rows()).toEqual([]);
    await dispose();
  });

  test('change a row that came after they had found none', async () => {
    const { rowStore, handle, intruder, table, between, changes, dispose } = await start();
    between(() => intruder.exec(`insert into ${table} (id, "Name") values (7, 'Tromsø')`));
    const { result } = await rowStore.update(handle, '7', { People: 6 });
    expect(result).toMatchObject({ Name: 'Tromsø', People: 6 });
    expect((await changes()).at(-1)).toMatchObject({ op: 'update', rowKey: '7' });
    await dispose();
  });

  test('get the key that is free, also where somebody took the next one', async () => {
    const { rowStore, handle, intruder, table, between, changes, dispose } = await start();
    between(() => intruder.exec(`insert into ${table} ("Name") values ('Tromsø')`));
    const made = await Promise.all([rowStore.create(handle, oslo), rowStore.create(handle, oslo)]);
    expect(made.map(({ result }) => result['Id'])).toEqual([3, 4]);
    expect((await changes()).slice(-2).map(({ rowKey }) => rowKey)).toEqual(['3', '4']);
    await dispose();
  });

  test('are done by the new schema where it changed after it was looked at', async () => {
    const { rowStore, handle, intruder, between, changes, dispose } = await start();
    const scope = handle.table.projectId;
    const raise = intruder.prepare('update trellis_generation set value = value + 1 where scope = ?');
    between(() => expect(raise.run(scope).changes).toBe(1));
    expect((await rowStore.update(handle, '1', { People: 6 })).result).toMatchObject({ People: 6 });
    expect(await changes()).toHaveLength(2);
    await dispose();
  });

  test('fail one alone where its values are refused', async () => {
    const { rowStore, handle, intruder, table, rows, dispose } = await start();
    intruder.exec(`create unique index one_name on ${table} ("Name")`);
    const outcomes = await Promise.allSettled([
      rowStore.create(handle, { Name: 'Bergen' }),
      rowStore.create(handle, { Name: 'Oslo' }),
      rowStore.update(handle, '1', { People: 8 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await rows()).map((row) => [row['Name'], row['People']])).toEqual([
      ['Oslo', 8],
      ['Bergen', null],
    ]);
    await dispose();
  });
});
