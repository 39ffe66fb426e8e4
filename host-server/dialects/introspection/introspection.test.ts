import { expect, test } from '@jest/globals';
import type { Database } from '../../databases/database.ts';
import { describeEachDatabase } from '../../databases/testing.ts';
import type { TestedDialect } from '../../databases/testing/test-servers.ts';

/** Tables as others make them, with what each database has to offer. */
const SCRIPTS: Readonly<Record<TestedDialect, readonly string[]>> = {
  sqlite: [
    "create table odd (id integer primary key, n unsigned big int, price decimal(10,2), flag boolean default 1, made timestamp, total as (n * 2) stored, blobby blob, free, v varchar(9) not null default 'x')",
    'create table keyless (a text, b text, unique (a, b))',
    'create view seen as select id, v from odd',
  ],
  postgres: [
    "create type mood as enum ('sad', 'it''s ok')",
    'create table odd (id int generated always as identity primary key, n bigserial, price numeric(10,2), mood mood, tags text[], made timestamptz default now(), total int generated always as (id * 2) stored, u uuid, span interval, j jsonb, v varchar(9) not null default $$x$$)',
    'create table keyless (a text, b text, unique (a, b))',
    'create view seen as select id, v from odd',
  ],
  mysql: [
    "create table odd (id int unsigned auto_increment primary key, n bigint, price decimal(10,2), flag tinyint(1), tiny tinyint(4), mood enum('sad','it''s ok'), tags set('a','b'), made timestamp default current_timestamp, total int generated always as (n * 2) stored, y year, j json, v varchar(9) not null default 'x')",
    'create table keyless (a varchar(20), b varchar(20), unique a_and_b (a, b))',
    'create view seen as select id, v from odd',
  ],
};

const EXPECTED: Readonly<Record<TestedDialect, Readonly<Record<string, object>>>> = {
  sqlite: {
    id: { autoIncrement: true, computed: false, reading: { uidt: 'Number' } },
    n: { reading: { kind: 'bigint' } },
    price: { native: 'decimal(10,2)', reading: { kind: 'decimal', uidt: 'Decimal' } },
    flag: { default: '1', reading: { kind: 'boolean', uidt: 'Checkbox' } },
    made: { reading: { kind: 'datetime' } },
    total: { computed: true },
    blobby: { reading: { kind: 'binary', editable: false } },
    free: { native: '', reading: { uidt: 'SingleLineText' } },
    v: { nullable: false, default: "'x'", reading: { kind: 'string' } },
  },
  postgres: {
    id: { autoIncrement: true, computed: true },
    n: { autoIncrement: true, computed: false, reading: { kind: 'bigint' } },
    price: { native: 'numeric(10,2)', reading: { kind: 'decimal' } },
    mood: { reading: { uidt: 'SingleSelect', editable: true, choices: ['sad', "it's ok"] } },
    tags: { native: 'text[]', reading: { uidt: 'SpecificDBType', editable: false } },
    made: { native: 'timestamp with time zone', reading: { kind: 'datetime' } },
    total: { computed: true },
    u: { reading: { uidt: 'SingleLineText', editable: true } },
    span: { reading: { editable: false } },
    j: { reading: { uidt: 'JSON' } },
    v: { native: 'character varying(9)', nullable: false },
  },
  mysql: {
    id: { autoIncrement: true, reading: { kind: 'integer', uidt: 'Number' } },
    price: { reading: { kind: 'decimal' } },
    flag: { reading: { uidt: 'Checkbox' } },
    tiny: { reading: { uidt: 'Number' } },
    mood: { reading: { uidt: 'SingleSelect', choices: ['sad', "it's ok"] } },
    tags: { reading: { uidt: 'MultiSelect', choices: ['a', 'b'] } },
    total: { computed: true },
    y: { reading: { uidt: 'Year' } },
    j: { reading: { uidt: 'JSON' } },
    v: { nullable: false },
  },
};

async function openOdd(open: () => Promise<Database>, dialect: TestedDialect): Promise<Database> {
  const database = await open();
  await database.write(async (unit) => {
    for (const script of SCRIPTS[dialect]) await unit.run(unit.knex.raw(script));
  });
  return database;
}

describeEachDatabase('a schema that somebody else made', (open, dialect) => {
  test('is read with its types, keys, generated columns and views', async () => {
    const database = await openOdd(open, dialect);
    const { tables } = await database.read((unit) => database.dialect.introspection.read(unit));
    expect(tables.map(({ name, kind }) => [name, kind])).toEqual([
      ['keyless', 'table'],
      ['odd', 'table'],
      ['seen', 'view'],
    ]);
    const [keyless, odd, seen] = tables;
    expect(keyless).toMatchObject({ primaryKey: [], uniqueKeys: [{ columns: ['a', 'b'] }] });
    expect(seen?.columns.map(({ name }) => name)).toEqual(['id', 'v']);
    const columns = Object.fromEntries(odd?.columns.map((column) => [column.name, column]) ?? []);
    expect(columns).toMatchObject(EXPECTED[dialect]);
  });

  test('gives values that its codecs carry', async () => {
    const database = await openOdd(open, dialect);
    const { types, introspection } = database.dialect;
    const { tables } = await database.read((unit) => introspection.read(unit));
    const odd = tables.find(({ name }) => name === 'odd');
    const wire: Record<string, unknown> = { n: 5, price: '12.50', made: '2024-05-31T10:11:12Z', v: 'x' };
    const row = Object.fromEntries(
      (odd?.columns ?? [])
        .filter(({ name }) => name in wire)
        .map(({ name, native, reading }) => [name, types.codec(reading.kind, native).toDatabase(wire[name])]),
    );
    await database.write((unit) => unit.run(unit.knex('odd').insert(row)));
    const { columns, rows } = await database.read((unit) => unit.rows(unit.knex('odd').select('*')));
    const back = Object.fromEntries(
      (odd?.columns ?? []).map(({ name, native, reading }) => [
        name,
        types.codec(reading.kind, native).fromDatabase(rows[0]?.[columns.indexOf(name)]),
      ]),
    );
    expect(back).toMatchObject({
      n: dialect === 'postgres' ? '5' : 5,
      price: expect.stringMatching(/^12\.50?$/),
      made: dialect === 'postgres' ? '2024-05-31T10:11:12.000Z' : '2024-05-31 10:11:12',
      v: 'x',
    });
  });
});
