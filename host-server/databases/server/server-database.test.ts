import { setTimeout as delay } from 'node:timers/promises';
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConnectionManager } from '../connections/connection-manager.ts';
import type { Database, ServerTarget } from '../database.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import { openDatabase } from '../connections/open-database.ts';
import { createTestDatabases, describeEachServer } from '../testing.ts';

/** A wire between us and the server that can be cut, or that can go silent as a dead network does. */
class Wire {
  readonly #target: ServerTarget;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  silent = false;
  /** Of what comes from the server, so much goes through at a time. */
  bytesPerTurn = Number.POSITIVE_INFINITY;
  readonly #swallowed = new WeakSet<Socket>();

  /** From now on nothing comes through the connections that are open; new ones work. */
  swallow(): void {
    for (const socket of this.#sockets) this.#swallowed.add(socket);
  }

  constructor(target: ServerTarget) {
    this.#target = target;
  }

  async connect(): Promise<void> {
    this.#server = createServer((near) => {
      const far = createConnection({ host: this.#target.host, port: this.#target.port });
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.on('data', (data) => {
          if (this.silent || this.#swallowed.has(from)) return;
          to.write(data);
          if (from !== far || this.bytesPerTurn === Number.POSITIVE_INFINITY) return;
          from.pause();
          setTimeout(() => from.resume(), (10 * data.length) / this.bytesPerTurn);
        });
        from.on('close', () => to.destroy());
        from.on('error', () => to.destroy());
      }
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as { port: number }).port;
  }

  target(pool = 3): ServerTarget {
    return { ...this.#target, host: '127.0.0.1', port: this.#port, pool: { max: pool } };
  }

  async cut(): Promise<void> {
    const closed = this.#server === undefined ? undefined : once(this.#server, 'close');
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }
}

describeEachServer('a database server', (kind) => {
  const databases = createTestDatabases(kind);
  let wire: Wire;
  let database: Database;

  beforeAll(async () => {
    wire = new Wire((await databases.target()) as ServerTarget);
    await wire.connect();
    database = await openDatabase(wire.target(), { name: 'through a wire' });
    await database.schema((changer) =>
      changer.createTable({
        name: 't',
        columns: [
          { name: 'id', kind: 'integer' },
          { name: 'v', kind: 'integer' },
        ],
        primaryKey: ['id'],
      }),
    );
    await database.write((unit) =>
      unit.run(
        unit.knex('t').insert([
          { id: 1, v: 0 },
          { id: 2, v: 0 },
        ]),
      ),
    );
  });

  afterAll(async () => {
    await database.close();
    await wire.cut();
    await databases.dropAll();
  });

  test('that goes away is told as unreachable, and serves again once it is back', async () => {
    await wire.cut();
    await expect(database.ping()).rejects.toMatchObject({ kind: 'unreachable', status: 503 });
    await wire.connect();
    await database.ping();
    const held = database.write(async (unit) => {
      await unit.run(unit.knex('t').where({ id: 1 }).update({ v: 9 }));
      await wire.cut();
      await unit.rows(unit.knex('t').select('*'));
    });
    await expect(held).rejects.toMatchObject({ kind: 'unreachable' });
    await wire.connect();
    expect(await database.read((unit) => unit.first(unit.knex('t').where({ id: 1 })))).toMatchObject({
      v: 0,
    });
  });

  test('that falls silent holds a caller no longer than asked, and its connection is replaced', async () => {
    await database.ping();
    wire.silent = true;
    await expect(
      database.read((unit) => unit.rows(unit.knex.raw('select 1')), { timeoutMs: 300 }),
    ).rejects.toMatchObject({
      kind: 'timeout',
      status: 504,
    });
    wire.silent = false;
    await database.ping();
  });

  test('that swallows what is sent to it in the middle of a write is found out, and its connection is replaced', async () => {
    const watched = await openDatabase(wire.target(), { name: 'watched', limits: { silenceMs: 100 } });
    const write = watched.write(async (unit) => {
      await unit.run(unit.knex('t').where({ id: 1 }).update({ v: 8 }));
      wire.swallow();
      await unit.run(unit.knex('t').where({ id: 2 }).update({ v: 8 }));
    });
    await expect(write).rejects.toMatchObject({ kind: 'unreachable', status: 503 });
    // New connections get through; the rows are free again.
    await watched.write((unit) => unit.run(unit.knex('t').where({ id: 1 }).update({ v: 0 })));
    await watched.close();
  });

  test('is not given up while a large answer comes over a slow way', async () => {
    const watched = await openDatabase(wire.target(), { name: 'slow way', limits: { silenceMs: 50 } });
    const large = Array.from({ length: 20 }, () => "select repeat('x', 1000000) as v").join(' union all ');
    wire.bytesPerTurn = 256 * 1024;
    const { rows } = await watched.read((unit) => unit.rows({ sql: large, bindings: [] }));
    wire.bytesPerTurn = Number.POSITIVE_INFINITY;
    expect(rows).toHaveLength(20);
    await watched.close();
  });

  test('is given the time that a slow statement takes, up to a minute unless the caller says otherwise', async () => {
    const sleep = kind === 'postgres' ? 'select pg_sleep(0.5)' : 'select sleep(0.5)';
    const patient = await openDatabase(wire.target(), { name: 'patient', limits: { silenceMs: 50 } });
    await patient.write((unit) => unit.rows({ sql: sleep, bindings: [] }));
    await patient.close();
    const hasty = await openDatabase(wire.target(), { name: 'hasty', limits: { unitMs: 100 } });
    const slow = hasty.write((unit) => unit.rows({ sql: sleep, bindings: [] }));
    await expect(slow).rejects.toMatchObject({ kind: 'timeout', status: 504 });
    await hasty.ping();
    await hasty.close();
  });

  test('ends what keeps a write of one step beyond its limit, so that the next ones are carried out', async () => {
    const hasty = await openDatabase(wire.target(), { name: 'hasty', limits: { unitMs: 300 } });
    const write = (sql: string) =>
      hasty.write((unit) => unit.last([{ sql, bindings: [] }]), { isOneStep: true });
    const slow = write(kind === 'postgres' ? 'select pg_sleep(600)' : 'select sleep(600)');
    await expect(slow).rejects.toMatchObject({ kind: 'timeout', status: 504 });
    await write('update t set v = 0 where id = 1');
    await hasty.close();
  });

  test('whose pool is empty says so instead of hanging', async () => {
    let leave = () => {};
    const stay = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const holders = Array.from({ length: 3 }, () => database.read(() => stay));
    await expect(database.read(async () => 1)).rejects.toMatchObject({
      kind: 'busy',
      code: 'DATABASE_BUSY',
      status: 503,
    });
    leave();
    await Promise.all(holders);
    await database.ping();
  });

  test('that breaks a deadlock has the losing write run again when it said that it may', async () => {
    let arrived = 0;
    let meet = () => {};
    const bothArrived = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const crossing = (first: number, second: number) =>
      database.write(
        async (unit) => {
          await unit.run(unit.knex('t').where({ id: first }).increment('v', 1));
          arrived += 1;
          if (arrived === 2) meet();
          await bothArrived;
          await unit.run(unit.knex('t').where({ id: second }).increment('v', 1));
        },
        { retry: true },
      );
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    // One of them at least loses; on a busy machine both may.
    expect(arrived).toBeGreaterThanOrEqual(3);
    const { rows } = await database.read((unit) => unit.rows(unit.knex('t').select('v')));
    expect(rows).toEqual([[2], [2]]);
  });

  test('waits for a locked table in short turns, until the schema can change', async () => {
    let leave = () => {};
    const stay = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const locked = database.write(async (unit) => {
      await unit.rows(unit.knex('t').select('*'));
      await stay;
    });
    // Longer than two turns of a second.
    setTimeout(() => leave(), 2500);
    await database.schema((changer) => changer.addColumn('t', { name: 'late', kind: 'integer' }));
    await locked;
    expect(await database.schema((changer) => changer.hasColumn('t', 'late'))).toBe(true);
  });

  test('takes the locks of a paused stream away for a schema change that waits for them', async () => {
    const stream = database
      .stream(database.builder('t').select('id'), { batchSize: 1 })
      [Symbol.asyncIterator]();
    await stream.next();
    await database.schema((changer) => changer.addColumn('t', { name: 'meanwhile', kind: 'integer' }));
    const next = stream.next();
    // MySQL has sent these few rows already and holds no lock for them.
    if (kind === 'mysql') expect(await next).toMatchObject({ done: false });
    else await expect(next).rejects.toMatchObject({ code: 'STREAM_STALLED' });
    await stream.return?.();
  });

  test('takes the locks of streams away that hold much of which nobody reads the rest', async () => {
    // Not through the wire, which takes all that comes.
    const direct = await openDatabase((await databases.target()) as ServerTarget, { name: 'direct' });
    await direct.schema((changer) =>
      changer.createTable({
        name: 'long',
        columns: [
          { name: 'id', kind: 'integer' },
          { name: 'v', kind: 'text' },
        ],
        primaryKey: ['id'],
      }),
    );
    // More than the buffers between a server and its client hold.
    const texts = Array.from({ length: 8 }, (_, id) => ({ id, v: 'x'.repeat(1_000_000) }));
    for (let part = 0; part < 5; part += 1)
      await direct.write((unit) =>
        unit.run(unit.knex('long').insert(texts.map(({ id, v }) => ({ id: part * 8 + id, v })))),
      );
    const streams = ['one', 'another'].map((share) =>
      direct.stream(direct.builder('long').select('*'), { batchSize: 1, share })[Symbol.asyncIterator](),
    );
    for (const stream of streams) await stream.next();
    await direct.schema((changer) => changer.addColumn('long', { name: 'meanwhile', kind: 'integer' }));
    for (const stream of streams)
      await expect(stream.next()).rejects.toMatchObject({ code: 'STREAM_STALLED' });
    await direct.close();
  });

  test('ends searches that keep a schema change waiting, however fast one follows another', async () => {
    const searched = await openDatabase(wire.target(), { name: 'searched' });
    await searched.schema((changer) =>
      changer.createTable({ name: 'many', columns: [{ name: 'id', kind: 'integer' }] }),
    );
    await searched.write((unit) => unit.run(unit.knex('many').insert({ id: 1 })));
    const slow = kind === 'mysql' ? 'sleep(20)' : 'pg_sleep(20)';
    const leaving = new AbortController();
    const ends: unknown[] = [];
    const search = async () => {
      while (!leaving.signal.aborted)
        await searched
          .read((unit) => unit.rows({ sql: `select ${slow} from many limit 1`, bindings: [] }), {
            work: 'long',
            share: 'searcher',
            signal: leaving.signal,
          })
          .catch((error: unknown) => ends.push(error));
    };
    const searches = [search(), search()];
    // Both run by then.
    await delay(1000);
    await searched.schema((changer) => changer.addColumn('many', { name: 'searched', kind: 'integer' }));
    leaving.abort();
    await Promise.all(searches);
    expect(ends).toContainEqual(expect.objectContaining({ kind: 'busy' }));
    expect(await searched.schema((changer) => changer.hasColumn('many', 'searched'))).toBe(true);
    await searched.close();
  });

  test('leaves connections to writes and to reads by key while others search', async () => {
    const wide = await openDatabase(wire.target(4), { name: 'rationed' });
    let leave = () => {};
    const stay = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const searches = ['bob', 'cid'].map((share) => wide.read(() => stay, { work: 'long', share }));
    await expect(wide.read(async () => 1, { work: 'long', share: 'ada' })).rejects.toMatchObject({
      kind: 'busy',
    });
    await wide.write((unit) => unit.rows(unit.knex('t').select('id')));
    expect(await wide.get({ sql: 'select id from t where id = ?', bindings: [1] })).toEqual([1]);
    leave();
    await Promise.all(searches);
    await wide.close();
  });

  test('refuses an answer that would fill the memory, and goes on', async () => {
    const many = Array.from({ length: 80 }, () => "select repeat('x', 1000000)").join(' union all ');
    const ask = database.write((unit) => unit.rows({ sql: many, bindings: [] }));
    await expect(ask).rejects.toMatchObject({ kind: 'tooLarge', status: 413 });
    expect((await database.read((unit) => unit.rows({ sql: 'select 1', bindings: [] }))).rows).toEqual([[1]]);
  });

  test('is reached at the address that was checked, not where its name points by then', async () => {
    const manager = new ConnectionManager({
      resolveHost: async ({ host }) => {
        if (host !== 'checked.invalid') throw new DatabaseError('unreachable');
        return '127.0.0.1';
      },
    });
    await manager.test({ ...wire.target(), host: 'checked.invalid' });
    await expect(manager.test({ ...wire.target(), host: '127.0.0.1' })).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });

  test('keeps prepared what is asked for now, however much was asked for before', async () => {
    if (kind !== 'postgres') return expect(kind).toBe('mysql');
    const prepared = await database.read(async (unit) => {
      for (const name of [...Array(700).keys(), 'latest']) {
        for (let time = 0; time < 3; time += 1)
          await unit.all(unit.knex.select(unit.knex.raw('1 as ??', [`asked_${name}`])));
      }
      return unit.all<{ statement: string }>(unit.knex('pg_prepared_statements').select('statement'));
    });
    expect(prepared.length).toBeLessThanOrEqual(300);
    return expect(prepared.map(({ statement }) => statement)).toContain('select 1 as "asked_latest"');
  });

  test('compresses long texts with lz4 where PostgreSQL was built with it', async () => {
    if (kind !== 'postgres') return expect(kind).toBe('mysql');
    const setting = "select setting, enumvals @> array['lz4'] from pg_settings where name = ?";
    const { rows } = await database.read((unit) =>
      unit.rows({ sql: setting, bindings: ['default_toast_compression'] }),
    );
    // PostgreSQL before 14 has no such setting.
    return expect(rows.map(([compression]) => compression === 'lz4')).toEqual(rows.map(([, has]) => has));
  });

  test('has PostgreSQL compile no statements to machine code, which takes longer for formulas than to run them', async () => {
    if (kind !== 'postgres') return expect(kind).toBe('mysql');
    const { rows } = await database.read((unit) => unit.rows({ sql: 'show jit', bindings: [] }));
    return expect(rows).toEqual([['off']]);
  });

  test('keeps to the schema that it was given', async () => {
    if (kind !== 'postgres') return expect(kind).toBe('mysql');
    await database.write((unit) => unit.run(unit.knex.raw('create schema "Sales ""x"')));
    const sales = await openDatabase({ ...wire.target(), schema: 'Sales "x' }, { name: 'sales' });
    await sales.schema((changer) =>
      changer.createTable({ name: 'mine', columns: [{ name: 'v', kind: 'text' }] }),
    );
    const schema = await sales.read((unit) => sales.dialect.introspection.read(unit));
    await sales.close();
    return expect(schema.tables.map(({ name }) => name)).toEqual(['mine']);
  });

  test('gets no file of ours, whatever it asks for', async () => {
    if (kind !== 'mysql') return expect(kind).toBe('postgres');
    const load = database.write((unit) =>
      unit.run(unit.knex.raw("load data local infile '/etc/hostname' into table t")),
    );
    return expect(load).rejects.toBeInstanceOf(Error);
  });
});
