import { describe, expect, test } from '@jest/globals';
import type { Database } from '../../databases/database.ts';
import { createTestDatabases, describeEachDatabase } from '../../databases/testing.ts';
import { CreateTableText } from './create-table-text.ts';
import type { ColumnSpec, TableSpec } from './schema-changer.ts';

const parents: TableSpec = {
  name: 'parents',
  columns: [
    { name: 'id', kind: 'integer', autoIncrement: true },
    { name: 'name', kind: 'string', nullable: false, default: { kind: 'literal', value: "O'Neil ? \\" } },
    { name: 'extra', kind: 'integer' },
    { name: 'made', kind: 'datetime', default: { kind: 'now' } },
  ],
  primaryKey: ['id'],
  indexes: [
    { name: 'parents_extra', columns: ['extra'] },
    { name: 'parents_name', columns: ['name'] },
  ],
};

const children: TableSpec = {
  name: 'children',
  columns: [
    { name: 'id', kind: 'integer', autoIncrement: true },
    { name: 'parent_id', kind: 'integer', nullable: false },
    { name: 'note', kind: 'text' },
  ],
  primaryKey: ['id'],
  foreignKeys: [
    {
      name: 'children_parent',
      columns: ['parent_id'],
      table: 'parents',
      references: ['id'],
      onDelete: 'cascade',
    },
  ],
};

async function openFamily(open: () => Promise<Database>): Promise<Database> {
  const database = await open();
  await database.schema(async (changer) => {
    await changer.createTable(parents);
    await changer.createTable(children);
  });
  await database.write(async (unit) => {
    await unit.run(
      unit
        .knex('parents')
        .insert([{ extra: 1 }, { extra: 2 }, { extra: 3 }].map((row) => ({ name: 'p', ...row }))),
    );
    await unit.run(unit.knex('children').insert([1, 2, 3].map((id) => ({ parent_id: id, note: `c${id}` }))));
  });
  return database;
}

const rowsOf = async (database: Database, table: string, ...columns: string[]) =>
  (await database.read((unit) => unit.rows(unit.knex(table).select(columns).orderBy('id')))).rows;

describeEachDatabase('a schema change', (open, dialect) => {
  const steps: readonly (readonly [name: string, change: (database: Database) => Promise<void>])[] = [
    ['dropping a column', (database) => database.schema((changer) => changer.dropColumn('parents', 'extra'))],
    [
      'changing a type',
      (database) =>
        database.schema((changer) => changer.changeColumn('parents', { name: 'extra', kind: 'text' })),
    ],
    ['requiring a value', (database) => database.schema((changer) => changer.setNotNull('parents', 'extra'))],
    [
      'no longer requiring one',
      (database) => database.schema((changer) => changer.dropNotNull('parents', 'name')),
    ],
    [
      'setting a default',
      (database) =>
        database.schema((changer) => changer.setDefault('parents', 'extra', { kind: 'literal', value: 7 })),
    ],
    [
      'dropping a default',
      (database) => database.schema((changer) => changer.dropDefault('parents', 'name')),
    ],
    [
      'renaming a column',
      (database) => database.schema((changer) => changer.renameColumn('parents', 'extra', 'more')),
    ],
    [
      'renaming the table',
      (database) => database.schema((changer) => changer.renameTable('parents', 'elders')),
    ],
    [
      'adding a column with a moving default',
      (database) =>
        database.schema((changer) =>
          changer.addColumn('parents', { name: 'seen', kind: 'datetime', default: { kind: 'now' } }),
        ),
    ],
  ];

  test.each(steps)('keeps the rows of tables that point to it: %s', async (_name, change) => {
    const database = await openFamily(open);
    await change(database);
    await change(database);
    expect(await rowsOf(database, 'children', 'id', 'parent_id', 'note')).toEqual([
      [1, 1, 'c1'],
      [2, 2, 'c2'],
      [3, 3, 'c3'],
    ]);
    const table = (await database.schema((changer) => changer.hasTable('elders'))) ? 'elders' : 'parents';
    expect(await rowsOf(database, table, 'id', 'name')).toEqual([
      [1, 'p'],
      [2, 'p'],
      [3, 'p'],
    ]);
    // The foreign key still works, both ways.
    const orphan = database.write((unit) => unit.run(unit.knex('children').insert({ parent_id: 99 })));
    await expect(orphan).rejects.toMatchObject({ kind: 'foreignKey' });
    await database.write((unit) => unit.run(unit.knex(table).where({ id: 1 }).delete()));
    expect(await rowsOf(database, 'children', 'id')).toEqual([[2], [3]]);
  });

  test('replaces a column under its name, keeps its rules and former values, and takes that back', async () => {
    const database = await open();
    const kind = 'string';
    const columns: ColumnSpec[] = [
      { name: 'id', kind: 'integer' },
      { name: 'size', kind, nullable: false, default: { kind: 'literal', value: '5' } },
      { name: 'last', kind: 'integer' },
    ];
    await database.schema((changer) => changer.createTable({ name: 'boxes', columns, primaryKey: ['id'] }));
    const insert = (id: number) =>
      database.write((unit) => unit.run(unit.knex('boxes').insert({ id, last: id })));
    await insert(1);
    const nativeOf = (of: 'integer' | 'string') => database.dialect.types.nativeFor(of, {});
    const replacement = {
      column: 'size',
      source: 'size_new',
      nativeType: nativeOf('integer'),
      default: { kind: 'literal', value: 6 } as const,
      former: { name: 'size_old', nativeType: nativeOf(kind) },
    };
    for (let round = 0; round < 2; round += 1) {
      await database.schema((changer, unit) =>
        changer.replaceColumn('boxes', replacement, async () => {
          await unit.run(unit.knex('boxes').update({ size_new: 50 }));
        }),
      );
    }
    await insert(2);
    expect(await rowsOf(database, 'boxes', 'size', 'size_old', 'last')).toEqual([
      [50, '5', 1],
      [6, null, 2],
    ]);
    const empty = database.write((unit) => unit.run(unit.knex('boxes').insert({ id: 3, size: null })));
    await expect(empty).rejects.toMatchObject({ kind: 'notNull' });

    await database.write((unit) => unit.run(unit.knex('boxes').where({ id: 2 }).delete()));
    const back = { column: 'size', source: 'size_old', nativeType: nativeOf(kind) };
    await database.schema((changer) => changer.replaceColumn('boxes', back, () => Promise.resolve()));
    expect(await rowsOf(database, 'boxes', 'size', 'last')).toEqual([['5', 1]]);
    expect(await database.schema((changer) => changer.hasColumn('boxes', 'size_old'))).toBe(false);
  });

  test('takes every step twice without an error', async () => {
    const database = await openFamily(open);
    const column: ColumnSpec = {
      name: 'added',
      kind: 'boolean',
      nullable: false,
      default: { kind: 'literal', value: true },
    };
    for (let round = 0; round < 2; round += 1) {
      await database.schema(async (changer) => {
        await changer.createTable(parents);
        await changer.addColumn('parents', column);
        await changer.createIndex('parents', { name: 'parents_added', columns: ['added'] });
        await changer.renameColumn('children', 'note', 'remark');
        await changer.addForeignKey('parents', {
          name: 'parents_self',
          columns: ['extra'],
          table: 'parents',
          references: ['id'],
          onDelete: 'set null',
        });
      });
    }
    expect((await rowsOf(database, 'parents', 'added')).map(([added]) => Number(added))).toEqual([1, 1, 1]);
    for (let round = 0; round < 2; round += 1) {
      await database.schema(async (changer) => {
        await changer.dropIndex('parents', 'parents_added');
        await changer.dropForeignKey('parents', 'parents_self');
        await changer.dropColumn('parents', 'added');
        await changer.dropTable('children');
        await changer.dropTable('parents');
        expect(await changer.hasTable('parents')).toBe(false);
      });
    }
  });

  test('takes the same steps from two sides at once', async () => {
    const database = await open();
    const sides = [1, 2, 3, 4].map(() =>
      database.schema(async (changer) => {
        await changer.createTable(parents);
        await changer.addColumn('parents', { name: 'late', kind: 'integer' });
        await changer.createTable(children);
        await changer.dropColumn('parents', 'made');
      }),
    );
    await Promise.all(sides);
    const { tables } = await database.read((unit) => database.dialect.introspection.read(unit));
    expect(tables.map(({ name, columns }) => [name, columns.length])).toEqual([
      ['children', 3],
      ['parents', 4],
    ]);
  });

  test('refuses what would lose something, and leaves the table as it was', async () => {
    const database = await openFamily(open);
    await database.write((unit) =>
      unit.run(unit.knex('parents').where({ id: 2 }).update({ extra: null, name: 'word' })),
    );
    const required = database.schema((changer) => changer.setNotNull('parents', 'extra'));
    await expect(required).rejects.toMatchObject({ kind: expect.stringMatching(/notNull|badValue/) });
    const converted = database.schema((changer) =>
      changer.changeColumn('parents', { name: 'name', kind: 'integer' }),
    );
    await expect(converted).rejects.toMatchObject({ kind: 'badValue' });
    const dropped = database.schema((changer) => changer.dropTable('parents'));
    await expect(dropped).rejects.toMatchObject({ kind: 'foreignKey' });
    expect(await rowsOf(database, 'parents', 'name', 'extra')).toEqual([
      ['p', 1],
      ['word', null],
      ['p', 3],
    ]);
    expect(await rowsOf(database, 'children', 'id')).toHaveLength(3);
  });

  test('is read back whole by the introspection', async () => {
    const database = await openFamily(open);
    await database.schema(async (changer) => {
      await changer.createTable({
        name: 'odd name?',
        columns: [
          { name: 'b', kind: 'integer', nullable: false },
          { name: 'a', kind: 'string', length: 20, nullable: false },
          { name: 'd', kind: 'decimal', precision: 10, scale: 2 },
          { name: 'j', kind: 'json' },
        ],
        primaryKey: ['a', 'b'],
        indexes: [{ name: 'odd_unique', columns: ['b', 'd'], unique: true }],
      });
    });
    const schema = await database.read((unit) => database.dialect.introspection.read(unit));
    expect(schema.tables.map(({ name }) => name)).toEqual(['children', 'odd name?', 'parents']);
    const [child, odd, parent] = schema.tables;
    expect(child?.foreignKeys).toMatchObject([
      { columns: ['parent_id'], table: 'parents', references: ['id'], onDelete: 'cascade' },
    ]);
    expect(parent?.primaryKey).toEqual(['id']);
    expect(parent?.columns).toMatchObject([
      { name: 'id', autoIncrement: true, nullable: false, computed: false, reading: { uidt: 'Number' } },
      {
        name: 'name',
        nullable: false,
        default: expect.stringContaining('Neil'),
        reading: { kind: 'string' },
      },
      { name: 'extra', nullable: true, autoIncrement: false },
      { name: 'made', reading: { kind: 'datetime', uidt: 'DateTime' } },
    ]);
    expect(odd?.primaryKey).toEqual(['a', 'b']);
    expect(odd?.columns.map(({ reading }) => reading.kind).slice(0, 3)).toEqual([
      'integer',
      'string',
      'decimal',
    ]);
    if (dialect !== 'sqlite') expect(odd?.columns[3]?.reading.uidt).toBe('JSON');
    if (dialect !== 'postgres')
      expect(odd?.uniqueKeys).toMatchObject([{ name: 'odd_unique', columns: ['b', 'd'] }]);
  });
});

describe('a SQLite table that somebody else made', () => {
  const statement = `CREATE TABLE "Order Details" ( -- the details, of orders
    [id] INTEGER PRIMARY KEY, "Unit,Price" NUMERIC NOT NULL DEFAULT (0) CONSTRAINT positive CHECK ("Unit,Price" >= 0),
    \`sum\` AS ("Unit,Price" * 2), label TEXT COLLATE NOCASE REFERENCES other(id) ON DELETE SET NULL,
    CONSTRAINT one_label UNIQUE (label, "Unit,Price") ) STRICT`;

  test('is taken apart and put together without a change', () => {
    const text = CreateTableText.parse(statement.replace(' STRICT', ''));
    expect(text.toSql('t')).toBe(
      'create table t ([id] INTEGER PRIMARY KEY, "Unit,Price" NUMERIC NOT NULL DEFAULT (0) CONSTRAINT positive CHECK ("Unit,Price" >= 0), ' +
        '`sum` AS ("Unit,Price" * 2), label TEXT COLLATE NOCASE REFERENCES other(id) ON DELETE SET NULL, ' +
        'CONSTRAINT one_label UNIQUE (label, "Unit,Price"))',
    );
    expect(CreateTableText.parse(statement).toSql('t')).toMatch(/ STRICT$/);
  });

  test('loses only the clause or the column that is meant', () => {
    const text = CreateTableText.parse(statement);
    text.setClause('unit,price', ['not', 'null'], undefined);
    text.setClause('unit,price', ['default'], 'default 5');
    expect(text.toSql('t')).toContain('"Unit,Price" NUMERIC default 5 CONSTRAINT positive CHECK');
    text.removeColumn('LABEL');
    expect(text.toSql('t')).not.toMatch(/label/);
    text.add('extra text');
    expect(text.toSql('t')).toContain('extra text');
  });

  test('keeps its indexes, triggers, views, checks and generated columns through a rebuild', async () => {
    const databases = createTestDatabases('sqlite');
    const database = await databases.open();
    const script = [
      'create table other (id integer primary key)',
      "create table t (id integer primary key autoincrement, a integer check (a < 100), b as (a * 2), c text default 'x')",
      'create index t_a on t (a) where a > 1',
      'create view v as select a, b from t',
      'create trigger t_trigger after insert on t begin insert into other values (new.id); end',
      'create table child (id integer primary key, t_id integer references t on delete cascade)',
      'insert into t (a) values (1), (2), (3)',
      'delete from t where id = 3',
      'insert into child (t_id) values (1), (2)',
    ];
    await database.write(async (unit) => {
      for (const sql of script) await unit.run(unit.knex.raw(sql));
    });
    await database.schema((changer) => changer.changeColumn('t', { name: 'c', kind: 'string', length: 40 }));
    await database.schema((changer) => changer.setNotNull('t', 'a'));
    await database.write((unit) => unit.run(unit.knex('t').insert({ a: 9 })));
    await database.read(async (unit) => {
      expect((await unit.rows(unit.knex('v').select('*'))).rows).toEqual([
        [1, 2],
        [2, 4],
        [9, 18],
      ]);
      // The key 3 was used once and is not used again; the trigger still fires.
      expect((await unit.rows(unit.knex('other').select('id'))).rows).toEqual([[1], [2], [3], [4]]);
      expect((await unit.rows(unit.knex('child').count())).rows).toEqual([[2]]);
      const made = await unit.rows(
        unit.knex('sqlite_master').select('name').whereIn('type', ['index', 'trigger', 'view']),
      );
      expect(made.rows.flat()).toEqual(expect.arrayContaining(['t_a', 't_trigger', 'v']));
    });
    await expect(database.write((unit) => unit.run(unit.knex('t').insert({ a: 100 })))).rejects.toMatchObject(
      { kind: 'check' },
    );
    await databases.dropAll();
  });
});
