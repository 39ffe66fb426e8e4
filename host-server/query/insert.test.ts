import { expect, test } from '@jest/globals';
import type { StorageKind } from '@trellis/sdk/shared';
import type { Database } from '../databases/database.ts';
import { describeEachDatabase } from '../databases/testing.ts';
import { DatabaseError } from '../sql/database-error.ts';
import { typeOf } from './compile-context.ts';
import { insertRows } from './insert.ts';
import { createTables, type Cell } from './testing/tables.ts';

const texts: readonly Cell[] = [
  '',
  ' blanks ',
  'NULL',
  '{a,b}',
  '"quoted"',
  'back\\slash \\"',
  "it's",
  'two\nlines',
  'ünï 🙂',
  null,
];
/** For each kind, what a row may hold in a column of it. */
const values: Partial<Record<StorageKind, readonly Cell[]>> = {
  string: texts,
  text: texts,
  integer: [0, -1, 2_147_483_647, null],
  bigint: ['9223372036854775807', '-9223372036854775808', 7, null],
  decimal: ['1.50', '-0.001', '12345678901234567890', null],
  float: [0.1, -1e300, 5e-324, null],
  boolean: [true, false, null],
  date: ['2026-05-01', '0001-01-01', null],
  time: ['23:59:59', null],
  datetime: ['2026-05-01T12:30:15.250Z', null],
  json: ['{"a":"b\\\\c,\\"d\\""}', '[1,{"x":null}]', null],
  binary: ['AAECIlx/', '', null],
};
const kinds = Object.keys(values) as StorageKind[];
const longest = 12;

/** SQLite gives numbers back for booleans and digits, which are the same to the codecs. */
function comparable(cell: unknown): unknown {
  if (typeof cell === 'boolean') return String(Number(cell));
  return typeof cell === 'number' || typeof cell === 'bigint' ? String(cell) : cell;
}

async function start(database: Database) {
  const columns = Object.fromEntries(kinds.map((kind) => [`of_${kind}`, kind] as const));
  const { context } = await createTables(
    database,
    { many: { columns: { id: 'integer', ...columns }, rows: [] } },
    [],
  );
  const of = context('many');
  const { table } = of;
  const rows = Array.from({ length: longest }, (_, at) => [
    at + 1,
    ...kinds.map((kind) => values[kind]?.[at % (values[kind]?.length ?? 1)] ?? null),
  ]);
  const codecs = table.columns.map(({ storage, nativeType }) =>
    database.dialect.types.codec(storage, nativeType),
  );
  const stored = async () => {
    const names = table.columns.map(({ columnName }) => columnName);
    const read = await database.read((unit) => unit.rows(unit.knex('many').orderBy('id').select(names)));
    return read.rows;
  };
  const empty = () => database.write((unit) => unit.run(unit.knex('many').delete()));
  const bindings = rows.map((row) => row.map((cell, place) => codecs[place]?.toDatabase(cell) ?? null));
  return { of, table, bindings, stored, empty };
}

describeEachDatabase('an insert of many rows', (open, dialect) => {
  test('stores what inserts of one row each store, for every kind of value', async () => {
    const database = await open();
    const { of, table, bindings, stored, empty } = await start(database);
    await database.write(async (unit) => {
      for (const row of bindings) await unit.run(insertRows(of, table.columns, [row], []));
    });
    const oneByOne = await stored();
    expect(oneByOne).toHaveLength(longest);
    await empty();
    await database.write((unit) => unit.run(insertRows(of, table.columns, bindings, [])));
    expect(await stored()).toEqual(oneByOne);
  });

  test('stores as they are bound the cells that an insert need not give back', async () => {
    const database = await open();
    const { of, table, bindings, stored } = await start(database);
    await database.write((unit) => unit.run(insertRows(of, table.columns, bindings, [])));
    const { keepsBound } = database.dialect.statements;
    const kept = table.columns.flatMap((column, place) => (keepsBound(typeOf(column)) ? [place] : []));
    const only = (rows: readonly (readonly unknown[])[]) =>
      rows.map((row) => kept.map((place) => comparable(row[place])));
    expect(only(await stored())).toEqual(only(bindings));
  });

  test('gives the rows back in their order', async () => {
    const database = await open();
    const { of, table, bindings } = await start(database);
    if (!database.dialect.statements.returnsInserted) return;
    const backwards = bindings.toReversed();
    const { rows } = await database.write((unit) =>
      unit.rows(insertRows(of, table.columns, backwards, table.primaryKey)),
    );
    expect(rows.map(([id]) => Number(id))).toEqual(backwards.map(([id]) => Number(id)));
  });

  test('binds a list for each column where the database keeps such a statement prepared', async () => {
    const database = await open();
    const { of, table, bindings } = await start(database);
    const many = insertRows(of, table.columns, bindings, []);
    const more = insertRows(of, table.columns, [...bindings, ...bindings], []);
    const isListed = database.dialect.statements.insertMany !== undefined;
    expect(many.bindings).toHaveLength(isListed ? table.columns.length : table.columns.length * longest);
    expect(many.sql === more.sql).toBe(isListed);
  });

  // SQLite has no lengths.
  if (dialect === 'sqlite') return;

  test('refuses what is too long for its column', async () => {
    const database = await open();
    await database.schema((changer) =>
      changer.createTable({
        name: 'short',
        columns: [{ name: 'id', kind: 'string', length: 3, nullable: false }],
        primaryKey: ['id'],
      }),
    );
    const { of } = await start(database);
    const { nativeFor } = database.dialect.types;
    const id = {
      columnName: 'id',
      storage: 'string',
      nativeType: nativeFor('string', { length: 3 }),
    } as never;
    const short = { ...of, table: { ...of.table, tableName: 'short' } };
    await expect(
      database.write((unit) => unit.run(insertRows(short, [id], [['abc'], ['abcd']], []))),
    ).rejects.toThrow(DatabaseError);
    expect((await database.read((unit) => unit.rows(unit.knex('short').select('id')))).rows).toEqual([]);
  });
});
