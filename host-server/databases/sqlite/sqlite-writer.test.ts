import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openDatabase } from '../connections/open-database.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SqliteWriter } from './sqlite-writer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-writer-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (name: string) =>
  openDatabase({ kind: 'sqlite', file: join(folder, name), create: true }, { name });

/** All but `setTimeout` and its end. */
const realTimers = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

describe('the writer of a SQLite file', () => {
  test('shares one commit among the units of one moment', async () => {
    const database = await open('grouped.db');
    await database.schema((changer) =>
      changer.createTable({ name: 't', columns: [{ name: 'v', kind: 'integer' }] }),
    );
    // A group takes units for some milliseconds, which a busy machine may spend on one of them.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const order: string[] = [];
    const writes = Array.from({ length: 20 }, async (_, v) => {
      await database.write(async (unit) => {
        order.push('unit');
        await unit.run(unit.knex('t').insert({ v }));
      });
      order.push('acknowledged');
    });
    await Promise.all(writes);
    clock.mockRestore();
    expect(order.indexOf('acknowledged')).toBe(20);
    await database.close();
  });

  test('keeps the write-ahead log from growing without bound', async () => {
    const database = await open('wal.db');
    await database.schema((changer) =>
      changer.createTable({ name: 't', columns: [{ name: 'v', kind: 'binary' }] }),
    );
    const megabyte = Buffer.alloc(1024 * 1024, 7);
    for (let round = 0; round < 150; round += 1) {
      await database.write((unit) => unit.run(unit.knex('t').insert({ v: megabyte })));
      await database.write((unit) => unit.run(unit.knex('t').delete()));
    }
    expect((await stat(join(folder, 'wal.db-wal'))).size).toBeLessThan(70 * 1024 * 1024);
    await database.close();
  });

  test('gets a new writing thread when one died, and tells the units that died with it', async () => {
    const file = join(folder, 'revived.db');
    const connections: SqliteConnection[] = [];
    const open = async () => {
      const connection = await SqliteConnection.open({ file, role: 'writer', create: true, readOnly: false });
      connections.push(connection);
      return connection;
    };
    const writer = await SqliteWriter.create({ file, open, read: () => undefined });
    await writer.exclusively((session) => session.execute('create table t (v)'));
    const unlucky = writer.write(async (session) => {
      await session.execute('insert into t values (1)');
      await connections[0]?.abandon();
      await session.execute('insert into t values (2)');
    });
    await expect(unlucky).rejects.toBeInstanceOf(Error);
    const together = [4, 5].map((v) =>
      writer.write(
        async (session) => {
          const inserted = session.execute('insert into t values (?)', [v]);
          if (v === 5) void connections.at(-1)?.abandon();
          await inserted;
          await session.executeLast?.([]);
        },
        { isOneStep: true },
      ),
    );
    const outcomes = await Promise.allSettled(together);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await writer.write((session) => session.execute('insert into t values (3)'));
    const { rows } = await writer.write((session) => session.execute('select v from t'));
    expect(rows).toEqual([[3]]);
    await writer.close();
  });

  test('goes on writing after its commits, rollbacks and checkpoints have failed', async () => {
    const file = join(folder, 'failing.db');
    const failing = new Set<string>();
    const connections: SqliteConnection[] = [];
    const diskFailed = () => Object.assign(new Error('disk'), { code: 'SQLITE_IOERR' });
    const open = async () => {
      const connection = await SqliteConnection.open({ file, role: 'writer', create: true, readOnly: false });
      for (const method of ['execute', 'executeInTransaction'] as const) {
        const run = connection[method].bind(connection);
        connection[method] = (sql, bindings) =>
          failing.has(sql) ? Promise.reject(diskFailed()) : run(sql, bindings);
      }
      const runAll = connection.executeAllInTransaction.bind(connection);
      connection.executeAllInTransaction = (statements, options) =>
        statements.some(({ sql }) => failing.has(sql))
          ? Promise.reject(diskFailed())
          : runAll(statements, options);
      connections.push(connection);
      return connection;
    };
    const writer = await SqliteWriter.create({ file, open, read: () => undefined });
    const warnings: string[] = [];
    const warning = jest
      .spyOn(process, 'emitWarning')
      .mockImplementation((text) => void warnings.push(String(text)));
    const insert = (v: number | Uint8Array) =>
      writer.write((session) => session.execute('insert into t values (?)', [v]));
    await writer.exclusively((session) => session.execute('create table t (v)'));

    failing.add('commit').add('rollback');
    await expect(insert(1)).rejects.toMatchObject({ code: 'SQLITE_IOERR' });
    failing.clear();
    await insert(2);
    expect(connections).toHaveLength(2);

    // A unit that cannot be taken back alone takes those with it that share its transaction.
    failing.add('rollback to unit');
    const neighbour = insert(3);
    const lost = writer.write(async (session) => {
      await session.execute('insert into t values (3)');
      throw new Error('changed my mind');
    });
    await expect(neighbour).rejects.toMatchObject({ code: 'SQLITE_IOERR' });
    await expect(lost).rejects.toMatchObject({ code: 'SQLITE_IOERR' });
    failing.clear();
    await insert(4);

    failing.add('pragma wal_checkpoint(truncate)');
    const megabyte = new Uint8Array(1024 * 1024);
    for (let round = 0; round < 300; round += 1) await insert(round < 80 ? megabyte : 5);
    expect(warnings.some((text) => text.includes('disk'))).toBe(true);
    const { rows } = await writer.write((session) => session.execute('pragma busy_timeout'));
    expect(rows).toEqual([[5000]]);
    failing.add('pragma busy_timeout = 5000');
    for (let round = 0; round < 300; round += 1) await insert(6);
    failing.clear();
    const values = await writer.write((session) => session.execute('select v from t where v < 5 order by v'));
    expect(values.rows).toEqual([[2], [4]]);
    warning.mockRestore();
    await writer.close();
  });

  test('lets shares take turns at the writer, and tells who waited too long that it is busy', async () => {
    const database = await open('turns.db');
    await database.schema((changer) =>
      changer.createTable({ name: 't', columns: [{ name: 'v', kind: 'text' }] }),
    );
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const order: string[] = [];
    const write = (share: string, work?: 'bulk') =>
      database.write(
        async (unit) => {
          order.push(work ?? share);
          await unit.run(unit.knex('t').insert({ v: share }));
        },
        { share, work },
      );
    const first = database.write(() => held, { share: 'bulk' });
    const others = [...Array.from({ length: 5 }, () => write('bulk')), write('ada'), write('grace')];
    letGo();
    await Promise.all([first, ...others]);
    expect(order.slice(0, 3).sort()).toEqual(['ada', 'bulk', 'grace']);

    order.length = 0;
    const heldAgain = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const busy = database.write(() => heldAgain, { share: 'ada' });
    const many = [...Array.from({ length: 5 }, () => write('ada', 'bulk')), write('ada')];
    letGo();
    await Promise.all([busy, ...many]);
    expect(order.slice(0, 2).sort()).toEqual(['ada', 'bulk']);

    const long = database.write(
      () =>
        new Promise<void>((resolve) => {
          letGo = resolve;
        }),
      { share: 'bulk' },
    );
    // The patience of the line alone is counted by hand.
    jest.useFakeTimers({ doNotFake: [...realTimers] });
    const late = write('ada').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(10_000);
    jest.useRealTimers();
    expect(await late).toMatchObject({ kind: 'busy', status: 503, code: 'DATABASE_BUSY' });
    letGo();
    await long;
    await write('ada');
    await database.close();
  });
});
