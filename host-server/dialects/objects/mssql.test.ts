import { expect, test } from '@jest/globals';
import type { DatabaseObject } from '@trellis/sdk/server';
import { recordStatements } from '../../databases/testing/recorded-statements.ts';
import { tsqlProblems } from '../../databases/testing/tsql.ts';
import { dialectOf } from '../select-dialect.ts';
import { findObject, listObjects } from './default.ts';

/** Rows as `sys.indexes` and `sys.index_columns` have them. */
const indexColumns = ['unique', 'kind', 'name', 'descending'];
const indexRows = [
  [true, 'NONCLUSTERED', 'note', false],
  [true, 'NONCLUSTERED', 'odd]name', true],
];

test.each([undefined, 'sales'])(
  'every statement that reads objects is T-SQL, in the schema %s',
  async (schema) => {
    const { database, take } = recordStatements(dialectOf('mssql', schema), () => ({
      columns: [],
      rows: [],
    }));
    const { objects, identifiers } = database.dialect;
    await database.read(async (unit) => {
      await listObjects(unit, objects, { search: 'a', limit: 200 });
      await listObjects(unit, objects, { kind: 'index', search: '', limit: 200 });
      for (const kind of objects.kinds) {
        await findObject(unit, objects, kind, 'x');
        await objects.read(unit, { kind, id: 'x', name: 'x', about: 'item' }, identifiers);
      }
    });
    const statements = take();
    expect(statements.length).toBeGreaterThan(objects.kinds.length);
    expect(statements.flatMap((sql) => tsqlProblems(sql))).toEqual([]);
  },
);

test('an index is written from what the catalogue says', async () => {
  const { database } = recordStatements(dialectOf('mssql'), () => ({
    columns: indexColumns,
    rows: indexRows.map((row) => [...row]),
  }));
  const { objects, identifiers } = database.dialect;
  const index: DatabaseObject = { kind: 'index', id: 'item.by_note', name: 'by_note', about: 'item' };
  expect(await database.read((unit) => objects.read(unit, index, identifiers))).toEqual({
    definition: 'CREATE UNIQUE NONCLUSTERED INDEX [by_note] ON [item] ([note], [odd]]name] DESC)',
  });
});
