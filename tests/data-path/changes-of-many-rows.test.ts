import { expect, jest, test } from '@jest/globals';
import type { AccessScope } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { SessionUnit } from '../../host-server/databases/units/session-unit.ts';
import type { RowSet } from '../../host-server/sql/unit.ts';
import { createDataPath } from './data-path.ts';

type DataPath = Awaited<ReturnType<typeof createDataPath>>;

const parts = {
  title: 'Parts',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'Stock', type: 'Number' },
    { title: 'Notes', type: 'LongText' },
  ],
};

describeEachMetadata('a change of all rows that meet a condition', (open) => {
  async function start(count: number) {
    const database = await open();
    const path = await createDataPath(database);
    const scope = await path.newProject('Shop');
    const table = await path.schema.createTable(scope, parts);
    const [name, stock] = ['Name', 'Stock'].map((title) => table.columnByTitle.get(title)?.columnName ?? '');
    const rows = Array.from({ length: count }, (_, index) => ({
      [name ?? '']: `part ${index}`,
      [stock ?? '']: index % 3,
    }));
    for (let from = 0; from < count; from += 400)
      await database.write((unit) =>
        unit.run(unit.knex(table.tableName).insert(rows.slice(from, from + 400))),
      );
    return { ...path, scope, table };
  }

  const stockOf = async ({ rowStore, handleOf }: DataPath, scope: AccessScope, tableId: string) => {
    const groups = await rowStore.groupBy(
      await handleOf(scope, tableId),
      'stock',
      {},
      { limit: 9, offset: 0 },
    );
    return Object.fromEntries(groups.list.map((group) => [Number(group['stock']), Number(group['count'])]));
  };

  test('is recorded row by row, and each row is put back', async () => {
    const path = await start(2500);
    const { rowStore, handleOf, scope, table, dispose } = path;
    const before = await stockOf(path, scope, table.id);
    const where = '(Stock,neq,2)';
    const changed = await rowStore.updateAll(await handleOf(scope, table.id), { where }, { Stock: '1' });
    expect(changed.result).toBe(1667);
    expect(await stockOf(path, scope, table.id)).toEqual({ 1: 1667, 2: 833 });
    // Those that held 1 already did not change.
    expect((await rowStore.undo(scope, changed.operationId ?? '')).result).toBe(834);
    expect(await stockOf(path, scope, table.id)).toEqual(before);
    const gone = await rowStore.deleteAll(await handleOf(scope, table.id), { where: '(Stock,eq,2)' });
    expect(gone.result).toBe(833);
    expect(await rowStore.count(await handleOf(scope, table.id), {})).toBe(1667);
    expect((await rowStore.undo(scope, gone.operationId ?? '')).result).toBe(833);
    expect(await stockOf(path, scope, table.id)).toEqual(before);
    await dispose();
  });

  test('is refused as a whole where more rows meet it than are meant, few or many', async () => {
    const path = await start(10_010);
    const { rowStore, handleOf, scope, table, dispose } = path;
    const before = await stockOf(path, scope, table.id);
    const handle = await handleOf(scope, table.id);
    const refusal = { status: 413, code: 'MORE_THAN_MEANT' };
    for (const [where, most] of [
      ['(Stock,eq,1)', 3000],
      ['(Id,gt,0)', 10_009],
    ] as const) {
      await expect(rowStore.updateAll(handle, { where }, { Stock: 7 }, { most })).rejects.toMatchObject(
        refusal,
      );
      await expect(rowStore.deleteAll(handle, { where }, { most })).rejects.toMatchObject(refusal);
    }
    expect(await stockOf(path, scope, table.id)).toEqual(before);
    const { result } = await rowStore.updateAll(
      handle,
      { where: '(Stock,eq,1)' },
      { Stock: 7 },
      { most: 3337 },
    );
    expect(result).toBe(3337);
    await dispose();
  });

  test('is refused where a plugin wants to see more rows than can be shown to it', async () => {
    const { rowStore, handleOf, hooks, scope, table, dispose } = await start(10_001);
    const taps = [
      hooks.tap('guard', 'rows.willUpdate', () => undefined),
      hooks.tap('guard', 'rows.willDelete', () => undefined),
    ];
    const refusal = { status: 409, code: 'TOO_MANY_TO_ASK', params: { plugin: 'guard' } };
    await expect(
      rowStore.updateAll(await handleOf(scope, table.id), {}, { Stock: 9 }, { everyRow: true }),
    ).rejects.toMatchObject(refusal);
    await expect(
      rowStore.deleteAll(await handleOf(scope, table.id), {}, { everyRow: true }),
    ).rejects.toMatchObject(refusal);
    for (const tap of taps) await tap.dispose();
    const changed = await rowStore.updateAll(
      await handleOf(scope, table.id),
      {},
      { Stock: 9 },
      { everyRow: true },
    );
    expect(changed.result).toBe(10_001);
    await expect(rowStore.undo(scope, changed.operationId ?? '')).rejects.toMatchObject({
      code: 'UNDO_TOO_LARGE',
    });
    await dispose();
  });

  test('leaves no row out of reach of whoever writes it, and otherwise keeps within that reach', async () => {
    const { rowStore, access, handleOf, scope, table, dispose } = await start(30_010);
    const stock = table.columnByTitle.get('Stock')?.id ?? '';
    const within = {
      kind: 'compare',
      comparison: 'lt',
      left: { kind: 'column', columnId: stock },
      right: { kind: 'literal', value: 1, storage: 'integer' },
    } as const;
    const narrow = access.narrow(scope, { rows: new Map([[table.id, within]]) });
    const handle = await handleOf(narrow, table.id);
    await expect(rowStore.updateAll(handle, {}, { Stock: 2 }, { everyRow: true })).rejects.toMatchObject({
      status: 409,
      code: 'TOO_MANY_TO_CHECK',
    });
    const renamed = await rowStore.updateAll(handle, {}, { Name: 'mine' }, { everyRow: true });
    expect(renamed.result).toBe(10_004);
    const named = { where: '(Name,eq,mine)' };
    expect(await rowStore.count(await handleOf(scope, table.id), named)).toBe(10_004);
    await dispose();
  });

  test('is undone only by somebody who may write the columns that it wrote', async () => {
    const { rowStore, access, handleOf, scope, table, dispose } = await start(3);
    const handle = await handleOf(scope, table.id);
    const changed = await rowStore.updateAll(handle, { where: '(Stock,gt,0)' }, { Stock: 9 });
    const name = new Set([table.columnByTitle.get('Name')?.id ?? '']);
    const narrow = access.narrow(scope, { columns: new Map([[table.id, { writable: name }]]) });
    await expect(rowStore.undo(narrow, changed.operationId ?? '')).rejects.toMatchObject({
      status: 403,
      code: 'UNDO_FORBIDDEN',
    });
    expect(await rowStore.count(handle, { where: '(Stock,eq,9)' })).toBe(2);
    expect((await rowStore.undo(scope, changed.operationId ?? '')).result).toBe(2);
    await dispose();
  });

  test('is one that is put back row by row when a bulk call names rows twice, and rows that are not there', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start(450);
    const handle = await handleOf(scope, table.id);
    const page = { limit: 1000, offset: 0 };
    const before = await rowStore.list(handle, {}, page);
    const named = [...before.map((row) => ({ Id: row['Id'], Stock: 7 })), { Id: 99_999, Stock: 1 }];
    const changed = await rowStore.updateMany(handle, [...named, { Id: before[0]?.['Id'], Name: 'twice' }]);
    expect(changed.result).toEqual([...before.map(() => 1), 0, 1]);
    expect(await rowStore.count(handle, { where: '(Stock,eq,7)' })).toBe(450);
    await rowStore.undo(scope, changed.operationId ?? '');
    expect(await rowStore.list(handle, {}, page)).toEqual(before);
    const [first, second] = before;
    const gone = await rowStore.deleteMany(handle, [
      { Id: first?.['Id'] },
      { Name: first?.['Name'] },
      { Id: 99_999 },
      { Id: second?.['Id'] },
      { Stock: 2 },
    ]);
    expect(gone.result).toEqual([1, 0, 0, 1, 150]);
    expect((await rowStore.undo(scope, gone.operationId ?? '')).result).toBe(152);
    expect(await rowStore.list(handle, {}, page)).toEqual(before);
    await dispose();
  });

  test('is no bulk delete by a condition that more than 10,000 rows meet', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start(10_003);
    const handle = await handleOf(scope, table.id);
    const refusal = { status: 413, code: 'TOO_MANY_MATCHED' };
    await expect(rowStore.deleteMany(handle, [{ Notes: null }])).rejects.toMatchObject(refusal);
    const parts3 = [{ Stock: 0 }, { Stock: 1 }, { Stock: 2 }];
    await expect(rowStore.deleteMany(handle, parts3)).rejects.toMatchObject(refusal);
    expect(await rowStore.count(handle, {})).toBe(10_003);
    await dispose();
  });

  test('is no bulk delete that searches the table more than 100 times', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start(3);
    const handle = await handleOf(scope, table.id);
    const named = (count: number) => Array.from({ length: count }, (_, index) => ({ Name: `none ${index}` }));
    await expect(rowStore.deleteMany(handle, [{ Id: 1 }, ...named(101)])).rejects.toMatchObject({
      status: 413,
      code: 'TOO_MANY_CONDITIONS',
    });
    expect(await rowStore.count(handle, {})).toBe(3);
    const keys = Array.from({ length: 200 }, (_, index) => ({ Id: index + 1 }));
    const { result } = await rowStore.deleteMany(handle, [...keys, ...named(100)]);
    expect(result.filter((count) => count > 0)).toHaveLength(3);
    await dispose();
  });

  test('keeps no more of the rows as they were than memory has room for', async () => {
    const { metadata, rowStore, handleOf, scope, table, dispose } = await start(66);
    const handle = await handleOf(scope, table.id);
    const notes = table.columnByTitle.get('Notes')?.columnName ?? '';
    await metadata.database.write((unit) =>
      unit.run(unit.knex(table.tableName).update({ [notes]: 'x'.repeat(1024 * 1024) })),
    );
    const rows = await rowStore.list(handle, { fields: ['Id'] }, { limit: 100, offset: 0 });
    const named = rows.map((row) => ({ Id: row['Id'], Name: 'renamed' }));
    const refusal = { status: 413, code: 'TOO_MUCH_AT_ONCE' };
    await expect(rowStore.updateMany(handle, named)).rejects.toMatchObject(refusal);
    await expect(rowStore.deleteMany(handle, rows)).rejects.toMatchObject(refusal);
    // The rows of each condition are counted before the next ones are read.
    const batches = jest.spyOn(SessionUnit.prototype, 'batch');
    const searches = [{ Stock: 0 }, { Id: 1 }, { Id: 2 }, { Stock: 1 }, { Stock: 2 }];
    await expect(rowStore.deleteMany(handle, searches)).rejects.toMatchObject(refusal);
    const read: number[] = [];
    for (const { value } of batches.mock.results) {
      const answers = (await value) as readonly RowSet[];
      read.push(answers.reduce((sum, { rows: found }) => sum + found.length, 0));
    }
    batches.mockRestore();
    expect(Math.max(...read)).toBe(22);
    const changed = await rowStore.updateAll(handle, {}, { Name: 'renamed' }, { everyRow: true });
    expect(changed.result).toBe(66);
    await expect(rowStore.undo(scope, changed.operationId ?? '')).rejects.toMatchObject({
      code: 'UNDO_TOO_LARGE',
    });
    await dispose();
  });
});
