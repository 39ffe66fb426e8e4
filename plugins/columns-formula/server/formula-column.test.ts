import { expect, test } from '@jest/globals';
import type { ColumnSchema, ProjectSnapshot, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import { createFormulaColumn } from './formula-column.ts';

const none: readonly never[] = [];
let types: readonly Partial<ServerColumnType>[] = [];
const registry = { get: (id: string) => types.find((of) => of.id === id), list: () => types };
const noFunctions = { get: () => undefined, list: () => none };
const type = createFormulaColumn({
  columnTypes: registry as never,
  functions: () => noFunctions as never,
  report: () => undefined,
});

function tableOf(...columns: readonly Partial<ColumnSchema>[]): TableSchema {
  const all = columns.map((column) => ({ columnName: 'x', storage: 'text', ...column }) as ColumnSchema);
  return {
    columns: all,
    columnById: new Map(all.map((column) => [column.id, column])),
    primaryKey: [] as readonly ColumnSchema[],
  } as unknown as TableSchema;
}

const formulaOf = (meta: object) =>
  ({ id: 'cl_f', columnName: '', storage: 'virtual', type: 'Formula', title: 'F', meta }) as ColumnSchema;
const read = (column: ColumnSchema, table: TableSchema) => type.server?.toColOptions?.(column, table);

test('The text of a formula is not told to a caller from whom one of its columns is hidden', () => {
  const column = formulaOf({ formula: 'UPPER({{cl_a}})', result: 'text' });
  expect(read(column, tableOf({ id: 'cl_a', title: 'Salary' }, column))).toMatchObject({
    formula_raw: 'UPPER({Salary})',
    error: null,
  });
  const hidden = read(column, tableOf(column));
  expect(hidden).toMatchObject({ formula: '', formula_raw: '', error: null, result: 'text' });
});

test('A formula tells what a deleted column was called', () => {
  const column = formulaOf({ formula: 'UPPER({{cl_a}})', result: 'text', gone: { cl_a: 'Salary' } });
  expect(read(column, tableOf(column))).toMatchObject({
    formula_raw: 'UPPER({Salary})',
    error: "Column 'Salary' was deleted",
  });
});

test('A formula over a column whose type is switched off says so, until it is on again', () => {
  const column = formulaOf({ formula: '{{cl_s}} & "!"', result: 'text' });
  const sum = { id: 'cl_s', title: 'Sum', columnName: '', storage: 'virtual', type: 'Rollup' } as const;
  const table = tableOf(sum, column);
  const off = { error: "The column 'Sum' has no values that a formula can read" };
  expect(read(column, table)).toMatchObject(off);
  types = [{ id: 'Rollup', server: { compute: () => undefined } }];
  expect(read(column, table)).toMatchObject({ error: null });
  types = [];
  expect(read(column, table)).toMatchObject(off);
});

/** A column whose options count how often they are looked at. */
function counted(id: string, text: string, looks: { count: number }): ColumnSchema {
  const column = {
    id,
    columnName: '',
    storage: 'virtual',
    type: 'Formula',
    title: id,
  };
  return Object.defineProperty(column as ColumnSchema, 'meta', {
    enumerable: true,
    get: () => ((looks.count += 1), { formula: text }),
  });
}

/** What the first formula of the table is, and how often all their options were looked at for it. */
function firstOf(texts: readonly string[]) {
  const looks = { count: 0 };
  const columns = texts.map((text, index) => counted(`cl_${index}`, text, looks));
  const number = {
    id: 'cl_n',
    title: 'N',
    columnName: 'n',
    storage: 'integer',
  } as ColumnSchema;
  const all = [number, ...columns];
  const table = {
    id: 't',
    columns: all,
    columnById: new Map(all.map((column) => [column.id, column])),
    primaryKey: [] as readonly ColumnSchema[],
  } as unknown as TableSchema;
  const [first = number] = columns;
  return { options: read(first, table), looks: looks.count };
}

test('Thirty formulas that do not name each other are read once each', () => {
  const { options, looks } = firstOf(Array.from({ length: 30 }, (_, index) => `{{cl_n}} + ${index}`));
  expect(options).toMatchObject({ error: null, result: 'number' });
  expect(looks).toBeLessThan(30 * 6);
});

test('A chain of sixteen formulas is read once each, from its end on', () => {
  const chain = Array.from({ length: 16 }, (_, index) =>
    index === 15 ? 'UPPER("a")' : `{{cl_${index + 1}}} & {{cl_${index + 1}}} & {cl_${index + 1}}`,
  );
  const { options, looks } = firstOf(chain);
  expect(options).toMatchObject({ error: null, result: 'text' });
  expect(looks).toBeLessThan(16 * 6);
  const [, ...rest] = chain;
  expect(firstOf(['{{cl_1}} + 1', ...rest]).options).toMatchObject({
    error: expect.stringContaining('takes'),
    result: 'any',
  });
});

test('Formulas that name each other in a circle are read to an end', () => {
  const { options, looks } = firstOf(['{{cl_1}} + 1', '{{cl_2}} + {{cl_0}}', '{cl_0} - {{cl_1}} - {{cl_2}}']);
  expect(options).toMatchObject({ error: null, result: 'number' });
  expect(looks).toBeLessThan(3 * 6);
});

test('A formula over a list is one for everybody, whoever from whom the list is hidden came first', () => {
  const list = { id: 'cl_l', title: 'Prices', columnName: '', storage: 'virtual', type: 'Lookup' } as const;
  const column = formulaOf({ formula: 'SUM({{cl_l}})', result: 'number' });
  const table = tableOf(list, column);
  const snapshotOf = (columns: readonly string[]) =>
    ({ tables: new Map([[column.tableId, table]]), columns }) as unknown as ProjectSnapshot;
  types = [
    {
      id: 'Lookup',
      server: {
        compute: () => undefined,
        linked: (_of: ColumnSchema, { columns }: { readonly columns: readonly string[] }) =>
          columns.includes('cl_price') ? { linkId: 'ln_1', columnId: 'cl_price' } : undefined,
      } as never,
    },
  ];
  const [narrowed, whole] = [snapshotOf([]), snapshotOf(['cl_price'])];
  type.server?.toColOptions?.(column, table, narrowed);
  expect(JSON.stringify(type.server?.compute?.(column, whole))).toContain(
    '"kind":"values","columnId":"cl_l"',
  );
  types = [];
});
