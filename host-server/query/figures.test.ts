import { Registry } from '@trellis/core';
import { expect, test } from '@jest/globals';
import type { ColumnSchema, ServerColumnType } from '@trellis/sdk/server';
import type { Expression, FilterOperator } from '@trellis/sdk/shared';
import { describeEachDatabase } from '../databases/testing.ts';
import { bandOf } from './bands.ts';
import type { QueryScope } from './build-predicate.ts';
import type { CompileContext } from './compile-context.ts';
import { selectFigures } from './figures.ts';
import { library, links } from './testing/library.ts';
import { columnId, createTables } from './testing/tables.ts';

/** The number of the author of a book, by a type that computes it. */
const computed = {
  id: 'book.computed',
  tableId: 'book',
  title: 'Computed',
  columnName: '',
  type: 'Computed',
  storage: 'virtual',
} as ColumnSchema;
const ofAuthor: Expression = {
  kind: 'related',
  linkId: 'author',
  aggregate: 'first',
  of: { kind: 'column', columnId: columnId('author', 'whole') },
};

/** A table with the computed column beside its own ones. */
function withComputed(context: CompileContext): CompileContext {
  const columnTypes = new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'raw' });
  const type = { id: 'Computed', server: { compute: () => ofAuthor } };
  columnTypes.register(type as unknown as ServerColumnType, 'test');
  const { table } = context;
  const columnById = new Map([...table.columnById, [computed.id, computed]]);
  const columns = [...table.columns, computed];
  return { ...context, table: { ...table, columns, columnById }, reach: { ...context.reach, columnTypes } };
}

describeEachDatabase('rows that are counted between many values of a computed column', (open) => {
  test('are found by working out the value once in the statement', async () => {
    const database = await open();
    const tables = await createTables(database, library, links);
    const context = withComputed(tables.context('book'));
    const operators = new Registry<FilterOperator>({ id: 'filterOperators', absentPolicy: 'refused' });
    operators.register(
      {
        id: 'gte',
        label: '≥',
        arity: 'one',
        build: ({ column, value, literal }) => ({
          kind: 'compare',
          comparison: 'gte',
          left: column,
          right: literal(value),
        }),
      },
      'test',
    );
    const of = { context, visible: 'all', operators, reader: { kind: 'guest' } } as unknown as QueryScope;
    const bounds = Array.from({ length: 27 }, (_, index) => index - 20);
    const band = bandOf(of, computed, bounds);
    const { query } = selectFigures(
      { ...context, predicate: undefined, order: [] },
      { nodes: [], by: [{ column: computed, direction: 'asc', band }] },
    );
    const read = `from ${database.dialect.identifiers.table('author')}`;
    expect(query.sql.split(read)).toHaveLength(2);
    const { rows } = await database.read((unit) => unit.rows(query));
    const found = rows.map((cells) => cells.map((cell) => (cell === null ? null : Number(cell))));
    // Authors: 0 for three books, 7 for one, none for one, and the least number that there is for one.
    expect(new Map(found.map(([value, count]) => [value, count]))).toEqual(
      new Map([
        [null, 1],
        [0, 1],
        [21, 3],
        [27, 1],
      ]),
    );
  });
});
