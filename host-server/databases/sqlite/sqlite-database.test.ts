import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open as openFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import SqliteFile from 'better-sqlite3';
import { openDatabase } from '../connections/open-database.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SqliteWriter } from './sqlite-writer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-sqlite-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (name: string, options: { create?: boolean; readOnly?: boolean } = { create: true }) =>
  openDatabase({ kind: 'sqlite', file: join(folder, name), ...options }, { name });

describe('a SQLite database', () => {
  test('has every acknowledged row, and whole tables, after its process was killed', async () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const file = join(folder, 'killed.db');
    for (let round = 0; round < 3; round += 1) {
      await rm(file, { force: true });
      const script = join(root, 'host-server/databases/sqlite/writes-until-killed.ts');
      const child = spawn(process.execPath, [join(root, 'tests/run-typescript.mjs'), script, file], {
        cwd: root,
      });
      const acknowledged: number[] = [];
      const lines = createInterface({ input: child.stdout });
      const ended = once(lines, 'close');
      lines.on('line', (line) => {
        acknowledged.push(Number(line));
        if (acknowledged.length === 50 + round * 37) child.kill('SIGKILL');
      });
      await ended;

      const database = await openDatabase({ kind: 'sqlite', file }, { name: 'after the kill' });
      const { rows } = await database.read((unit) =>
        unit.rows(
          unit.knex('parents').leftJoin('children', 'parents.id', 'parent_id').select('n', 'parent_id'),
        ),
      );
      const kept = new Set(rows.map(([n]) => n));
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
      expect(rows.filter(([, parent]) => parent === null)).toEqual([]);
      const { tables } = await database.read((unit) => database.dialect.introspection.read(unit));
      expect(tables.map(({ name }) => name)).toEqual(['children', 'parents']);
      await database.close();
    }
  }, 60_000);

  test('refuses a damaged file and one that is no database, in words, and leaves both as they are', async () => {
    const database = await open('damaged.db');
    await database.schema((changer) =>
      changer.createTable({
        name: 't',
        columns: [{ name: 'v', kind: 'text' }],
        indexes: [{ name: 'i', columns: ['v'] }],
      }),
    );
    await database.write((unit) =>
      unit.run(
        unit.knex('t').insert(Array.from({ length: 500 }, (_, index) => ({ v: `${index}`.repeat(50) }))),
      ),
    );
    await database.close();
    const file = await openFile(join(folder, 'damaged.db'), 'r+');
    await file.write(Buffer.alloc(12_000, 0xa5), 0, 12_000, 8192);
    await file.close();
    await writeFile(join(folder, 'text.db'), 'This is a letter, not a database. '.repeat(100));
    for (const name of ['damaged.db', 'text.db']) {
      const before = await stat(join(folder, name));
      await expect(open(name)).rejects.toMatchObject({
        kind: 'damaged',
        message: expect.stringContaining('backup'),
      });
      expect((await stat(join(folder, name))).size).toBe(before.size);
    }
  });

  test('must exist unless it is to be made, and is a path', async () => {
    await expect(open('missing.db', {})).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(open('missing.db', { readOnly: true })).rejects.toMatchObject({ kind: 'unreachable' });
    for (const file of [':memory:', 'file:x.db?mode=memory', '']) {
      await expect(openDatabase({ kind: 'sqlite', file, create: true }, { name: 'x' })).rejects.toThrow(
        /file path/,
      );
    }
  });

  test('that is read-only keeps its journal mode and refuses writes', async () => {
    const made = new SqliteFile(join(folder, 'theirs.db'));
    made.exec('create table t (v); insert into t values (1)');
    made.close();
    const database = await open('theirs.db', { readOnly: true });
    const { rows } = await database.read((unit) => unit.rows(unit.knex.raw('pragma journal_mode')));
    expect(rows).toEqual([['delete']]);
    await expect(database.write(async () => 1)).rejects.toMatchObject({ kind: 'readOnly' });
    await expect(database.schema(async () => 1)).rejects.toMatchObject({ kind: 'readOnly' });
    await database.close();
  });

  test('lets no reader write', async () => {
    const database = await open('readers.db');
    const sneaky = database.read((unit) => unit.run(unit.knex.raw('create table t (v)')));
    await expect(sneaky).rejects.toMatchObject({ kind: 'readOnly' });
    await database.close();
  });

  test('reaches no other file and keeps its readers reading, whatever SQL it is given', async () => {
    const database = await open('fenced.db');
    const fence = (sql: string) => database.read((unit) => unit.rows(unit.knex.raw(sql)));
    for (const sql of [
      `attach '${join(folder, 'other.db')}' as other`,
      `/* a comment */ -- another\n ; ATTACH '${join(folder, 'other.db')}' as other`,
      `vacuum into '${join(folder, 'copy.db')}'`,
      'pragma query_only = off',
      'PRAGMA main.query_only(0)',
    ]) {
      await expect(fence(sql)).rejects.toMatchObject({ kind: 'readOnly' });
    }
    await expect(fence("select load_extension('x')")).rejects.toMatchObject({ kind: 'unknown' });
    const attached = database.write((unit) => unit.run(unit.knex.raw("attach ':memory:' as other")));
    await expect(attached).rejects.toMatchObject({ kind: 'readOnly' });
    await expect(stat(join(folder, 'copy.db'))).rejects.toMatchObject({ code: 'ENOENT' });
    await database.close();
  });

  test('waits for another process instead of answering that it is busy', async () => {
    const database = await open('shared.db');
    await database.schema((changer) =>
      changer.createTable({ name: 't', columns: [{ name: 'v', kind: 'integer' }] }),
    );
    const other = new SqliteFile(join(folder, 'shared.db'));
    other.exec('begin immediate');
    const write = database.write((unit) => unit.run(unit.knex('t').insert({ v: 1 })));
    setTimeout(() => other.exec('commit'), 200);
    expect(await write).toMatchObject({ changes: 1 });
    other.close();
    await database.close();
  });

  test('shares one commit among the units of one moment', async () => {
    const database = await open('grouped.db');
    await database.schema((changer) =>
      changer.createTable({ name: 't', columns: [{ name: 'v', kind: 'integer' }] }),
    );
    const order: string[] = [];
    const writes = Array.from({ length: 20 }, async (_, v) => {
      await database.write(async (unit) => {
        order.push('unit');
        await unit.run(unit.knex('t').insert({ v }));
      });
      order.push('acknowledged');
    });
    await Promise.all(writes);
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
  }, 60_000);

  test('has the functions that formulas need', async () => {
    const database = await open('functions.db');
    const { rows } = await database.read((unit) =>
      unit.rows(
        unit.knex.raw('select log(100), log(2, 8), exp(0), power(2, 3), sqrt(9), log(null), sqrt(-1)'),
      ),
    );
    expect(rows).toEqual([[2, 3, 1, 8, 3, null, null]]);
    await database.close();
  });

  test('counts a statement that was given up until it ends, and serves others meanwhile', async () => {
    const database = await open('given-up.db');
    const slow =
      'with recursive c(i) as (select 1 union all select i + 1 from c where i < 3000000) select count(*) from c';
    const given = Array.from({ length: 3 }, () =>
      database.read((unit) => unit.rows(unit.knex.raw(slow)), { timeoutMs: 20 }),
    );
    const outcomes = await Promise.allSettled(given);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await database.ping();
    await database.close();
  }, 20_000);

  test('gets a new writing thread when one died, and tells the units that died with it', async () => {
    const file = join(folder, 'revived.db');
    const connections: SqliteConnection[] = [];
    const writer = await SqliteWriter.create(file, async () => {
      const connection = await SqliteConnection.open({ file, role: 'writer', create: true, readOnly: false });
      connections.push(connection);
      return connection;
    });
    await writer.exclusively((session) => session.execute('create table t (v)'));
    const unlucky = writer.write(async (session) => {
      await session.execute('insert into t values (1)');
      await connections[0]?.abandon();
      await session.execute('insert into t values (2)');
    });
    await expect(unlucky).rejects.toBeInstanceOf(Error);
    await writer.write((session) => session.execute('insert into t values (3)'));
    const { rows } = await writer.write((session) => session.execute('select v from t'));
    expect(rows).toEqual([[3]]);
    await writer.close();
  });

  test('does not read rows that nobody asks for', async () => {
    const database = await open('credit.db');
    const endless = database.builder.raw(
      'with recursive c(i) as (select 1 union all select i + 1 from c) select i from c',
    );
    let taken = 0;
    for await (const { rows } of database.stream(endless, { batchSize: 100 })) {
      taken += rows.length;
      if (taken >= 1000) break;
    }
    expect(taken).toBe(1000);
    await database.close();
  });
});
