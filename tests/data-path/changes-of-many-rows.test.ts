import { expect, test } from '@jest/globals';
import type { AccessScope } from '@trellis/sdk/server';
import { describeEachDatabase } from '../../host-server/databases/testing.ts';
import { createDataPath } from './data-path.ts';

type DataPath = Awaited<ReturnType<typeof createDataPath>>;

const parts = {
  title: 'Parts',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'Stock', type: 'Number' },
  ],
};

describeEachDatabase('a change of all rows that meet a condition', (open) => {
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
      code: 'UNDO_NOT_YOURS',
    });
    expect(await rowStore.count(handle, { where: '(Stock,eq,9)' })).toBe(2);
    expect((await rowStore.undo(scope, changed.operationId ?? '')).result).toBe(2);
    await dispose();
  });
});
