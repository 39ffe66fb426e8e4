import { expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { ColumnSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { Expression } from '@trellis/sdk/shared';
import { dialectOf } from '../dialects/select-dialect.ts';
import { bound, sizeOf, sql, type SqlFragment } from '../sql/fragment.ts';
import { reading, type CompileContext } from './compile-context.ts';
import { compileColumn } from './compile-expression.ts';
import { compilePredicate } from './compile-predicate.ts';

const columnOf = (id: string): Expression => ({ kind: 'column', columnId: id });
const added = (left: Expression, right: Expression): Expression => ({
  kind: 'arithmetic',
  operator: 'add',
  left,
  right,
});

/** A table whose columns are computed by trees, beside the stored column `n`; `count` says how often a tree was asked for. */
function computing(trees: Readonly<Record<string, Expression>>) {
  const columns = ['n', ...Object.keys(trees)].map(
    (id) =>
      ({
        id,
        title: id,
        tableId: 'books',
        type: id === 'n' ? 'Number' : 'Formula',
        columnName: id === 'n' ? 'n' : '',
        storage: id === 'n' ? 'integer' : 'virtual',
      }) as ColumnSchema,
  );
  const columnById = new Map(columns.map((column) => [column.id, column]));
  const asked = { count: 0 };
  const compute = (column: ColumnSchema) => ((asked.count += 1), trees[column.id]);
  const columnTypes = new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'refused' });
  columnTypes.register({ id: 'Formula', server: { compute } } as unknown as ServerColumnType, 'test');
  const table = { id: 'books', title: 'Books', tableName: 'books', columns, columnById, primaryKey: [] };
  const context = {
    table: table as unknown as TableSchema,
    dialect: dialectOf('sqlite'),
    reach: { columnTypes, snapshot: {} },
  } as unknown as CompileContext;
  const compile = (id: string) => compileColumn(context, columnById.get(id) as ColumnSchema);
  return { asked, compile, context };
}

const tooLarge = expect.objectContaining({ code: 'EXPRESSION_TOO_LARGE', status: 400 });

test('a computed column is compiled once for a statement, however often it is named', () => {
  const { asked, context } = computing({ twice: added(columnOf('n'), columnOf('n')) });
  const item = { kind: 'isNull', item: columnOf('twice') } as const;
  compilePredicate(reading(context), { kind: 'and', items: Array(30).fill(item) });
  expect(asked.count).toBe(1);
});

test('columns that double each other are refused as soon as their SQL is too long', () => {
  const trees = Object.fromEntries(
    Array.from({ length: 15 }, (_, at) => {
      const below = columnOf(at === 0 ? 'n' : `c${at - 1}`);
      return [`c${at}`, added(added(below, below), added(below, below))];
    }),
  );
  const { asked, compile } = computing(trees);
  expect(() => compile('c14')).toThrow(tooLarge);
  expect(asked.count).toBe(15);
});

test('a tree that is deeper than the stack of the compiler is refused', () => {
  let deep = columnOf('n');
  for (let level = 0; level < 20_000; level += 1) deep = added(deep, columnOf('n'));
  expect(() => computing({ deep }).compile('deep')).toThrow(tooLarge);
});

test('as many columns may stand within each other in a list as in one of them alone', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`c${at}`, columnOf(at === 0 ? 'n' : `c${at - 1}`)]),
  );
  const { compile, context } = computing(chain);
  expect(() => compile('c15')).not.toThrow();
  expect(() => compile('c16')).toThrow(tooLarge);
  const listed = reading(context);
  const of = (id: string) => compileColumn(listed, listed.table.columnById.get(id) as ColumnSchema);
  for (let at = 0; at < 16; at += 1) of(`c${at}`);
  expect(() => of('c16')).toThrow(tooLarge);
});

test('fragments are counted without their bindings being put together', () => {
  let fragment: SqlFragment = sql`${bound(1)} + ${bound(2)}`;
  for (let level = 0; level < 1000; level += 1) fragment = sql`(${fragment} + ${bound(level)})`;
  expect(sizeOf(fragment)).toMatchObject({ bindings: 1002, depth: 1001 });
  expect(fragment.bindings.slice(0, 4)).toEqual([1, 2, 0, 1]);
  expect({ ...sql`${bound(1)}${bound(2)}` }).toEqual({ sql: '??', bindings: [1, 2] });
});
