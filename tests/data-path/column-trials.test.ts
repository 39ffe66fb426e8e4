import { expect, test } from '@jest/globals';
import type { AccessScope, ColumnPatch } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

const toNumber: ColumnPatch = { type: 'Number' };
const rows = 2500;

describeEachMetadata('a change of a column', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    const scope = await path.newProject('Shop');
    const table = await path.schema.createTable(scope, {
      title: 'Parts',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
        { title: 'Price', type: 'SingleLineText' },
        { title: 'Stock', type: 'Number' },
      ],
    });
    const handle = await path.schema.open(scope, table.id);
    await path.rowStore.createMany(
      handle,
      Array.from({ length: rows }, (_, index) => ({
        Name: `part ${index}`,
        Price: index % 1000 === 7 ? `about ${index}` : index % 10 === 0 ? undefined : ` ${index}`,
        Stock: index < 2 ? undefined : index,
      })),
    );
    const id = (title: string) => table.columnByTitle.get(title)?.id ?? '';
    /** The caller for whom only rows exist that have less in stock. */
    const below = (stock: number): AccessScope =>
      path.access.narrow(scope, {
        rows: new Map([
          [
            table.id,
            {
              kind: 'compare',
              comparison: 'lt',
              left: { kind: 'column', columnId: id('Stock') },
              right: { kind: 'literal', value: stock, storage: 'integer' },
            },
          ],
        ]),
      });
    const withoutColumn = (title: string): AccessScope => {
      const readable = new Set(table.columns.filter((of) => of.title !== title).map((of) => of.id));
      const writable = new Set(table.columns.map((of) => of.id));
      return path.access.narrow(scope, { columns: new Map([[table.id, { readable, writable }]]) });
    };
    return { ...path, scope, table, handle, id, below, withoutColumn };
  }

  test('is tried on all rows in parts, with what is lost, and changes nothing', async () => {
    const { schema, scope, table, id, dispose } = await start();
    const parts = [await schema.tryColumnUpdate(scope, id('Price'), toNumber, { forMs: 0 })];
    for (let after = parts[0]?.next; after !== undefined; after = parts.at(-1)?.next)
      parts.push(await schema.tryColumnUpdate(scope, id('Price'), toNumber, { after, forMs: 0 }));
    expect(parts.map(({ seen, values, lost }) => [seen, values, lost])).toEqual([
      [1000, 900, 1],
      [1000, 900, 1],
      [500, 450, 1],
    ]);
    expect(parts.map((part) => part.rows)).toEqual([rows, undefined, undefined]);
    expect(parts[0]?.samples).toEqual([
      { from: 'about 7', to: null, lost: true },
      { from: ' 1', to: '1', lost: false },
      { from: ' 2', to: '2', lost: false },
      { from: ' 3', to: '3', lost: false },
    ]);
    expect((await schema.table(scope, table.id)).columnById.get(id('Price'))?.type).toBe('SingleLineText');
    await dispose();
  });

  test('has nothing to try where the values stay as they are', async () => {
    const { schema, scope, id, dispose } = await start();
    for (const patch of [{ title: 'Cost' }, { required: true }, { type: 'SingleLineText' }])
      expect(await schema.tryColumnUpdate(scope, id('Price'), patch)).toMatchObject({ converts: false });
    await expect(schema.tryColumnUpdate(scope, id('Id'), toNumber)).rejects.toMatchObject({
      code: 'KEY_COLUMN',
    });
    await dispose();
  });

  test('goes on only in the schema and the column that it began in', async () => {
    const { schema, scope, table, id, dispose } = await start();
    const { next = '' } = await schema.tryColumnUpdate(scope, id('Price'), toNumber, { forMs: 0 });
    const goOn = (column: string, after: string) =>
      schema.tryColumnUpdate(scope, id(column), { type: 'LongText' }, { after });
    await expect(goOn('Name', next)).rejects.toMatchObject({ code: 'SCHEMA_CHANGED' });
    await expect(goOn('Price', 'made up')).rejects.toMatchObject({ code: 'TRIAL_MARK_UNKNOWN' });
    await schema.createColumn(scope, table.id, { title: 'Other', type: 'Number' });
    await expect(goOn('Price', next)).rejects.toMatchObject({ code: 'SCHEMA_CHANGED' });
    await dispose();
  });

  test('ends when its caller goes away', async () => {
    const { schema, scope, id, dispose } = await start();
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(schema.tryColumnUpdate(scope, id('Price'), toNumber, { signal })).rejects.toThrow('gone');
    await dispose();
  });

  test('counts all values, and shows those alone that the caller may read', async () => {
    const { schema, id, below, withoutColumn, dispose } = await start();
    const few = await schema.tryColumnUpdate(below(5), id('Price'), toNumber);
    expect(few).toMatchObject({ values: 2250, lost: 3 });
    expect(few.samples.map(({ from }) => from)).toEqual([' 2', ' 3', ' 4']);
    await expect(schema.updateColumn(below(1500), id('Price'), toNumber)).rejects.toMatchObject({
      code: 'RETYPE_LOSES_VALUES',
      params: { lost: 3, total: 2250, samples: ['about 7', 'about 1007'], kept: 'Price (old)' },
    });
    const hidden = await schema.tryColumnUpdate(withoutColumn('Price'), id('Price'), toNumber);
    expect(hidden).toMatchObject({ lost: 3, samples: [] });
    await dispose();
  });

  test('to a rule names rows and values in its way that the caller may read', async () => {
    const { schema, rowStore, handle, scope, id, below, withoutColumn, dispose } = await start();
    const require = (of: AccessScope) => schema.updateColumn(of, id('Stock'), { required: true });
    await expect(require(scope)).rejects.toMatchObject({
      code: 'COLUMN_NEEDS_DEFAULT',
      params: { count: 2, rows: "'part 0', 'part 1'" },
    });
    // Rows without a number in stock are no rows for this caller.
    await expect(require(below(5000))).rejects.toMatchObject({
      code: 'COLUMN_NEEDS_DEFAULT_UNSEEN',
      params: { count: 2, rows: '' },
    });
    await expect(require(withoutColumn('Name'))).rejects.toMatchObject({
      code: 'COLUMN_NEEDS_DEFAULT',
      params: { count: 2, rows: "'1', '2'" },
    });
    await rowStore.createMany(handle, [
      { Name: 'part 3', Stock: 3 },
      { Name: 'part 4', Stock: 7000 },
      { Name: 'part 2400', Stock: 7000 },
    ]);
    const unique = (of: AccessScope) => schema.updateColumn(of, id('Name'), { unique: true });
    await expect(unique(scope)).rejects.toMatchObject({
      params: { count: 3, values: "'part 2400', 'part 3', 'part 4'" },
    });
    await expect(unique(below(5))).rejects.toMatchObject({
      code: 'COLUMN_NOT_UNIQUE',
      params: { count: 3, values: "'part 3', 'part 4'" },
    });
    await expect(unique(withoutColumn('Name'))).rejects.toMatchObject({
      code: 'COLUMN_NOT_UNIQUE_UNSEEN',
      params: { count: 3, values: '' },
    });
    await dispose();
  });
});
