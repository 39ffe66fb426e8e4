import { expect, jest, test } from '@jest/globals';
import type { Unit } from '../sql/unit.ts';
import { insert, names, openWithPeople } from './people-table.ts';
import { describeEachDatabase } from './testing.ts';
import { untilFree } from './testing/until-free.ts';

describeEachDatabase('a database', (open, dialect) => {
  test('keeps what a write resolved with, and answers rows as arrays and as objects without a prototype', async () => {
    const database = await openWithPeople(open);
    const returning = dialect === 'postgres' ? ['id'] : undefined;
    const result = await database.write((unit) => {
      const query = unit.knex('people').insert({ name: 'Ada', age: 36 });
      return unit.run(returning === undefined ? query : query.returning(returning));
    });
    expect(result).toEqual({ changes: 1, lastId: 1 });
    await database.read(async (unit) => {
      const query = unit.knex('people').select('name', 'age');
      expect(await unit.rows(query)).toMatchObject({ columns: ['name', 'age'], rows: [['Ada', 36]] });
      const [row] = await unit.all<{ name: string }>(query);
      expect(Object.getPrototypeOf(row)).toBeNull();
      expect({ ...row }).toEqual({ name: 'Ada', age: 36 });
      expect(await unit.first(query.clone().where('age', 1))).toBeUndefined();
      expect(await unit.knex('people').where({ name: 'Ada' }).first('age')).toMatchObject({ age: 36 });
    });
  });

  test('rolls back the whole unit when its work rejects, and runs no after-commit action', async () => {
    const database = await openWithPeople(open);
    const calls: string[] = [];
    const failing = database.write(async (unit) => {
      unit.afterCommit(() => calls.push('failed'));
      await insert(unit, 'Ada');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await database.write(async (unit) => {
      unit.afterCommit(() => calls.push('kept'));
      await insert(unit, 'Grace');
      expect(calls).toEqual([]);
    });
    const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const committed = await database.write(async (unit) => {
      unit.afterCommit(() => {
        throw new Error('the listener failed');
      });
      return 'committed all the same';
    });
    expect(committed).toBe('committed all the same');
    expect(warning).toHaveBeenCalledWith(expect.stringContaining('the listener failed'), {
      type: 'AfterCommitFailure',
    });
    warning.mockRestore();
    expect(await names(database)).toEqual(['Grace']);
    expect(calls).toEqual(['kept']);
  });

  test('commits nothing of a unit in which a statement failed, even if its work went on', async () => {
    const database = await openWithPeople(open);
    const swallowing = database.write(async (unit) => {
      await insert(unit, 'Ada');
      await insert(unit, 'Ada').catch(() => {});
      return 'went on';
    });
    await expect(swallowing).rejects.toMatchObject({ kind: 'unique' });
    expect(await names(database)).toEqual([]);
  });

  test('finds a row by its key without a unit, and sees what was committed before', async () => {
    const database = await openWithPeople(open);
    const byId = (id: number) => ({ sql: 'select name, age from people where id = ?', bindings: [id] });
    expect(await database.get(byId(1))).toBeUndefined();
    await database.write((unit) => insert(unit, 'Ada'));
    expect(await database.get(byId(1))).toEqual(['Ada', null]);
    await database.write(async (unit) => {
      await unit.run(unit.knex('people').where({ id: 1 }).update({ age: 36 }));
      await expect((async () => database.get(byId(1)))()).rejects.toThrow(/already open/);
    });
    expect(await database.get(byId(1))).toEqual(['Ada', 36]);
    await database.schema((changer) => changer.addColumn('people', { name: 'email', kind: 'text' }));
    expect(await database.get({ sql: 'select * from people where id = ?', bindings: [1] })).toHaveLength(4);
    const missing = async () => database.get({ sql: 'select v from nobody where id = ?', bindings: [1] });
    await expect(missing()).rejects.toMatchObject({ kind: 'missingTable' });
    const unbound = async () => database.get({ sql: byId(1).sql, bindings: [new Date() as never] });
    await expect(unbound()).rejects.toThrow(/Binding 1 is/);
  });

  test('answers a page as JSON, in bytes, where its rows need not come to this thread', async () => {
    const database = await openWithPeople(open);
    expect(database.readJson !== undefined).toBe(dialect === 'sqlite');
    if (database.readJson === undefined) return;
    await database.write((unit) =>
      unit.run(
        unit.knex('people').insert([
          { name: 'Zoë "Z" \n\u2028', age: 1 },
          { name: 'Ada', age: null },
        ]),
      ),
    );
    const cells = [
      { key: 'Full "name"', as: 'plain' },
      { key: 'isOld', as: 'boolean' },
      { key: 'id', as: 'text' },
    ] as const;
    const statement = { sql: 'select name, age, id from people where id < ? order by id', bindings: [9] };
    for (const work of ['point', 'page', 'long'] as const) {
      const bytes = await database.readJson(statement, cells, { work });
      expect(JSON.parse(Buffer.from(bytes).toString())).toEqual([
        { 'Full "name"': 'Zoë "Z" \n\u2028', isOld: true, id: '1' },
        { 'Full "name"': 'Ada', isOld: null, id: '2' },
      ]);
    }
    const none = await database.readJson({ ...statement, bindings: [0] }, cells);
    expect(Buffer.from(none).toString()).toBe('[]');
    const large = database.readJson(statement, cells, { maxBytes: 40 });
    await expect(large).rejects.toMatchObject({ kind: 'tooLarge', code: 'ANSWER_TOO_LARGE', status: 413 });
  });

  test('commits the last statements of a unit, whether it is alone or not, and runs nothing behind them', async () => {
    const database = await openWithPeople(open);
    const insertion = (name: string | null) => ({
      sql: 'insert into people (name) values (?)',
      bindings: [name],
    });
    const told: string[] = [];
    const add = (name: string) =>
      database.write(async (unit) => {
        unit.afterCommit(() => told.push(name));
        const first = await unit.rows({ sql: 'select count(*) from people', bindings: [] });
        const results = await unit.last([insertion(name), insertion(`${name}2`)]);
        expect(results.map(({ changes }) => changes)).toEqual([1, 1]);
        return Number(first.rows[0]?.[0]);
      });
    expect(await add('a')).toBe(0);
    await Promise.all(['b', 'c', 'd'].map(add));
    expect((await names(database)).length).toBe(8);
    expect([...told].sort()).toEqual(['a', 'b', 'c', 'd']);

    const failing = database.write((unit) => unit.last([insertion('e'), insertion('a')]));
    await expect(failing).rejects.toMatchObject({ kind: 'unique' });
    const mixed = await Promise.allSettled([
      add('f'),
      database.write((unit) => unit.last([insertion(null)])),
      add('g'),
    ]);
    expect(mixed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await names(database)).length).toBe(12);
    const behind = database.write(async (unit) => {
      await unit.last([insertion('h')]);
      await unit.run(insertion('i'));
    });
    await expect(behind).rejects.toThrow(/last statements/);
    const ending = database.write((unit) => unit.last([{ sql: 'commit', bindings: [] }]));
    await expect(ending).rejects.toThrow(/by itself/);
    expect(await names(database)).not.toContain('i');
  });

  test('goes on with statements that stood before and behind one that failed', async () => {
    const database = await openWithPeople(open);
    const statements = (name: string) => [
      { sql: 'select count(*) from people', bindings: [] },
      { sql: 'insert into people (name) values (?)', bindings: [name] },
      { sql: 'select name from people where name = ?', bindings: [name] },
    ];
    const ask = (name: string) => database.write((unit) => unit.batch(statements(name)));
    for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'e', 'a', 'f']) await ask(name).catch(() => {});
    const [counted, inserted, found] = await ask('g');
    expect(Number(counted?.rows[0]?.[0])).toBe(6);
    expect(inserted?.changes).toBe(1);
    expect(found).toMatchObject({ columns: ['name'], rows: [['g']], changes: 1 });
    await expect(ask('a')).rejects.toMatchObject({ kind: 'unique' });
  });

  test('tells constraint violations apart, without SQL in the message', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) => insert(unit, 'Ada'));
    const again = database.write((unit) => insert(unit, 'Ada'));
    await expect(again).rejects.toMatchObject({
      kind: 'unique',
      status: 400,
      message: expect.not.stringContaining('insert'),
    });
    await expect(database.write((unit) => insert(unit, null))).rejects.toMatchObject({
      kind: 'notNull',
      columns: ['name'],
    });
    const missing = database.read((unit) => unit.rows(unit.knex('nobody').select('*')));
    await expect(missing).rejects.toMatchObject({ kind: 'missingTable' });
    const column = database.read((unit) => unit.rows(unit.knex('people').select('nothing')));
    await expect(column).rejects.toMatchObject({ kind: 'missingColumn' });
  });

  test('lets good units of one moment commit while a failing one among them does not', async () => {
    const database = await openWithPeople(open);
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'a', 'c'].map((name) => database.write((unit) => insert(unit, name))),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(new Set(await names(database))).toEqual(new Set(['a', 'b', 'c']));
  });

  test('refuses a unit for what a neighbour wrote once that can be read, and not before', async () => {
    const database = await openWithPeople(open);
    const add = async () => {
      try {
        // Of two steps, so that the units of one moment stand one behind the other.
        return await database.write(async (unit) => {
          await unit.first(unit.knex('people').select('name'));
          await insert(unit, 'a');
          return 'added';
        });
      } catch {
        return names(database);
      }
    };
    const goOn = async () =>
      database.write(async (unit) => {
        for (let steps = 0; steps < 100; steps += 1) await unit.first(unit.knex('people').select('name'));
      });
    const [one, other] = await Promise.all([add(), add(), goOn()]);
    expect([one, other].filter((answer) => answer !== 'added')).toEqual([['a']]);
  });

  test('refuses a unit within a unit at once instead of waiting for itself', async () => {
    const database = await openWithPeople(open);
    await expect(database.read(() => database.read(async () => 1))).rejects.toThrow(/already open/);
    await expect(database.write(() => database.write(async () => 1))).rejects.toThrow(/already open/);
    await expect(database.write(() => database.read(async () => 1))).rejects.toThrow(/already open/);
    const other = await open();
    expect(await database.read(() => other.read(async () => 'another database'))).toBe('another database');
  });

  test('lets nothing within a unit end its transaction', async () => {
    const database = await openWithPeople(open);
    for (const sql of ['commit', ' /* x */ ROLLBACK', '-- x\nbegin', 'savepoint a', 'release unit', 'end']) {
      const ending = database.write(async (unit) => {
        await insert(unit, 'Ada');
        await unit.run(unit.knex.raw(sql));
      });
      await expect(ending).rejects.toThrow(/by itself/);
    }
    expect(await names(database)).toEqual([]);
  });

  test('refuses a unit that has ended', async () => {
    const database = await openWithPeople(open);
    const kept = await database.read(async (unit) => unit);
    await expect(kept.rows(kept.knex('people').select('*'))).rejects.toThrow(/has ended/);
  });

  test('binds nothing but plain values', async () => {
    const database = await openWithPeople(open);
    await database.read(async (unit) => {
      for (const value of [new Date(), { a: 1 }, Number.NaN]) {
        await expect(unit.rows(unit.knex('people').whereRaw('name = ?', [value as never]))).rejects.toThrow(
          /Binding 1 is|must not be/,
        );
      }
    });
  });

  test('answers a repeated query with the columns that the table has by then', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) => insert(unit, 'Ada'));
    const all = { sql: 'select * from people where id = ?', bindings: [1] };
    const named = { sql: 'select id, age from people where id = ?', bindings: [1] };
    const read = () => database.read((unit) => unit.batch([all, named, all, named]));
    for (let round = 0; round < 3; round += 1) {
      expect((await read()).map(({ columns }) => columns.join())).toEqual([
        'id,name,age',
        'id,age',
        'id,name,age',
        'id,age',
      ]);
    }
    await database.schema(async (changer) => {
      await changer.dropColumn('people', 'age');
      await changer.addColumn('people', { name: 'age', kind: 'text' });
      await changer.addColumn('people', { name: 'email', kind: 'text' });
    });
    expect((await read())[2]?.columns).toEqual(['id', 'name', 'age', 'email']);
    expect((await read())[3]?.columns).toEqual(['id', 'age']);
  });

  test('reads on after another process has changed the types of the columns that it reads', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) => insert(unit, 'Ada'));
    const query = { sql: 'select id, age from people where id = ?', bindings: [1] };
    const read = () => database.read((unit) => unit.rows(query));
    await Promise.all(Array.from({ length: 20 }, read));
    // Not through `schema`, so that this process does not hear of it.
    await database.write((unit) => unit.run({ sql: 'alter table people drop column age', bindings: [] }));
    await database.write((unit) =>
      unit.run({ sql: 'alter table people add column age varchar(20)', bindings: [] }),
    );
    const answers = await Promise.all(Array.from({ length: 20 }, read));
    expect(new Set(answers.map(({ rows }) => JSON.stringify(rows)))).toEqual(new Set(['[[1,null]]']));
  });

  test('shows one moment to a reader that asks for a snapshot, and lets it write nothing', async () => {
    const database = await openWithPeople(open);
    await database.write((unit) => insert(unit, 'before'));
    const count = async (unit: Unit) => Number((await unit.rows(unit.knex('people').count())).rows[0]?.[0]);
    for (let round = 1; round <= 6; round += 1) {
      let arrive = () => {};
      const begun = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      let goOn = () => {};
      const written = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const reading = database.read(
        async (unit) => {
          const first = await count(unit);
          arrive();
          await written;
          return [first, await count(unit)];
        },
        { isolation: 'snapshot' },
      );
      await begun;
      await database.write((unit) => insert(unit, `later ${round}`));
      goOn();
      expect(await reading).toEqual([round, round]);
    }
    const writing = database.read((unit) => insert(unit, 'sneaked in'), { isolation: 'snapshot' });
    await expect(writing).rejects.toMatchObject({ kind: 'readOnly' });
    expect(await database.read(count)).toBe(7);
  });

  test('ends a running statement on abort and on timeout, and goes on serving', async () => {
    const database = await open();
    const slow = {
      sqlite:
        'with recursive c(i) as (select 1 union all select i + 1 from c where i < 3000000) select count(*) from c',
      postgres: 'select pg_sleep(20)',
      mysql: 'select sleep(20)',
    }[dialect];
    const controller = new AbortController();
    const aborted = database.read((unit) => unit.rows(unit.knex.raw(slow)), { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(aborted).rejects.toMatchObject({ kind: 'cancelled' });
    const late = database.read((unit) => unit.rows(unit.knex.raw(slow)), { timeoutMs: 50 });
    await expect(late).rejects.toMatchObject({ kind: 'timeout', status: 504 });
    const write = database.write(
      async (unit) => {
        await unit.rows(unit.knex.raw('select 1'));
        await new Promise(() => {});
      },
      { timeoutMs: 50 },
    );
    await expect(write).rejects.toMatchObject({ kind: 'timeout' });
    await database.write((unit) => unit.rows(unit.knex.raw('select 1')));
    // SQLite's statements run on without their callers, and hold their threads.
    await untilFree(() => database.ping());
  });

  test('leaves no timer behind when the work throws at once', async () => {
    const database = await open();
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', listen);
    const fail = () => {
      throw new Error('at once');
    };
    await expect(database.write(fail, { timeoutMs: 20 })).rejects.toThrow('at once');
    await expect(database.read(fail, { timeoutMs: 20 })).rejects.toThrow('at once');
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });

  test('keeps integers exact beyond 2^53', async () => {
    const database = await open();
    await database.schema((changer) =>
      changer.createTable({ name: 'big', columns: [{ name: 'n', kind: 'bigint' }] }),
    );
    await database.write((unit) =>
      unit.run(unit.knex('big').insert([{ n: 9007199254740993n as never }, { n: 5 }])),
    );
    const { rows } = await database.read((unit) => unit.rows(unit.knex('big').select('n').orderBy('n')));
    expect(rows.map(([n]) => String(n))).toEqual(['5', '9007199254740993']);
  });

  test('takes a paste of 10,000 rows in chunks that fit, within one transaction', async () => {
    const database = await open();
    const columns = Array.from({ length: 7 }, (_, index) => `c${index}`);
    await database.schema((changer) =>
      changer.createTable({ name: 'wide', columns: columns.map((name) => ({ name, kind: 'integer' })) }),
    );
    const pasted = Array.from({ length: 10_000 }, (_, row) =>
      Object.fromEntries(columns.map((name, column) => [name, row * 10 + column])),
    );
    await database.write(async (unit) => {
      for (const chunk of database.dialect.limits.chunkRows(columns.length, pasted)) {
        await unit.run(unit.knex('wide').insert(chunk));
      }
    });
    const { rows } = await database.read((unit) => unit.rows(unit.knex('wide').count().sum('c0')));
    expect(rows[0]?.map(Number)).toEqual([10_000, 499_950_000]);
  });

  test('keeps texts apart that differ in case, accents or trailing spaces only', async () => {
    const database = await openWithPeople(open);
    const alike = ['a', 'A', 'á', 'a '];
    for (const name of alike) await database.write((unit) => insert(unit, name));
    expect(await names(database)).toEqual(alike);
  });

  test('carries hostile names through knex, inserts included', async () => {
    const database = await open();
    const { identifiers } = database.dialect;
    const columns = ['a.b', 'x as y', ' led', 'why?', 'quo"te', '`tick`', '__proto__', 'select', 'ünï', '😀'];
    await database.schema((changer) =>
      changer.createTable({
        name: 'odd.table ? as t',
        columns: columns
          .filter((name) => dialect !== 'mysql' || name !== '😀')
          .map((name) => ({ name, kind: 'string' })),
      }),
    );
    for (const [index, name] of columns.entries()) {
      if (dialect === 'mysql' && name === '😀') continue;
      const [table, column] = [identifiers.knexName('odd.table ? as t'), identifiers.knexName(name)];
      await database.write(async (unit) => {
        await unit.run(unit.knex(table).insert({ [column]: `v${index}` }));
        expect((await unit.rows(unit.knex(table).select(column).where(column, `v${index}`))).rows).toEqual([
          [`v${index}`],
        ]);
        const ref = identifiers.ref(unit.knex, name);
        expect(
          (
            await unit.rows(
              unit
                .knex(table)
                .select(ref)
                .whereNotNull(ref as never),
            )
          ).rows,
        ).toHaveLength(1);
      });
    }
  });
});
