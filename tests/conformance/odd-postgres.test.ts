import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestClient } from '@trellis/sdk/testing/server';
import type { Database, ServerTarget } from '../../host-server/databases/index.ts';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { connectDatabase, type ConnectedDatabase } from './connected-database.ts';
import { readerOf, type Reader, type Row } from './odd-database.ts';

const meta = '/api/v1/db/meta';

/** What PostgreSQL has and people use, and most of what can go wrong with names. */
const odd = [
  "create type mood as enum ('sad', 'ok', 'it''s happy')",
  'create domain price as numeric(10, 2) check (value >= 0)',
  `create table person (
     id uuid primary key default gen_random_uuid(), name text not null, feeling mood default 'ok', tags text[],
     wage price, seen inet, span interval, place point, found int4range,
     shout text generated always as (upper(name)) stored, nr int generated always as identity)`,
  `create table "Order ""Lines""" ("select" int, "Group" text, "ünï cödé" text, "a.b" text, "x?y" text, primary key ("select", "Group"))`,
  'create table measured (at date not null, place int not null, value float, primary key (at, place)) partition by range (at)',
  "create table measured_2025 partition of measured for values from ('2025-01-01') to ('2026-01-01')",
  "create table measured_2026 partition of measured for values from ('2026-01-01') to ('2027-01-01')",
  'create table stamped (id serial primary key, title text, changed int not null default 0)',
  `create function stamp() returns trigger language plpgsql as $$
     begin new.changed := coalesce(new.changed, 0) + 1; new.title := trim(new.title); return new; end $$`,
  'create trigger stamped_before before insert or update on stamped for each row execute function stamp()',
  'create materialized view moods as select feeling, count(*) as people from person group by feeling',
  'create table secret (id int primary key, owner text, note text)',
  "insert into secret values (1, 'me', 'mine'), (2, 'you', 'yours')",
  "insert into person (name, feeling, tags, wage, seen, span, place, found) values ('Ada', 'it''s happy', array['a', 'b,c'], 12.5, '10.0.0.1', '1 day', '(1,2)', '[1,5)')",
];

describeEachServer('a PostgreSQL schema with everything', (dialect) => {
  if (dialect !== 'postgres') return;
  let there: ConnectedDatabase;
  let owner: TestClient;
  let elsewhere: Database;
  let target: ServerTarget;
  let of: Reader;

  beforeAll(async () => {
    // A question mark stands for itself, not for a value.
    const statements = odd.map((sql) => sql.replaceAll('?', String.raw`\?`));
    there = await connectDatabase(dialect, { title: 'Odd', statements });
    ({ owner, elsewhere } = there);
    target = there.target as ServerTarget;
    of = readerOf(there);
  });
  afterAll(() => there?.dispose());

  test('is tables and views; a partitioned table is one table', async () => {
    expect((await of.tables()).map(({ title, type }) => [title, type])).toEqual([
      ['Measured', 'table'],
      ['Order "Lines"', 'table'],
      ['Person', 'table'],
      ['Secret', 'table'],
      ['Stamped', 'table'],
      ['Moods', 'view'],
    ]);
    await owner.post(of.data('Measured'), { At: '2025-05-05', Place: 1, Value: 1.5 });
    await owner.post(of.data('Measured'), { At: '2026-05-05', Place: 1, Value: 2.5 });
    expect(await of.list('Measured?sort=At')).toMatchObject([{ Value: 1.5 }, { Value: 2.5 }]);
    expect(await owner.patch(of.data('Measured/2026-05-05___1'), { Value: 3 })).toMatchObject({
      status: 200,
      body: { Value: 3 },
    });
    expect(await owner.post(of.data('Measured'), { At: '2031-01-01', Place: 1 })).toMatchObject({
      status: 400,
    });
  });

  test('shows values of every type, and writes those that it is sure of', async () => {
    const [ada] = await of.list('Person');
    expect(ada).toMatchObject({
      Name: 'Ada',
      Feeling: "it's happy",
      Tags: expect.stringContaining('b,c') as unknown,
      Wage: '12.50',
      Seen: '10.0.0.1',
      Span: 'P1D',
      Place: '(1,2)',
      Found: '[1,5)',
      Shout: 'ADA',
      Nr: 1,
    });
    const types = (await of.table('Person')).columns?.map(({ title, uidt }) => [title, uidt]);
    expect(types).toEqual([
      ['Id', 'SingleLineText'],
      ['Name', 'LongText'],
      ['Feeling', 'SingleSelect'],
      ['Tags', 'SpecificDBType'],
      ['Wage', 'Decimal'],
      ['Seen', 'SpecificDBType'],
      ['Span', 'SingleLineText'],
      ['Place', 'SpecificDBType'],
      ['Found', 'SingleLineText'],
      ['Shout', 'LongText'],
      ['Nr', 'Number'],
    ]);
    const made = await owner.post<Row>(of.data('Person'), { Name: 'Bob', Feeling: 'sad', Wage: '3.1' });
    expect(made).toMatchObject({ status: 200, body: { Feeling: 'sad', Wage: '3.10', Shout: 'BOB', Nr: 2 } });
    expect(String(made.body.Id)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await owner.patch(of.data(`Person/${String(made.body.Id)}`), { Feeling: 'ok' })).toMatchObject({
      body: { Feeling: 'ok' },
    });
    expect(
      await owner.patch(of.data(`Person/${String(made.body.Id)}`), { Feeling: 'unheard of' }),
    ).toMatchObject({
      status: 400,
    });
    expect(await owner.patch(of.data(`Person/${String(made.body.Id)}`), { Wage: '-1' })).toMatchObject({
      status: 400,
    });
  });

  test.each([
    'where=(Feeling,eq,ok)',
    'where=(Feeling,like,o)',
    'where=(Feeling,neq,sad)',
    'where=(Tags,like,b)',
    'where=(Seen,like,10)',
    'where=(Seen,eq,10.0.0.1)',
    'where=(Span,like,1)',
    'where=(Id,like,a)',
    'where=(Place,null)',
    'where=(Place,empty)',
    'where=(Feeling,empty)',
    'where=(Feeling,anyof,ok,sad)',
    'where=(Feeling,noneof,ok)',
    'where=(Feeling,in,ok,unheard of)',
    'sort=Feeling',
    'sort=Tags',
    'sort=-Found',
    'sort=Id',
  ])('answers %s', async (query) => {
    expect((await of.list(`Person?${query}`)).length).toBeLessThanOrEqual(2);
  });

  test.each(['groupby?column_name=Feeling', 'groupby?column_name=Tags', 'groupby?column_name=Id'])(
    'answers %s',
    async (path) => {
      expect(await owner.get(of.data(`Person/${path}`))).toMatchObject({ status: 200 });
    },
  );

  test('gives back a deleted row with all that it held, of types that are only shown too', async () => {
    const [ada] = await of.list('Person?where=(Name,eq,Ada)');
    const [before, after] = await of.deletedAndBack('Person', String(ada?.['Id']));
    // What the database counts, it counts on.
    expect(after).toEqual({ ...before, Nr: after['Nr'] });
  });

  test('keeps its row security: nobody reaches rows that its user may not see', async () => {
    const user = `u${randomUUID().slice(0, 8)}`;
    const run = (sql: string) => elsewhere.write((unit) => unit.run({ sql, bindings: [] }));
    await run(`create role ${user} login password 'Passw0rd'`);
    await run(`grant all on secret to ${user}`);
    await run('alter table secret enable row level security');
    await run("create policy mine on secret using (owner = 'me')");
    try {
      const { host, port, database } = target;
      const settings = { host, port, user, password: 'Passw0rd', database };
      const bases = [{ type: 'pg', settings }];
      const { body } = await owner.post<{ id: string }>(`${meta}/projects`, {
        title: 'Secrets',
        external: true,
        bases,
      });
      const path = '/api/v1/db/data/noco/Secrets/Secret';
      const found = await owner.get<{ list: readonly Row[] }>(path);
      expect(found.body.list).toMatchObject([{ Id: 1, Note: 'mine' }]);
      expect(await owner.patch(`${path}/2`, { Note: 'stolen' })).toMatchObject({ status: 404 });
      expect((await owner.post(path, { Id: 3, Owner: 'you' })).status).toBeLessThan(500);
      await owner.delete(`${meta}/projects/${body.id}`);
    } finally {
      await run(`drop owned by ${user}`);
      await run(`drop role ${user}`);
    }
  });

  test('names tables and columns as it likes', async () => {
    const path = of.data(encodeURIComponent('Order "Lines"'));
    const row = { Select: 1, Group: 'a/b', 'ünï cödé': 'x', 'A.b': 'y', 'X?y': 'z' };
    const titles = (await of.table('Order "Lines"')).columns?.map(({ title }) => title);
    expect(titles).toEqual(Object.keys(row));
    expect(await owner.post(path, row)).toMatchObject({ status: 200, body: row });
    expect(await owner.patch(`${path}/${encodeURIComponent('1___a/b')}`, { 'X?y': 'w' })).toMatchObject({
      status: 200,
      body: { 'X?y': 'w' },
    });
  });

  test('shows a row as its triggers left it', async () => {
    const made = await owner.post<Row>(of.data('Stamped'), { Title: '  hello ' });
    expect(made).toMatchObject({ status: 200, body: { Title: 'hello', Changed: 1 } });
    expect(await owner.patch(of.data('Stamped/1'), { Title: ' there' })).toMatchObject({
      body: { Title: 'there', Changed: 2 },
    });
    const history = await owner.get<{ list: readonly { changes?: unknown }[] }>(of.data('Stamped/1/history'));
    expect(JSON.stringify(history.body)).not.toContain('" there"');
  });
});
