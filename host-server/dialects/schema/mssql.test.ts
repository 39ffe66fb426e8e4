import { describe, expect, test } from '@jest/globals';
import { recordStatements, type Answer } from '../../databases/testing/recorded-statements.ts';
import { observeDialect } from '../../databases/testing/observed-dialect.ts';
import { tsqlProblems } from '../../databases/testing/tsql.ts';
import { dialectOf } from '../select-dialect.ts';
import type { ColumnSpec, SchemaChanger } from './schema-changer.ts';

/** What SQL Server's catalogue answers: a column with a default, in an index and a foreign key. */
const answers: readonly (readonly [pattern: RegExp, row: readonly unknown[]])[] = [
  [/^select 1 from sys\.index_columns/, []],
  [/^select 1 /, [1]],
  [/^select d\.name from sys\.default_constraints/, ['DF__a]b']],
  [/^select r\.name from sys\.check_constraints/, ['CK_a']],
  [/^select distinct f\.name/, ['FK_a']],
  [/^select distinct i\.name/, ['IX_a', false]],
  [/^select type_name/, ['nvarchar(50)', true, 'Latin1_General_CI_AS', "(N'x')"]],
];

const found: Answer = (sql) => {
  const row = answers.find(([pattern]) => pattern.test(sql))?.[1] ?? [];
  return { rows: row.length === 0 ? [] : [[...row]] };
};

const dialects = new Map<string, ReturnType<typeof observeDialect>>();

function observed(schema = ''): ReturnType<typeof observeDialect> {
  const known = dialects.get(schema) ?? observeDialect(dialectOf('mssql', schema || undefined));
  dialects.set(schema, known);
  return known;
}

const column: ColumnSpec = {
  name: 'a]b',
  kind: 'string',
  length: 50,
  default: { kind: 'literal', value: "it's" },
};

async function statementsOf(
  work: (changer: SchemaChanger) => Promise<void>,
  answer: Answer = found,
  schema?: string,
): Promise<readonly string[]> {
  const { database, take } = recordStatements(observed(schema).dialect, answer);
  await database.schema((changer) => work(changer));
  const statements = take();
  for (const sql of statements) expect({ sql, problems: tsqlProblems(sql) }).toEqual({ sql, problems: [] });
  // What only looks is not told.
  return statements.filter((sql) => !/^select (?!top)/.test(sql));
}

describe('changes of a schema of SQL Server', () => {
  test('make tables, with counting keys, defaults and filtered unique indexes', async () => {
    const made = await statementsOf(
      (changer) =>
        changer.createTable({
          name: 'invoice',
          columns: [
            { name: 'id', kind: 'bigint', autoIncrement: true },
            { name: 'paid', kind: 'boolean', nullable: false, default: { kind: 'literal', value: false } },
            { name: 'at', kind: 'datetime', default: { kind: 'now' } },
            column,
          ],
          primaryKey: ['id'],
          foreignKeys: [
            { name: 'fk', columns: ['id'], table: 'customer', references: ['id'], onDelete: 'restrict' },
          ],
          indexes: [{ name: 'one', columns: ['a]b'], unique: true }],
        }),
      () => ({ rows: [] }),
      'shop',
    );
    expect(made).toEqual([
      'create table [shop].[invoice] ([id] bigint identity(1,1) not null, [paid] bit not null default 0, ' +
        '[at] datetime2(6) null default convert(datetime2(0), convert(varchar(19), sysutcdatetime(), 126)), ' +
        "[a]]b] nvarchar(50) null default N'it''s', primary key ([id]), " +
        'constraint [fk] foreign key ([id]) references [shop].[customer] ([id]) on delete no action)',
      'create unique index [one] on [shop].[invoice] ([a]]b]) where [a]]b] is not null',
    ]);
  });

  test('rename tables and columns by the procedure that does so', async () => {
    expect(await statementsOf((changer) => changer.renameTable("it's", 'new'))).toEqual([
      "exec sp_rename N'[it''s]', N'new'",
    ]);
    expect(await statementsOf((changer) => changer.renameColumn('t', 'a', 'b'), found, 'shop')).toEqual([
      "exec sp_rename N'[shop].[t].[a]', N'b', N'COLUMN'",
    ]);
  });

  test('drop a column with the default, the rules, the keys and the indexes that use it', async () => {
    expect(await statementsOf((changer) => changer.dropColumn('t', 'a'))).toEqual([
      'alter table [t] drop constraint [DF__a]]b]',
      'alter table [t] drop constraint [CK_a]',
      'alter table [t] drop constraint [FK_a]',
      'drop index [IX_a] on [t]',
      'alter table [t] drop column [a]',
    ]);
  });

  test('say the whole column when they change whether it may be empty', async () => {
    expect(await statementsOf((changer) => changer.setNotNull('t', 'a'))).toEqual([
      'alter table [t] alter column [a] nvarchar(50) collate Latin1_General_CI_AS not null',
    ]);
    expect(await statementsOf((changer) => changer.dropNotNull('t', 'a'))).toEqual([
      'alter table [t] alter column [a] nvarchar(50) collate Latin1_General_CI_AS null',
    ]);
  });

  test('give a column another type and another default', async () => {
    expect(
      await statementsOf((changer) =>
        changer.changeColumn('t', {
          name: 'a',
          kind: 'decimal',
          precision: 10,
          scale: 2,
          default: { kind: 'literal', value: 1 },
        }),
      ),
    ).toEqual([
      'alter table [t] drop constraint [DF__a]]b]',
      'alter table [t] alter column [a] decimal(10,2) null',
      'alter table [t] drop constraint [DF__a]]b]',
      'alter table [t] add default 1 for [a]',
    ]);
  });

  test('replace a column in one transaction, and keep its default', async () => {
    const replaced = await statementsOf(
      (changer) =>
        changer.replaceColumn(
          't',
          {
            column: 'a',
            nativeType: 'int',
            nullable: false,
            source: 'source',
            former: { name: 'former', nativeType: 'nvarchar(50)' },
          },
          async () => {},
        ),
      (sql) => (/^select 1 from sys\.columns/.test(sql) ? { rows: [] } : found(sql)),
    );
    expect(replaced).toEqual([
      'begin transaction',
      'select top (1) 1 as one from [t] with (tablockx, holdlock)',
      'alter table [t] add [source] int null',
      'alter table [t] drop constraint [DF__a]]b]',
      'alter table [t] drop constraint [CK_a]',
      'alter table [t] drop constraint [FK_a]',
      'drop index [IX_a] on [t]',
      'alter table [t] alter column [a] nvarchar(50) null',
      "exec sp_rename N'[t].[a]', N'former', N'COLUMN'",
      "exec sp_rename N'[t].[source]', N'a', N'COLUMN'",
      'alter table [t] alter column [a] int not null',
      "alter table [t] add default (N'x') for [a]",
      'commit',
    ]);
  });

  test('add a column whose default the rows get that are there', async () => {
    expect(
      await statementsOf(
        (changer) => changer.addColumn('t', column),
        () => ({ rows: [] }),
      ),
    ).toEqual(["alter table [t] add [a]]b] nvarchar(50) null default N'it''s' with values"]);
  });

  test('drop tables, indexes and keys only where they are', async () => {
    expect(
      await statementsOf(async (changer) => {
        await changer.dropTable('t');
        await changer.dropIndex('t', 'i');
        await changer.dropForeignKey('t', 'f');
        await changer.setDefault('t', 'a', { kind: 'literal', value: true });
      }),
    ).toEqual([
      'drop table if exists [t]',
      'drop index [i] on [t]',
      'alter table [t] drop constraint [f]',
      'alter table [t] drop constraint [DF__a]]b]',
      'alter table [t] add default 1 for [a]',
    ]);
  });

  test('look for tables and columns, and make indexes and foreign keys that are not there', async () => {
    await statementsOf(async (changer) => {
      expect(await changer.hasTable('t')).toBe(true);
      expect(await changer.hasColumn('t', 'a')).toBe(true);
    });
    const key = { name: 'f', columns: ['a'], table: 'u', references: ['id'], onDelete: 'cascade' } as const;
    const made = await statementsOf(
      async (changer) => {
        await changer.dropDefault('t', 'a');
        await changer.createIndex('t', { name: 'i', columns: ['a', 'b'] });
        await changer.addForeignKey('t', key);
      },
      () => ({ rows: [] }),
    );
    expect(made.join('\n')).toMatch(
      /create index \[i\] on \[t\].*\n.*foreign key \(\[a\]\) references \[u\]/,
    );
  });

  test('are held to the language whatever they change', () => {
    // Each of them, or this does not compile.
    const changes: Readonly<Record<keyof SchemaChanger, true>> = {
      hasTable: true,
      hasColumn: true,
      createTable: true,
      dropTable: true,
      renameTable: true,
      addColumn: true,
      dropColumn: true,
      renameColumn: true,
      changeColumn: true,
      replaceColumn: true,
      setNotNull: true,
      dropNotNull: true,
      setDefault: true,
      dropDefault: true,
      createIndex: true,
      dropIndex: true,
      addForeignKey: true,
      dropForeignKey: true,
    };
    const unseen = Object.keys(changes).filter(
      (name) => ![...dialects.values()].some((of) => of.isCalled(`schema.${name}`)),
    );
    expect(unseen).toEqual([]);
  });
});
