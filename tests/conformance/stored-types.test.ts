import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { openDatabase, type DatabaseTarget, type ServerTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachDatabase } from '../../host-server/databases/testing.ts';
import type { TestedDialect } from '../../host-server/databases/testing/test-servers.ts';
import { dialectOf } from '../../host-server/dialects/select-dialect.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const meta = '/api/v1/db/meta';

/** The native types that have no other name in several databases, and those that have. */
const text = ['text', 'text', 'mediumtext'] as const;
const words = ['varchar', 'character varying', 'varchar(255)'] as const;
const amount = ['decimal_text', 'numeric', 'decimal(65,30)'] as const;
const whole = ['integer', 'integer', 'int'] as const;
const moment = ['datetime', 'timestamp without time zone', 'datetime'] as const;

/** What a new column of each type is stored as: in SQLite, in PostgreSQL, in MySQL. */
const stored: Readonly<Record<string, readonly [sqlite: string, postgres: string, mysql: string]>> = {
  ID: whole,
  AutoNumber: whole,
  SingleLineText: words,
  Collaborator: words,
  PhoneNumber: words,
  Email: words,
  URL: words,
  Barcode: words,
  QrCode: words,
  LongText: text,
  Attachment: text,
  SingleSelect: text,
  MultiSelect: text,
  Geometry: text,
  Checkbox: ['boolean', 'boolean', 'tinyint(1)'],
  Date: ['date', 'date', 'date'],
  DateTime: ['datetime', 'timestamp without time zone', 'datetime(6)'],
  CreateTime: moment,
  LastModifiedTime: moment,
  Time: ['time', 'time without time zone', 'time(6)'],
  Year: ['integer', 'integer', 'int'],
  Number: ['integer', 'bigint', 'bigint'],
  Decimal: amount,
  Currency: amount,
  Duration: amount,
  Percent: ['double', 'double precision', 'double'],
  Rating: whole,
  JSON: ['text', 'json', 'json'],
};

/** What a column that was there before becomes, by its type in the database. */
const read: Readonly<Record<TestedDialect, Readonly<Record<string, string>>>> = {
  sqlite: {
    int: 'Number',
    integer: 'Number',
    tinyint: 'Number',
    smallint: 'Number',
    mediumint: 'Number',
    bigint: 'Number',
    int2: 'Number',
    int8: 'Number',
    real: 'Decimal',
    double: 'Decimal',
    'double precision': 'Decimal',
    float: 'Decimal',
    numeric: 'Decimal',
    'decimal(10,2)': 'Decimal',
    boolean: 'Checkbox',
    date: 'Date',
    datetime: 'DateTime',
    timestamp: 'DateTime',
    time: 'Time',
    text: 'LongText',
    blob: 'LongText',
    'varchar(9)': 'SingleLineText',
    'character(3)': 'SingleLineText',
    'nvarchar(9)': 'SingleLineText',
    anything: 'SingleLineText',
  },
  postgres: {
    smallint: 'Number',
    integer: 'Number',
    bigint: 'Number',
    serial: 'Number',
    bigserial: 'Number',
    boolean: 'Checkbox',
    real: 'Decimal',
    float4: 'Decimal',
    float8: 'Decimal',
    'numeric(10,2)': 'Decimal',
    money: 'SpecificDBType',
    'text[]': 'SpecificDBType',
    inet: 'SpecificDBType',
    xml: 'SpecificDBType',
    point: 'SpecificDBType',
    bytea: 'SpecificDBType',
    uuid: 'SingleLineText',
    'char(3)': 'SingleLineText',
    'varchar(9)': 'SingleLineText',
    interval: 'SingleLineText',
    int4range: 'SingleLineText',
    tsrange: 'SingleLineText',
    json: 'JSON',
    jsonb: 'JSON',
    text: 'LongText',
    date: 'Date',
    timestamp: 'DateTime',
    timestamptz: 'DateTime',
    time: 'Time',
  },
  mysql: {
    int: 'Number',
    smallint: 'Number',
    mediumint: 'Number',
    bigint: 'Number',
    'bigint unsigned': 'Number',
    'bit(1)': 'Checkbox',
    'bit(8)': 'Number',
    'tinyint(1)': 'Checkbox',
    'tinyint(4)': 'Number',
    boolean: 'Checkbox',
    float: 'Decimal',
    'decimal(10,2)': 'Decimal',
    double: 'Decimal',
    date: 'Date',
    datetime: 'DateTime',
    timestamp: 'DateTime',
    time: 'Time',
    year: 'Year',
    'char(3)': 'SingleLineText',
    'varchar(9)': 'SingleLineText',
    'nchar(3)': 'SingleLineText',
    'binary(3)': 'SingleLineText',
    tinytext: 'LongText',
    text: 'LongText',
    mediumtext: 'LongText',
    longtext: 'LongText',
    'varbinary(9)': 'LongText',
    blob: 'LongText',
    longblob: 'LongText',
    "enum('a','b')": 'SingleSelect',
    "set('a','b')": 'MultiSelect',
    geometry: 'Geometry',
    point: 'Geometry',
  },
};

function settingsOf({ host, port, user, password, database }: ServerTarget): object {
  return { host, port, user, database, ...(password !== undefined && { password }) };
}

describeEachDatabase('the types of columns', (_open, dialect) => {
  const own = dialect === 'sqlite' ? undefined : createStartedDatabases(dialect);
  const others = createTestDatabases(dialect);
  const place = ['sqlite', 'postgres', 'mysql'].indexOf(dialect);
  let server: TestServer;
  let owner: TestClient;

  beforeAll(async () => {
    server = await createTestServer(own && { database: own });
    owner = await server.signUp();
    const plugins = '/api/v1/app-store/plugins';
    const { body } = await owner.get<{ list: readonly { id: string; state: string }[] }>(plugins);
    for (const { id, state } of body.list)
      if (id.startsWith('column') && state !== 'enabled') await owner.post(`${plugins}/${id}/enable`, {});
  });
  afterAll(async () => {
    await server?.dispose();
    await own?.dropAll();
    await others.dropAll();
  });

  const typesOf = ({ columns = [] }: TableEntity) =>
    Object.fromEntries(columns.map(({ title, dt }) => [title, dt]));

  test('are stored as each database keeps them best', async () => {
    const { body: project } = await owner.post<ProjectEntity>(`${meta}/projects`, { title: 'Types' });
    const make = async (title: string, columns: readonly object[]) => {
      const made = await owner.post<TableEntity>(`${meta}/projects/${project.id}/tables`, { title, columns });
      expect(made).toMatchObject({ status: 200 });
      return typesOf(made.body);
    };
    const columns = Object.keys(stored).map((uidt) => ({ title: uidt, uidt }));
    const wanted = Object.entries(stored).map(([uidt, natives]) => [uidt, natives[place]]);
    expect(await make('All', columns)).toEqual(Object.fromEntries(wanted));
    const generated = { title: 'Key', uidt: 'ID', meta: { ag: 'nc' } };
    expect(await make('Keys', [generated])).toEqual({ Key: words[place] });
  });

  test('of a database that was there before are read as what suits them', async () => {
    const asked = read[dialect];
    const folder = join(server.dataDir, 'sqlite');
    await mkdir(folder, { recursive: true });
    const target: DatabaseTarget =
      dialect === 'sqlite'
        ? { kind: 'sqlite', file: join(folder, 'there.db'), create: true }
        : await others.target();
    const database = await openDatabase(target, { name: 'the other application' });
    const columns = Object.keys(asked).map(
      (native, at) => `c${at} ${native}${dialect === 'mysql' ? ' null' : ''}`,
    );
    const enumeration = dialect === 'postgres' ? ["create type mood as enum ('sad', 'ok')"] : [];
    const key = dialect === 'postgres' ? ', feeling mood' : '';
    for (const sql of [
      ...enumeration,
      `create table typed (k int primary key, ${columns.join(', ')}${key})`,
      'create table pointing (k int primary key, typed_k int, constraint of_typed foreign key (typed_k) references typed (k))',
    ])
      await database.write((unit) => unit.run({ sql, bindings: [] }));
    await database.close();
    const settings = 'file' in target ? { file: 'there.db' } : settingsOf(target);
    const type = { sqlite: 'sqlite3', postgres: 'pg', mysql: 'mysql2' }[dialect];
    const made = await owner.post<ProjectEntity>(`${meta}/projects`, {
      title: 'There',
      external: true,
      bases: [{ type, settings }],
    });
    expect(made).toMatchObject({ status: 200 });
    const { body: tables } = await owner.get<{ list: readonly TableEntity[] }>(
      `${meta}/projects/${made.body.id}/tables`,
    );
    const uidts = async (title: string) => {
      const id = tables.list.find((table) => table.title === title)?.id ?? '';
      const { columns: found = [] } = (await owner.get<TableEntity>(`${meta}/tables/${id}`)).body;
      return new Map(found.map(({ column_name: name, uidt }) => [name, uidt]));
    };
    const typed = await uidts('Typed');
    expect(Object.fromEntries(Object.keys(asked).map((native, at) => [native, typed.get(`c${at}`)]))).toEqual(
      asked,
    );
    // Keys keep the type of their own, and what points at one is a foreign key.
    expect([typed.get('k'), (await uidts('Pointing')).get('typed_k')]).toEqual(['Number', 'ForeignKey']);
    if (dialect === 'postgres') expect(typed.get('feeling')).toBe('SingleSelect');
  });
});

/** No SQL Server runs here: what the dialect says is all that there is. */
describe('the types of columns of SQL Server', () => {
  const { types } = dialectOf('mssql');

  test.each([
    ['string', 'nvarchar(255)'],
    ['text', 'nvarchar(max)'],
    ['integer', 'int'],
    ['bigint', 'bigint'],
    ['decimal', 'decimal(38,15)'],
    ['float', 'float'],
    ['boolean', 'bit'],
    ['date', 'date'],
    ['datetime', 'datetime2(6)'],
    ['time', 'time(6)'],
    ['json', 'nvarchar(max)'],
  ] as const)('%s is stored as %s', (kind, native) => {
    expect(types.nativeFor(kind)).toBe(native);
  });

  test.each([
    ['bigint', 'Number'],
    ['int', 'Number'],
    ['smallint', 'Number'],
    ['tinyint', 'Number'],
    ['bit', 'Checkbox'],
    ['decimal(10,2)', 'Decimal'],
    ['numeric', 'Decimal'],
    ['float', 'Decimal'],
    ['real', 'Decimal'],
    ['money', 'Currency'],
    ['date', 'Date'],
    ['datetime', 'DateTime'],
    ['datetime2', 'DateTime'],
    ['datetimeoffset', 'DateTime'],
    ['smalldatetime', 'DateTime'],
    ['time', 'Time'],
    ['text', 'LongText'],
    ['ntext', 'LongText'],
    ['nvarchar(max)', 'LongText'],
    ['char(3)', 'SingleLineText'],
    ['nchar(3)', 'SingleLineText'],
    ['varchar(9)', 'SingleLineText'],
    ['nvarchar(9)', 'SingleLineText'],
    ['uniqueidentifier', 'SingleLineText'],
    ['geometry', 'Geometry'],
    ['image', 'SpecificDBType'],
    ['varbinary(9)', 'SpecificDBType'],
    ['xml', 'SpecificDBType'],
    ['sql_variant', 'SpecificDBType'],
  ])('%s is read as %s', (native, uidt) => {
    expect(types.read(native).uidt).toBe(uidt);
  });
});
