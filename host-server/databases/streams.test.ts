import { expect, test } from '@jest/globals';
import { insert, names, openWithPeople } from './people-table.ts';
import { describeEachDatabase } from './testing.ts';

describeEachDatabase('a stream', (open) => {
  test('lets a fourth stream wait for its turn, and leave the line', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) => insert(unit, 'Ada'));
    const query = database.builder('people').select('name');
    const streams = [1, 2, 3].map(() => database.stream(query, { batchSize: 1 })[Symbol.asyncIterator]());
    await Promise.all(streams.map((stream) => stream.next()));
    const controller = new AbortController();
    const given = database.stream(query, { signal: controller.signal })[Symbol.asyncIterator]().next();
    const waiting = database.stream(query)[Symbol.asyncIterator]();
    const fourth = waiting.next();
    controller.abort();
    await expect(given).rejects.toMatchObject({ kind: 'cancelled' });
    for (const stream of streams) await stream.return?.();
    expect((await fourth).value).toMatchObject({ rows: [['Ada']] });
    await waiting.return?.();
  });

  test('of one person goes on beside another one, and both leave a turn to others, however many are begun and not read', async () => {
    const database = await openWithPeople(open);
    for (const name of ['Ada', 'Bob', 'Cem']) await database.write((unit) => insert(unit, name));
    const query = database.builder('people').select('name').orderBy('id');
    const given = new AbortController();
    const start = (share: string) =>
      database.stream(query, { batchSize: 1, share, signal: given.signal })[Symbol.asyncIterator]();
    const unread = [start('ann'), start('ann'), start('ann'), start('ann')];
    const [first, second, ...others] = unread.map((stream) => stream.next().catch((error: unknown) => error));
    for (const begun of [first, second]) expect(await begun).toMatchObject({ value: { rows: [['Ada']] } });
    // Neither had to wait until the other one was taken for forgotten.
    for (const stream of unread.slice(0, 2))
      expect(await stream.next()).toMatchObject({ value: { rows: [['Bob']] } });
    const ben = start('ben');
    expect((await ben.next()).value).toMatchObject({ rows: [['Ada']] });
    await ben.return?.();
    given.abort();
    expect(await Promise.all(others)).toEqual(
      others.map(() => expect.objectContaining({ kind: 'cancelled' })),
    );
    for (const stream of unread.slice(0, 2)) await stream.return?.();
  });

  test('takes everything back from a stream whose consumer stands still, and tells the consumer', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) =>
      unit.run(unit.knex('people').insert(Array.from({ length: 60 }, (_, n) => ({ name: `p${n}` })))),
    );
    const query = database.builder('people').select('name');
    const start = (stallMs?: number) =>
      database.stream(query.clone().orderBy('id'), { batchSize: 1, stallMs })[Symbol.asyncIterator]();
    const [paused, patient, other] = [start(50), start(), start()];
    await Promise.all([paused.next(), patient.next(), other.next()]);
    // All turns are taken, so this one waits until the paused stream has lost its own.
    let read = 0;
    for await (const { rows } of database.stream(query, { batchSize: 10 })) read += rows.length;
    expect(read).toBe(60);
    await expect(paused.next()).rejects.toMatchObject({ kind: 'timeout', code: 'STREAM_STALLED' });
    expect(await paused.next()).toMatchObject({ done: true });
    expect(await patient.next()).toMatchObject({ value: { rows: [['p1']] } });
    for (const stream of [patient, other]) await stream.return?.();
  });

  test('leaves nothing on a connection when a snapshot is given up while it opens a table', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) =>
      unit.run(unit.knex('people').insert(Array.from({ length: 60 }, (_, n) => ({ name: `p${n}` })))),
    );
    const controller = new AbortController();
    const snapshot = await database.snapshot({ signal: controller.signal });
    const reading = snapshot
      .stream(database.builder('people').select('name'), { batchSize: 1 })
      [Symbol.asyncIterator]()
      .next();
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: 'DatabaseError' });
    await snapshot.close();
    // As many at once as there are connections, so that each of them is asked.
    const all = await Promise.all(Array.from({ length: 30 }, () => names(database)));
    expect(all.map(({ length }) => length)).toEqual(Array.from({ length: 30 }, () => 60));
  });

  test('reads several tables as they were at one moment, while people write and change what was read', async () => {
    const database = await openWithPeople(open);
    await database.schema((changer) =>
      changer.createTable({ name: 'pets', columns: [{ name: 'name', kind: 'string' }] }),
    );
    const add = (name: string) =>
      database.write(async (unit) => {
        await insert(unit, name);
        await unit.run(unit.knex('pets').insert({ name }));
      });
    await add('Ada');
    const snapshot = await database.snapshot();
    const read = async (table: string) => {
      const seen: unknown[] = [];
      for await (const { rows } of snapshot.stream(database.builder(table).select('name'), { batchSize: 1 }))
        seen.push(...rows.map(([name]) => name));
      return seen;
    };
    await add('Bob');
    expect(await read('people')).toEqual(['Ada']);
    await add('Cleo');
    // Whoever changes what was read already does not wait for the rest.
    await database.schema((changer) => changer.addColumn('people', { name: 'nick', kind: 'string' }));
    expect(await read('pets')).toEqual(['Ada']);
    await snapshot.close();
    await expect(read('pets')).rejects.toMatchObject({ kind: 'timeout', code: 'SNAPSHOT_ENDED' });
    expect(await names(database)).toHaveLength(3);
  });

  test('never gives a table that was written anew since the moment as if it had been empty', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) => unit.run(unit.knex('people').insert({ name: 'Ada', age: 7 })));
    const snapshot = await database.snapshot();
    await database.schema((changer) => changer.changeColumn('people', { name: 'age', kind: 'string' }));
    const seen: unknown[] = [];
    const read = async () => {
      for await (const { rows } of snapshot.stream(database.builder('people').select('name')))
        seen.push(...rows.map(([name]) => name));
    };
    // SQLite keeps what was; the servers say that they cannot.
    const told = await read().catch((error: unknown) => error);
    if (told === undefined) expect(seen).toEqual(['Ada']);
    else expect(told).toMatchObject({ kind: 'deadlock' });
    await snapshot.close();
  });

  test('ends a snapshot whose time is over or that is called off, and lends its place to the next', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) => unit.run(unit.knex('people').insert([{ name: 'a' }, { name: 'b' }])));
    const query = database.builder('people').select('name');
    const controller = new AbortController();
    const called = await database.snapshot({ share: 'p', signal: controller.signal });
    const begun = called.stream(query, { batchSize: 1 })[Symbol.asyncIterator]();
    await begun.next();
    let isNextOpen = false;
    const next = database.snapshot({ share: 'p', lastsMs: 50 }).then((of) => {
      isNextOpen = true;
      return of;
    });
    // Another share does not wait for it.
    await (await database.snapshot({ share: 'q' })).close();
    expect(isNextOpen).toBe(false);
    controller.abort();
    await expect(begun.next()).rejects.toMatchObject({ kind: 'cancelled' });
    const short = (await next).stream(query, { batchSize: 1 })[Symbol.asyncIterator]();
    await short.next();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(short.next()).rejects.toMatchObject({ kind: 'timeout', code: 'SNAPSHOT_ENDED' });
    await (await database.snapshot({ share: 'p' })).close();
  });

  test('has a stream of jobs that no download keeps waiting', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) => insert(unit, 'Ada'));
    const query = database.builder('people').select('name');
    const downloads = [1, 2, 3].map(() => database.stream(query)[Symbol.asyncIterator]());
    await Promise.all(downloads.map((stream) => stream.next()));
    const job = database.stream(query, { job: true })[Symbol.asyncIterator]();
    expect((await job.next()).value).toMatchObject({ rows: [['Ada']] });
    for (const stream of [job, ...downloads]) await stream.return?.();
  });

  test('cuts the batches of a stream by what the rows weigh', async () => {
    const database = await open();
    await database.schema((changer) =>
      changer.createTable({
        name: 'heavy',
        columns: [
          { name: 'n', kind: 'integer' },
          { name: 'v', kind: 'text' },
        ],
      }),
    );
    const heavy = 'x'.repeat(300_000);
    for (let n = 0; n < 20; n += 1) {
      await database.write((unit) => unit.run(unit.knex('heavy').insert({ n, v: n < 10 ? 'small' : heavy })));
    }
    const seen: unknown[] = [];
    const largest: number[] = [];
    for await (const { rows } of database.stream(database.builder('heavy').select('n', 'v').orderBy('n'), {
      batchSize: 8,
    })) {
      seen.push(...rows.map(([n]) => n));
      largest.push(rows.filter(([n]) => Number(n) >= 10).length);
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n));
    // One batch may be read before it is known that the rows have grown.
    expect(largest.slice(2).every((count) => count <= 3)).toBe(true);
  });

  test('streams a snapshot in batches and releases its connection when the consumer stops early', async () => {
    const database = await openWithPeople(open);
    const all = Array.from({ length: 25 }, (_, index) => ({ name: `p${index}` }));
    await database.write((unit) => unit.run(unit.knex('people').insert(all)));
    const query = database.builder('people').select('id', 'name').where('name', 'like', 'p%').orderBy('id');
    const sizes: number[] = [];
    for await (const { columns, rows } of database.stream(query, { batchSize: 10 })) {
      expect(columns).toEqual(['id', 'name']);
      sizes.push(rows.length);
      if (sizes.length === 1) await database.write((unit) => insert(unit, 'late'));
    }
    expect(sizes).toEqual([10, 10, 5]);
    for (let round = 0; round < 12; round += 1) {
      for await (const batch of database.stream(query, { batchSize: 2 })) {
        expect(batch.rows).toHaveLength(2);
        break;
      }
    }
    expect(await names(database)).toHaveLength(26);
  });
});
