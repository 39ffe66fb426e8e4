import { expect, test } from '@jest/globals';
import type { ColumnSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import { createFormulaColumn } from './formula-column.ts';

let types: readonly Partial<ServerColumnType>[] = [];
const registry = { get: (id: string) => types.find((of) => of.id === id), list: () => types };
const type = createFormulaColumn(registry as never);

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
