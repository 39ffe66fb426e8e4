import { expect, test } from '@jest/globals';
import { Veto, type Row } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';
import { recorded } from './recorded.ts';

const cities = {
  title: 'Cities',
  tableName: 'cities',
  columns: [
    { title: 'Id', columnName: 'id', type: 'ID' },
    { title: 'Name', columnName: 'city_name', type: 'SingleLineText' },
    { title: 'People', type: 'Number' },
    { title: 'Capital', type: 'Checkbox' },
    { title: 'Stars', type: 'Rating' },
  ],
};
const stays = {
  title: 'Stays',
  columns: [
    { title: 'Hotel', type: 'SingleLineText', primaryKey: true, required: true },
    { title: 'Room', type: 'Number', primaryKey: true, required: true },
    { title: 'Guest', type: 'SingleLineText' },
  ],
};

/** PostgreSQL gives wide numbers as texts of digits. */
const numberOf = (value: unknown) => (value === null ? null : Number(value));

describeEachMetadata('the record store', (open) => {
  async function start(input: typeof cities | typeof stays = cities) {
    const database = await open();
    const path = await createDataPath(database, { listens: true });
    const scope = await path.newProject('Atlas');
    const table = await path.schema.createTable(scope, input);
    const { rowStore, handleOf } = path;
    const all = async () => rowStore.list(await handleOf(scope, table.id), {}, { limit: 1000, offset: 0 });
    const changes = () => recorded(database, table.id);
    const audits = async () =>
      (await path.audit.list(scope, { limit: 100, offset: 0 })).map(({ subType }) => subType);
    const keyOf = (row: Row | undefined) => (row && rowStore.keyOf(table, row)) ?? '';
    return { database, ...path, scope, table, all, changes, audits, keyOf };
  }

  test('creates, reads, changes and deletes a row, each with its change and audit entry', async () => {
    const { rowStore, handleOf, scope, table, changes, audits, feed, live, keyOf, dispose } = await start();
    const { result: made } = await rowStore.create(await handleOf(scope, table.id), {
      city_name: 'Praha',
      People: '1300000',
      Capital: true,
      unknown: 1,
    });
    expect(made).toMatchObject({ Name: 'Praha', Stars: null });
    expect([Number(made['People']), Boolean(made['Capital'])]).toEqual([1300000, true]);
    const key = keyOf(made);
    expect(await rowStore.read(await handleOf(scope, table.id), key)).toEqual(made);
    const { result: changed } = await rowStore.update(await handleOf(scope, table.id), key, { Stars: 5 });
    expect(changed).toEqual({ ...made, Stars: 5 });
    expect((await rowStore.delete(await handleOf(scope, table.id), key)).result).toBe(1);
    expect((await rowStore.delete(await handleOf(scope, table.id), key)).result).toBe(0);
    expect(await rowStore.read(await handleOf(scope, table.id), key)).toBeUndefined();
    expect((await changes()).map(({ op, rowKey }) => `${op} ${rowKey}`)).toEqual([
      `insert ${key}`,
      `update ${key}`,
      `delete ${key}`,
    ]);
    expect(await audits()).toEqual(['DELETE', 'UPDATE', 'INSERT']);
    while (live.length < 3) await feed.catchUp();
    expect(live.map((event) => event.kind)).toEqual(['rows', 'rows', 'rows']);
    await dispose();
  });

  test('keeps an explicit key and answers with the row that has it', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start();
    await rowStore.create(await handleOf(scope, table.id), { Id: 50, Name: 'high' });
    const { result } = await rowStore.create(await handleOf(scope, table.id), { Id: 7, Name: 'low' });
    expect(result).toMatchObject({ Id: 7, Name: 'low' });
    await dispose();
  });

  test('counts keys on past those that were given, whatever was given', async () => {
    const { rowStore, handleOf, scope, table, all, changes, keyOf, dispose } = await start();
    await rowStore.create(await handleOf(scope, table.id), { Id: 1, Name: 'one' });
    await rowStore.createMany(await handleOf(scope, table.id), [
      { Id: 0 },
      { Id: -7 },
      { Id: 2 },
      { Id: 40 },
      { Id: 3 },
    ]);
    await rowStore.create(await handleOf(scope, table.id), { Id: 12 });
    const { result: next } = await rowStore.create(await handleOf(scope, table.id), { Name: 'next' });
    expect(next).toMatchObject({ Id: 41, Name: 'next' });
    const { result: more } = await rowStore.createMany(await handleOf(scope, table.id), [
      { Name: 'a' },
      { Name: 'b' },
    ]);
    expect(more).toEqual([{ Id: 42 }, { Id: 43 }]);
    const keys = (await all()).map(keyOf);
    expect(keys).toEqual(['-7', '0', '1', '2', '3', '12', '40', '41', '42', '43']);
    const recorded = (await changes()).map(({ rowKey }) => rowKey ?? '');
    expect(recorded.toSorted()).toEqual(keys.toSorted());
    await dispose();
  });

  test('writes rows that set unlike columns in their order, and leaves defaults where a row sets none', async () => {
    const { rowStore, handleOf, scope, schema, dispose } = await start();
    const table = await schema.createTable(scope, {
      title: 'Unlike',
      columns: [
        { title: 'Id', columnName: 'id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
        { title: 'People', type: 'Number', defaultValue: '5' },
        { title: 'Stars', type: 'Rating' },
      ],
    });
    const inputs = [{ Name: 'a' }, { Stars: 2, Name: 'b' }, { Stars: 3 }, { People: 1 }, {}, { Name: 'c' }];
    await rowStore.createMany(await handleOf(scope, table.id), inputs);
    const rows = await rowStore.list(await handleOf(scope, table.id), {}, { limit: 100, offset: 0 });
    expect(rows.map((row) => [row['Name'], numberOf(row['People']), row['Stars']])).toEqual([
      ['a', 5, null],
      ['b', 5, 2],
      [null, 5, 3],
      [null, 1, null],
      [null, 5, null],
      ['c', 5, null],
    ]);
    await dispose();
  });

  test('takes an empty row, but no empty change and no change of an unknown row', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start();
    expect((await rowStore.create(await handleOf(scope, table.id), {})).result).toMatchObject({ Name: null });
    for (const body of [{}, { nothing: 1 }]) {
      await expect(rowStore.update(await handleOf(scope, table.id), '1', body)).rejects.toMatchObject({
        status: 400,
      });
    }
    for (const key of ['999999', 'x', "1' or 1=1", '', '1___1', '99999999999999999999999']) {
      expect(
        (await rowStore.update(await handleOf(scope, table.id), key, { Name: 'x' })).result,
      ).toBeUndefined();
      expect(await rowStore.exists(await handleOf(scope, table.id), key)).toBe(false);
    }
    await dispose();
  });

  test('names the column and the rule of a refused value, in a bulk call also the row, and writes nothing', async () => {
    const { rowStore, handleOf, scope, table, all, changes, dispose } = await start();
    await expect(rowStore.create(await handleOf(scope, table.id), { People: 'many' })).rejects.toMatchObject({
      status: 400,
      message: "'People' must be a whole number.",
    });
    await expect(
      rowStore.createMany(await handleOf(scope, table.id), [
        { People: 1 },
        { People: 2 },
        { Stars: 'bright' },
      ]),
    ).rejects.toThrow(/^Row 3: 'Stars'/);
    expect(await all()).toEqual([]);
    expect(await changes()).toEqual([]);
    await dispose();
  });

  test('reads, changes and deletes by a key of several columns', async () => {
    const { rowStore, handleOf, scope, table, all, keyOf, dispose } = await start(stays);
    const hotels = ['Ritz', 'a_b', '_', 'x___1', '100%5F', '"; --'];
    for (const [room, Hotel] of hotels.entries()) {
      const { result } = await rowStore.create(await handleOf(scope, table.id), {
        Hotel,
        Room: room,
        Guest: Hotel,
      });
      const key = keyOf(result);
      expect(await rowStore.read(await handleOf(scope, table.id), key)).toEqual(result);
      const { result: changed } = await rowStore.update(await handleOf(scope, table.id), key, {
        Guest: 'Ada',
      });
      expect(changed).toEqual({ ...result, Guest: 'Ada' });
    }
    const { result: deleted } = await rowStore.deleteMany(await handleOf(scope, table.id), [
      { Hotel: '_', Room: 2 },
    ]);
    expect(deleted).toEqual([1]);
    expect(await all()).toHaveLength(hotels.length - 1);
    await expect(rowStore.create(await handleOf(scope, table.id), { Hotel: 'Ritz' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(
      rowStore.create(await handleOf(scope, table.id), { Hotel: 'Ritz', Room: 0 }),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/unique|already has this value/),
    });
    await dispose();
  });

  test('answers an update with the row as it is, and records what it was, whatever its columns are called', async () => {
    const columns = ['former', 'trellis_former', 'entry?', 't0'].map((title) => ({
      title,
      columnName: title,
      type: 'SingleLineText',
    }));
    const key = { title: 'Code', columnName: 'code', type: 'SingleLineText', primaryKey: true };
    const { rowStore, handleOf, scope, table, changes, dispose } = await start({
      title: 'Odd',
      columns: [key, ...columns],
    });
    await rowStore.create(await handleOf(scope, table.id), {
      Code: 'a',
      former: '1',
      'entry?': '2',
      t0: '3',
    });
    await rowStore.create(await handleOf(scope, table.id), { Code: 'b', former: '1' });
    const update = async (code: string, input: Readonly<Record<string, string | null>>) =>
      (await rowStore.update(await handleOf(scope, table.id), code, input)).result;
    const patch = { former: '4', trellis_former: '5', 'entry?': null };
    expect(await update('a', patch)).toEqual({ Code: 'a', ...patch, t0: '3' });
    expect(await update('a', { former: '4' })).toMatchObject({ Code: 'a', former: '4' });
    expect(await update('a', { Code: 'c' })).toMatchObject({ Code: 'c', former: '4' });
    expect(await update('a', { t0: '6' })).toBeUndefined();
    expect(await update('b', { t0: '6' })).toMatchObject({ former: '1', t0: '6' });
    const titleOf = new Map(table.columns.map(({ id, title }) => [id, title]));
    const byTitle = (values: object | undefined) =>
      Object.fromEntries(Object.entries(values ?? {}).map(([id, value]) => [titleOf.get(id), value]));
    const updates = (await changes()).filter(({ op }) => op === 'update');
    expect(updates.map(({ before, after }) => [byTitle(before), byTitle(after)])).toEqual([
      [{ former: '1', trellis_former: null, 'entry?': '2' }, patch],
      [{ Code: 'a' }, { Code: 'c' }],
      [{ t0: null }, { t0: '6' }],
    ]);
    await dispose();
  });

  test('writes many rows in one transaction, one change for each', async () => {
    const { rowStore, handleOf, scope, table, all, changes, audits, feed, live, dispose } = await start();
    const rows = Array.from({ length: 1200 }, (_, index) => ({ Name: `n${index}`, People: index }));
    const { result } = await rowStore.createMany(await handleOf(scope, table.id), rows);
    expect(result).toHaveLength(rows.length);
    const listed = await rowStore.list(await handleOf(scope, table.id), {}, { limit: 2000, offset: 0 });
    expect(listed.map((row) => row['Name'])).toEqual(rows.map((row) => row.Name));
    expect(listed.map((row) => row['Id'])).toEqual(result.map((row) => row['Id']));
    expect(await changes()).toHaveLength(rows.length);
    expect(await audits()).toEqual(['BULK_INSERT']);
    while (live.length < 1) await feed.catchUp();
    expect(live.map((event) => event.kind)).toEqual(['rowsReset']);
    expect(await all()).toHaveLength(1000);
    await dispose();
  });

  test('changes and deletes rows of a list, and passes over those without a key', async () => {
    const { rowStore, handleOf, scope, table, all, dispose } = await start();
    await rowStore.createMany(await handleOf(scope, table.id), [{ Name: 'a' }, { Name: 'b' }, { Name: 'c' }]);
    const [a, b] = await all();
    const { result } = await rowStore.updateMany(await handleOf(scope, table.id), [
      { Id: a?.['Id'], Name: 'A' },
      { Name: 'lost' },
      { id: b?.['Id'], People: 2 },
      { Id: 424242, Name: 'nobody' },
    ]);
    expect(result).toEqual([1, 1, 0]);
    expect((await all()).map((row) => [row['Name'], numberOf(row['People'])])).toEqual([
      ['A', null],
      ['b', 2],
      ['c', null],
    ]);
    const deleted = await rowStore.deleteMany(await handleOf(scope, table.id), [
      { city_name: 'A' },
      {},
      { Id: 424242 },
    ]);
    expect(deleted.result).toEqual([1, 0]);
    expect((await all()).map((row) => row['Name'])).toEqual(['b', 'c']);
    await dispose();
  });

  test('deletes nothing by a condition that it does not understand whole', async () => {
    const { rowStore, handleOf, access, scope, table, all, dispose } = await start();
    await rowStore.createMany(await handleOf(scope, table.id), [
      { Name: 'a', People: 1 },
      { Name: 'a', People: 2 },
    ]);
    await expect(
      rowStore.deleteMany(await handleOf(scope, table.id), [{ Name: 'a', Peple: 1 }]),
    ).rejects.toMatchObject({
      code: 'CONDITION_UNKNOWN',
    });
    const name = table.columnByTitle.get('Name')?.id ?? '';
    const narrow = access.narrow(scope, { columns: new Map([[table.id, { readable: new Set([name]) }]]) });
    await expect(
      rowStore.deleteMany(await handleOf(narrow, table.id), [{ Name: 'a', People: 1 }]),
    ).rejects.toMatchObject({
      code: 'CONDITION_UNKNOWN',
    });
    expect(await all()).toHaveLength(2);
    await dispose();
  });

  test('neither shows nor changes rows that do not exist for the caller', async () => {
    const { rowStore, handleOf, access, scope, table, all, keyOf, dispose } = await start();
    await rowStore.createMany(await handleOf(scope, table.id), [
      { Name: 'mine', People: 1 },
      { Name: 'theirs', People: 2 },
    ]);
    const [mine, theirs] = await all();
    const name = table.columnByTitle.get('Name')?.id ?? '';
    const narrow = access.narrow(scope, {
      rows: new Map([
        [
          table.id,
          {
            kind: 'compare',
            comparison: 'eq',
            left: { kind: 'column', columnId: name },
            right: { kind: 'literal', value: 'mine', storage: 'text' },
          },
        ],
      ]),
    });
    const hidden = keyOf(theirs);
    const page = { limit: 25, offset: 0 };
    const where = '(Name,eq,mine)~or(Name,notnull)';
    expect(await rowStore.list(await handleOf(narrow, table.id), { where }, page)).toEqual([mine]);
    expect(await rowStore.count(await handleOf(narrow, table.id), { where })).toBe(1);
    expect(await rowStore.read(await handleOf(narrow, table.id), hidden)).toBeUndefined();
    expect(
      (await rowStore.update(await handleOf(narrow, table.id), hidden, { People: 9 })).result,
    ).toBeUndefined();
    expect((await rowStore.delete(await handleOf(narrow, table.id), hidden)).result).toBe(0);
    const id = theirs?.['Id'];
    expect(
      (await rowStore.updateMany(await handleOf(narrow, table.id), [{ Id: id, People: 9 }])).result,
    ).toEqual([0]);
    const outOfReach = { status: 403, code: 'ROW_OUT_OF_REACH' };
    await expect(rowStore.create(await handleOf(narrow, table.id), { Name: 'theirs' })).rejects.toMatchObject(
      outOfReach,
    );
    await expect(
      rowStore.createMany(await handleOf(narrow, table.id), [{ Name: 'mine' }, { Name: 'theirs' }]),
    ).rejects.toMatchObject(outOfReach);
    await expect(
      rowStore.update(await handleOf(narrow, table.id), keyOf(mine), { Name: 'theirs' }),
    ).rejects.toMatchObject(outOfReach);
    expect(
      (await rowStore.deleteMany(await handleOf(narrow, table.id), [{ Id: id }, { People: 2 }])).result,
    ).toEqual([0, 0]);
    expect(
      (await rowStore.updateAll(await handleOf(narrow, table.id), {}, { People: 5 }, { everyRow: true }))
        .result,
    ).toBe(1);
    expect((await rowStore.groupBy(await handleOf(narrow, table.id), 'people', {}, page)).list).toEqual([
      { count: 1, people: (await all())[0]?.['People'] },
    ]);
    expect((await rowStore.deleteAll(await handleOf(narrow, table.id), {}, { everyRow: true })).result).toBe(
      1,
    );
    expect(await all()).toEqual([theirs]);
    await dispose();
  });

  test('answers alike for a column that is hidden and one that never was', async () => {
    const { rowStore, handleOf, access, scope, table, keyOf, dispose } = await start();
    const visible = new Set(['Id', 'Name'].map((title) => table.columnByTitle.get(title)?.id ?? ''));
    const narrow = access.narrow(scope, { columns: new Map([[table.id, { readable: visible }]]) });
    const page = { limit: 25, offset: 0 };
    const ask = async (query: object) =>
      rowStore.list(await handleOf(narrow, table.id), query, page).then(
        () => 'rows',
        (error: Error & { code: string }) => [error.code, error.message.replaceAll(/People|Nothing/g, 'X')],
      );
    for (const query of [
      (title: string) => ({ where: `(${title},eq,1)` }),
      (title: string) => ({ sort: [title] }),
      (title: string) => ({ fields: ['Name', title] }),
    ]) {
      expect(await ask(query('People'))).toEqual(await ask(query('Nothing')));
      expect(await ask(query('People'))).toEqual(['COLUMN_UNKNOWN', expect.any(String)]);
    }
    const { result } = await rowStore.create(await handleOf(scope, table.id), { Name: 'a', People: 3 });
    expect(await rowStore.read(await handleOf(narrow, table.id), keyOf(result))).toEqual({
      Id: result['Id'],
      Name: 'a',
    });
    await expect(
      rowStore.update(await handleOf(narrow, table.id), keyOf(result), { People: 4 }),
    ).rejects.toMatchObject({
      code: 'NOTHING_TO_UPDATE',
    });
    await dispose();
  });

  test('lets hooks change and refuse every kind of write', async () => {
    const { rowStore, handleOf, hooks, scope, table, all, keyOf, dispose } = await start();
    const seen: string[] = [];
    hooks.tap('test', 'rows.willCreate', (rows) => rows.map((row) => ({ ...row, Stars: 4 })));
    const { result } = await rowStore.create(await handleOf(scope, table.id), { Name: 'a' });
    expect(result).toMatchObject({ Name: 'a', Stars: 4 });
    await rowStore.createMany(await handleOf(scope, table.id), [{ Name: 'b' }]);
    hooks.tap('test', 'rows.willDelete', (keys) => {
      seen.push(...keys);
      throw new Veto('KEPT', 'kept by the test');
    });
    const key = keyOf(result);
    await expect(rowStore.delete(await handleOf(scope, table.id), key)).rejects.toThrow('kept by the test');
    await expect(rowStore.deleteMany(await handleOf(scope, table.id), [{ Id: key }])).rejects.toThrow(
      'kept by the test',
    );
    await expect(rowStore.deleteMany(await handleOf(scope, table.id), [{ Name: 'a' }])).rejects.toThrow(
      'kept by the test',
    );
    await expect(rowStore.deleteAll(await handleOf(scope, table.id), {}, { everyRow: true })).rejects.toThrow(
      'kept by the test',
    );
    expect(seen.slice(0, 3)).toEqual([key, key, key]);
    expect((await all()).map((row) => row['Stars'])).toEqual([4, 4]);
    await dispose();
  });

  test('asks the hooks before it takes something back, too', async () => {
    const { rowStore, handleOf, hooks, scope, table, all, keyOf, dispose } = await start();
    const made = await rowStore.create(await handleOf(scope, table.id), { Name: 'a', People: 1 });
    const changed = await rowStore.update(await handleOf(scope, table.id), keyOf(made.result), { People: 2 });
    const asked: unknown[] = [];
    const refuse = (what: string) => (value: unknown, context: { readonly origin: string }) => {
      asked.push([what, context.origin, value]);
      throw new Veto('KEPT', `${what} is kept by the test`);
    };
    const taps = [
      hooks.tap('test', 'rows.willUpdate', refuse('update')),
      hooks.tap('test', 'rows.willDelete', refuse('delete')),
      hooks.tap('test', 'rows.willCreate', refuse('create')),
    ];
    const undo = (operation: { readonly operationId: string | undefined }) =>
      rowStore.undo(scope, operation.operationId ?? '');
    await expect(undo(changed)).rejects.toThrow('update is kept by the test');
    await taps[0]?.dispose();
    await undo(changed);
    await expect(undo(made)).rejects.toThrow('delete is kept by the test');
    await taps[1]?.dispose();
    const gone = await rowStore.delete(await handleOf(scope, table.id), keyOf(made.result));
    await expect(undo(gone)).rejects.toThrow('create is kept by the test');
    expect(await all()).toEqual([]);
    await taps[2]?.dispose();
    await undo(gone);
    expect((await all()).map((row) => [row['Name'], Number(row['People'])])).toEqual([['a', 1]]);
    expect(asked).toMatchObject([
      ['update', 'undo', [{ key: keyOf(made.result) }]],
      ['delete', 'undo', [keyOf(made.result)]],
      ['create', 'undo', [{ Name: 'a' }]],
    ]);
    await dispose();
  });

  test('refuses to write a column whose type is switched off, and still shows what it holds', async () => {
    const { rowStore, handleOf, ratingType, scope, table, all, keyOf, dispose } = await start();
    const { result } = await rowStore.create(await handleOf(scope, table.id), { Name: 'a', Stars: 3 });
    await ratingType.dispose();
    await expect(
      rowStore.update(await handleOf(scope, table.id), keyOf(result), { Stars: 4 }),
    ).rejects.toMatchObject({
      status: 409,
      code: 'COLUMN_TYPE_DISABLED',
    });
    await rowStore.update(await handleOf(scope, table.id), keyOf(result), { Name: 'b' });
    expect(await all()).toEqual([{ ...result, Name: 'b' }]);
    await dispose();
  });

  test('takes no cell of more than a million characters, and says in which column', async () => {
    const { rowStore, handleOf, scope, table, all, dispose } = await start();
    const handle = await handleOf(scope, table.id);
    const problem = 'must have at most 1,000,000 characters';
    const Name = 'x'.repeat(1_000_001);
    await expect(rowStore.create(handle, { Name })).rejects.toMatchObject({
      status: 400,
      code: 'VALUE_REFUSED',
      params: { column: 'Name', problem, problemCode: 'VALUE_TOO_LONG', most: 1_000_000 },
    });
    await expect(rowStore.createMany(handle, [{ Name: 'a' }, { Name }])).rejects.toMatchObject({
      status: 400,
      params: { column: 'Name', problem, row: 2 },
    });
    expect(await all()).toEqual([]);
    await dispose();
  });

  test('says by a code and its values why the database could not keep a value', async () => {
    const { rowStore, schema, handleOf, scope, table, dispose } = await start();
    const price = { title: 'Price', type: 'Decimal', precision: '6', scale: '2' };
    const digits = {
      column: 'Price',
      problem: 'must have at most 4 digits before the point',
      problemCode: 'VALUE_DIGITS_BEFORE',
      most: 4,
    };
    await schema.createColumn(scope, table.id, price);
    const handle = await handleOf(scope, table.id);
    await expect(rowStore.create(handle, { Price: '123456789' })).rejects.toMatchObject({
      status: 400,
      code: 'VALUE_REFUSED',
      params: digits,
    });
    await expect(
      rowStore.list(handle, { where: '(Price,eq,123456789)' }, { limit: 1, offset: 0 }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'FILTER_VALUE',
      params: digits,
    });
    await expect(
      rowStore.list(handle, { where: '(Price,eq)' }, { limit: 1, offset: 0 }),
    ).rejects.toMatchObject({
      code: 'FILTER_VALUE',
      params: { problemCode: 'FILTER_WITHOUT_VALUE' },
    });
    await expect(
      schema.createColumn(scope, table.id, { ...price, title: 'Cost', defaultValue: '123456789' }),
    ).rejects.toMatchObject({ status: 400, code: 'COLUMN_DEFAULT', params: { ...digits, column: 'Cost' } });
    await expect(
      schema.createColumn(scope, table.id, { ...price, title: 'Cost', defaultValue: 'much' }),
    ).rejects.toMatchObject({ code: 'COLUMN_DEFAULT', params: { problem: 'must be a number' } });
    await dispose();
  });

  test('takes an operation back, and the taking back as well', async () => {
    const { rowStore, handleOf, scope, table, all, changes, dispose } = await start();
    const made = await rowStore.createMany(await handleOf(scope, table.id), [
      { Name: 'a', People: 1 },
      { Name: 'b' },
    ]);
    const before = await all();
    const id = before[0]?.['Id'];
    const twice = await rowStore.updateMany(await handleOf(scope, table.id), [
      { Id: id, Name: 'first' },
      { Id: id, Name: 'second', People: 2 },
    ]);
    const after = await all();
    const undone = await rowStore.undo(scope, twice.operationId ?? '');
    expect(undone.result).toBe(2);
    expect(await all()).toEqual(before);
    await rowStore.undo(scope, undone.operationId ?? '');
    expect(await all()).toEqual(after);
    expect((await changes()).filter((change) => change.origin === 'undo')).toHaveLength(4);

    const gone = await rowStore.deleteAll(await handleOf(scope, table.id), { where: '(Name,eq,b)' });
    expect(gone.result).toBe(1);
    await rowStore.undo(scope, gone.operationId ?? '');
    expect(await all()).toEqual(after);
    // The rows of the first call look different by now.
    await expect(rowStore.undo(scope, made.operationId ?? '')).rejects.toMatchObject({
      status: 409,
      code: 'UNDO_CONFLICT',
    });
    expect(await all()).toEqual(after);
    await expect(rowStore.undo(scope, 'op_never')).rejects.toMatchObject({ status: 404 });
    await dispose();
  });

  test('undoes nothing of a call of which one row was changed since', async () => {
    const { rowStore, handleOf, scope, table, all, keyOf, dispose } = await start();
    await rowStore.createMany(await handleOf(scope, table.id), [{ Name: 'a' }, { Name: 'b' }]);
    const call = await rowStore.updateAll(
      await handleOf(scope, table.id),
      {},
      { People: 7 },
      { everyRow: true },
    );
    const [, b] = await all();
    await rowStore.update(await handleOf(scope, table.id), keyOf(b), { People: 8 });
    await expect(rowStore.undo(scope, call.operationId ?? '')).rejects.toMatchObject({ status: 409 });
    expect((await all()).map((row) => numberOf(row['People']))).toEqual([7, 8]);
    await dispose();
  });

  test('loses no cell of a deleted column when it takes a delete back', async () => {
    const { rowStore, handleOf, scope, schema, table, all, keyOf, changes, dispose } = await start();
    await rowStore.createMany(await handleOf(scope, table.id), [{ Name: 'a', People: 7 }]);
    const [row] = await all();
    const gone = await rowStore.deleteMany(await handleOf(scope, table.id), [{ Id: row?.['Id'] }]);
    const people = table.columnByTitle.get('People')?.id ?? '';
    await schema.deleteColumn(scope, people);
    const undone = await rowStore.undo(scope, gone.operationId ?? '');
    expect(await all()).toMatchObject([{ Name: 'a' }]);
    // The cell is in the column that is kept for a while, and the log knows it.
    const back = (await changes()).at(-1);
    expect(back).toMatchObject({ op: 'insert', origin: 'undo', rowKey: keyOf(row) });
    expect(numberOf(back?.after?.[people])).toBe(7);
    await rowStore.undo(scope, undone.operationId ?? '');
    expect(await all()).toEqual([]);
    await dispose();
  });

  test('names the columns whose type does not take what a row held, and takes nothing back', async () => {
    const { rowStore, handleOf, scope, schema, table, all, dispose } = await start();
    await rowStore.createMany(await handleOf(scope, table.id), [{ Name: 'a' }, { Name: '5' }]);
    const [a, five] = await all();
    const remove = async (Id: unknown) => rowStore.deleteMany(await handleOf(scope, table.id), [{ Id }]);
    const unfit = await remove(a?.['Id']);
    const fit = await remove(five?.['Id']);
    const name = table.columnByTitle.get('Name')?.id ?? '';
    await schema.updateColumn(scope, name, { type: 'Number' });
    await expect(rowStore.undo(scope, unfit.operationId ?? '')).rejects.toMatchObject({
      status: 409,
      code: 'UNDO_VALUES_UNFIT',
      params: { columns: "'Name'" },
    });
    await rowStore.undo(scope, fit.operationId ?? '');
    expect((await all()).map((row) => numberOf(row['Name']))).toEqual([5]);
    await dispose();
  });

  test('delivers a change to whoever asked for it, with the data or not at all', async () => {
    const { outbox, rowStore, handleOf, scope, table, keyOf, dispose } = await start();
    const handle = await handleOf(scope, table.id);
    await rowStore.create(handle, { Name: 'unheard' });
    const heard: unknown[] = [];
    const subscription = outbox.subscribe({
      id: 'test',
      deliver: async ({ change: { op, rowKey } }) => void heard.push({ op, rowKey }),
    });
    await outbox.settle();
    const { result } = await rowStore.create(handle, { Name: 'heard' });
    await expect(rowStore.create(handle, { Id: result['Id'] })).rejects.toMatchObject({ status: 400 });
    await outbox.settle();
    await subscription.dispose();
    await rowStore.create(handle, { Name: 'unheard again' });
    await outbox.settle();
    expect(heard).toEqual([{ op: 'insert', rowKey: keyOf(result) }]);
    await dispose();
  });

  test('counts, groups and streams what a list shows', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start();
    const rows = ['a', 'b', 'a', null, 'c', 'a'].map((Name, People) => ({ Name, People }));
    await rowStore.createMany(await handleOf(scope, table.id), rows);
    const query = { where: '(People,gt,0)' };
    expect(await rowStore.count(await handleOf(scope, table.id), query)).toBe(5);
    const groups = await rowStore.groupBy(await handleOf(scope, table.id), 'city_name', query, {
      limit: 10,
      offset: 0,
    });
    expect(groups.totalRows).toBe(5);
    expect(groups.list[0]).toEqual({ count: 2, city_name: 'a' });
    expect(groups.list).toHaveLength(4);
    const streamed = [];
    const named = { ...query, fields: ['Name'] };
    const { columns, batches } = await rowStore.stream(await handleOf(scope, table.id), named);
    expect(columns.map(({ title }) => title)).toEqual(['Name']);
    for await (const batch of batches) streamed.push(...batch);
    expect(streamed).toEqual(rows.slice(1).map(({ Name }) => ({ Name })));
    await rowStore.create(await handleOf(scope, table.id), { People: 9 });
    expect(await rowStore.count(await handleOf(scope, table.id), query)).toBe(6);
    await dispose();
  });

  test('gives the same rows for any offset, deep or seen before, also after writes', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start();
    const rows = Array.from({ length: 2600 }, (_, index) => ({ Name: `n${index % 7}`, People: index }));
    await rowStore.createMany(await handleOf(scope, table.id), rows);
    const slice = async (offset: number, sort?: readonly string[]) =>
      rowStore.list(await handleOf(scope, table.id), { sort }, { limit: 20, offset });
    const people = async (offset: number) => (await slice(offset)).map((row) => numberOf(row['People']));
    const expected = (from: number) => Array.from({ length: 20 }, (_, index) => from + index);
    for (const offset of [2000, 2010, 1500, 2000, 2100])
      expect(await people(offset)).toEqual(expected(offset));
    await rowStore.deleteMany(await handleOf(scope, table.id), [{ People: 0 }, { People: 1 }]);
    for (const offset of [2000, 2010]) expect(await people(offset)).toEqual(expected(offset + 2));
    const sorted = await slice(2200, ['-Name', 'People']);
    expect(sorted.map((row) => row['Name'])).toEqual(sorted.map(() => 'n1').fill('n0', 28));
    await dispose();
  });
});
