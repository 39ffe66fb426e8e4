import { expect, test } from '@jest/globals';
import type { ColumnSchema, TableSchema } from '@trellis/sdk/server';
import { createFormulaColumn } from './formula-column.ts';

const type = createFormulaColumn({ get: () => undefined } as never);

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
