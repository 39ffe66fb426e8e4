import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, open as openFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import SqliteFile from 'better-sqlite3';
import type { ReadOptions } from '../database.ts';
import { openDatabase } from '../connections/open-database.ts';
import type { DatabaseError } from '../../sql/database-error.ts';
import type { Unit } from '../../sql/unit.ts';
import { untilFree } from '../testing/until-free.ts';

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
  });

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
    const answers = [
      ['damaged.db', { kind: 'damaged', status: 503, message: expect.stringContaining('backup') }],
      [
        'text.db',
        { kind: 'notADatabase', status: 400, message: expect.stringContaining('not a SQLite database') },
      ],
    ] as const;
    for (const [name, answer] of answers) {
      const before = await stat(join(folder, name));
      await expect(open(name)).rejects.toMatchObject(answer);
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

  test('keeps few pages of its file for each connection', async () => {
    const database = await open('pages.db');
    const kept = async (unit: Unit) => (await unit.rows(unit.knex.raw('pragma cache_size'))).rows[0]?.[0];
    const sizes = [
      await database.read(kept),
      await database.read(kept, { work: 'long' }),
      await database.write(kept),
      (await database.get({ sql: 'pragma cache_size', bindings: [] }))?.[0],
    ];
    expect(sizes.map((size) => Number(size) / -1000)).toEqual([2, 2, 8, 2]);
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
    const read = (options: ReadOptions) =>
      database.read((unit) => unit.rows({ sql: slow, bindings: [] }), options);
    const given = [1, 2].map(() => read({ work: 'long', timeoutMs: 20 }));
    const outcomes = await Promise.allSettled(given);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await database.ping();
    expect(await untilFree(() => read({ work: 'long' }))).toMatchObject({ rows: [[3_000_000]] });
    await database.close();
  });

  test('serves points and pages while long reads take all that long reads may have', async () => {
    const database = await open('lanes.db');
    const endless =
      "with recursive c(i) as (select 1 union all select i + 1 from c) select count(*) from c where trellis_lower(i) = ''";
    const controller = new AbortController();
    const search = (share: string) =>
      database.read((unit) => unit.rows({ sql: endless, bindings: [] }), {
        work: 'long',
        share,
        signal: controller.signal,
      });
    const mine = Array.from({ length: 4 }, () => search('searcher'));
    // One person leaves a place to others.
    expect(await database.read(async () => 1, { work: 'long', share: 'ada' })).toBe(1);
    const outcomes = Promise.allSettled([...mine, search('another')]);
    for (const work of ['point', 'page'] as const) {
      const { rows } = await database.read((unit) => unit.rows({ sql: 'select 1', bindings: [] }), { work });
      expect(rows).toEqual([[1]]);
    }
    expect(await database.get({ sql: 'select 1', bindings: [] })).toEqual([1]);
    // Three searches run; the others have waited too long when this comes back.
    await expect(database.read(async () => 1, { work: 'long', share: 'ada' })).rejects.toMatchObject({
      kind: 'busy',
    });
    controller.abort();
    const reasons = (await outcomes).flatMap((outcome) =>
      outcome.status === 'rejected' ? [String((outcome.reason as DatabaseError).kind)] : [],
    );
    expect(new Set(reasons)).toEqual(new Set(['busy', 'cancelled']));
    expect(reasons).toHaveLength(5);
    // An endless statement that calls a function of ours has ended with its caller, so its place is free.
    expect(await untilFree(() => database.read(async () => 'free', { work: 'long' }))).toBe('free');
    await database.close();
  });

  test('leaves a page to others while the pages of one person take long', async () => {
    const database = await open('slow-pages.db');
    const endless =
      "with recursive c(i) as (select 1 union all select i + 1 from c) select count(*) from c where trellis_lower(i) = ''";
    const controller = new AbortController();
    const mine = Array.from({ length: 4 }, () =>
      database.read((unit) => unit.rows({ sql: endless, bindings: [] }), {
        work: 'page',
        share: 'searcher',
        signal: controller.signal,
      }),
    );
    const outcomes = Promise.allSettled(mine);
    expect(await database.read(async () => 'a page', { work: 'page', share: 'ada' })).toBe('a page');
    controller.abort();
    const reasons = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason);
    expect(reasons).toEqual(mine.map(() => expect.objectContaining({ kind: 'cancelled' })));
    await database.close();
  });

  test('reads by key in the calling thread, and by a worker while another process locks the file', async () => {
    const made = new SqliteFile(join(folder, 'locked.db'));
    made.exec('create table t (id integer primary key, v); insert into t values (1, 9007199254740993)');
    const database = await open('locked.db');
    const byId = { sql: 'select id, v from t where id = ?', bindings: [1] };
    expect(database.get(byId)).toEqual([1, '9007199254740993']);
    expect(() => database.get({ sql: 'delete from t', bindings: [] })).toThrow(/return data/);
    expect(() => database.get({ sql: 'delete from t returning id', bindings: [] })).toThrow(/read-only/);
    expect(database.get(byId)).toEqual([1, '9007199254740993']);
    made.close();
    await database.close();
    const journal = new SqliteFile(join(folder, 'journal.db'));
    journal.exec('create table t (id integer primary key, v); insert into t values (1, 2)');
    const readOnly = await open('journal.db', { readOnly: true });
    journal.exec('begin exclusive');
    const waiting = readOnly.get(byId);
    expect(waiting).toBeInstanceOf(Promise);
    journal.exec('commit');
    expect(await waiting).toEqual([1, 2]);
    journal.close();
    await readOnly.close();
  });

  test('leaves long rows to a worker, and does not read them before', async () => {
    const database = await open('long.db');
    await database.write(async (unit) => {
      await unit.run({ sql: 'create table t (id integer primary key, v)', bindings: [] });
      await unit.run({ sql: 'insert into t values (1, 2), (2, zeroblob(1000)), (3, null)', bindings: [] });
      const many = 'with recursive c(i) as (select 10 union all select i + 1 from c where i < 700)';
      await unit.run({ sql: `${many} insert into t select i, hex(zeroblob(400)) from c`, bindings: [] });
    });
    const isShort = database.dialect.statements.shortRow([{ sql: 'v', bindings: [] }], 900)?.sql ?? '';
    const byId = (id: number) =>
      database.get({ sql: `select id from t where id = ? and ${isShort}`, bindings: [id] });
    expect([byId(1), byId(3), byId(4)]).toEqual([[1], [3], undefined]);
    const waiting = byId(2);
    expect(waiting).toBeInstanceOf(Promise);
    expect(await waiting).toEqual([2]);
    const page = (ids: readonly [number, number], options = { isShort: true }) =>
      database.readJson?.(
        { sql: `select id, v from t where id between ? and ? and ${isShort} order by id`, bindings: ids },
        [
          { key: 'id', as: 'plain' },
          { key: 'v', as: 'plain' },
        ],
        options,
      );
    expect(page([10, 20])).toBeInstanceOf(Uint8Array);
    // One with a long row, and one of too many bytes.
    for (const ids of [
      [1, 20],
      [10, 700],
    ] as const) {
      const asked = page(ids);
      expect(asked).toBeInstanceOf(Promise);
      expect(await asked).toEqual(await page(ids, { isShort: false }));
    }
    await database.close();
  });

  test('refuses an answer that would fill the memory', async () => {
    const database = await open('huge.db');
    const sql =
      'with recursive c(i) as (select 1 union all select i + 1 from c where i < 5000) select hex(zeroblob(20000)) from c';
    for (const ask of [
      database.read((unit) => unit.rows({ sql, bindings: [] })),
      database.write((unit) => unit.rows({ sql, bindings: [] })),
      database.readJson?.({ sql, bindings: [] }, [{ key: 'v', as: 'plain' }]),
    ]) {
      await expect(ask).rejects.toMatchObject({ kind: 'tooLarge', status: 413 });
    }
    await database.ping();
    await database.close();
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

  test('has let go of its file when it is closed, also by reads that were given up or had just begun', async () => {
    const database = await open('let-go.db');
    await database.write((unit) => unit.run({ sql: 'create table t (v)', bindings: [] }));
    const files = () => readdirSync(folder).filter((name) => name.startsWith('let-go.db'));
    expect(files()).toContain('let-go.db-wal');
    const counting =
      'with recursive c(i) as (select 1 union all select i + 1 from c where i < 3000000) select count(*), (select count(*) from t) from c';
    const givingUp = new AbortController();
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const givenUp = database.read(
      async (unit) => {
        const rows = unit.rows({ sql: counting, bindings: [] });
        begin();
        return rows;
      },
      { signal: givingUp.signal },
    );
    const outcome = givenUp.catch((error: unknown) => error);
    await begun;
    givingUp.abort();
    expect(await outcome).toMatchObject({ kind: 'cancelled' });
    const late = database
      .read((unit) => unit.rows({ sql: 'select v from t', bindings: [] }), { work: 'long' })
      .catch(() => undefined);
    await database.close();
    // The last connection that closes a file takes its write-ahead log along.
    expect(files()).toEqual(['let-go.db']);
    await late;
    expect(files()).toEqual(['let-go.db']);
  });
});
