import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestClient } from '@trellis/sdk/testing/server';
import { connectDatabase, type ConnectedDatabase } from './connected-database.ts';
import { readerOf, type Reader, type Row } from './odd-database.ts';

/** What SQLite has and people use, cells that are not of their column's type among it, and most of what can go wrong with names. */
const odd = [
  `create table person (
     id integer primary key autoincrement, name text not null collate nocase, feeling text check (feeling in ('sad', 'ok')) default 'ok',
     wage decimal(10, 2) check (wage >= 0), age int, place geometry, tags "text[]", secret blob, anything,
     shout text generated always as (upper(name)) stored, half real generated always as (wage / 2) virtual,
     made datetime default current_timestamp, word text default (lower('W')))`,
  'create table "Order ""Lines""" ("select" int, "Group" text, "ünï cödé" text, "a.b" text, "x?y" text, "100%" text, primary key ("select", "Group"))',
  'create table "MixedCase" ("CamelKey" integer primary key, "UPPER" text, "Key" text)',
  'create table strictly (id integer primary key, many int, words text, bytes blob, whatever any) strict',
  'create table coded (code text primary key, note text) without rowid',
  'create table rowids (rowid text, oid text, _rowid_ integer primary key)',
  'create table stamped (id integer primary key, title text, changed int not null default 0)',
  `create trigger stamped_added after insert on stamped begin
     update stamped set changed = 1, title = trim(new.title) where id = new.id; end`,
  `create trigger stamped_changed after update of title on stamped when new.title <> trim(new.title) begin
     update stamped set changed = changed + 1, title = trim(new.title) where id = new.id; end`,
  "create trigger stamped_kept before delete on stamped begin select raise(abort, 'kept for ever'); end",
  'create table noted (words text)',
  'create table paired (a int not null, b int not null, note text, unique (a, b))',
  'create table perhaps (a int unique, note text)',
  'create table emptykey (code text primary key, note text)',
  'create table partly (a int not null, note text)',
  "create unique index of_some on partly (a) where note <> ''",
  'create unique index of_words on noted (lower(words))',
  'create view grown as select id, name from person where age > 17',
  'create view moods as select feeling, count(*) as people from person group by feeling',
  'create trigger grown_added instead of insert on grown begin insert into person (name, age) values (new.name, 18); end',
  'create table going (id integer primary key)',
  'create view of_gone as select id from going',
  'drop table going',
  'create virtual table sought using fts5 (words)',
  "insert into sought values ('some words to find')",
  `insert into person (name, wage, age, place, tags, secret, anything)
     values ('Ada', 12.5, 'thirty', 'POINT(1 2)', '["a","b,c"]', x'00ff10', 7)`,
  "insert into person (name, age, wage, anything, made) values (x'42', 9007199254740993, 'much', x'00ff', 'yesterday')",
  "insert into strictly values (1, 2, 'w', x'01', 'any')",
  "insert into noted values ('one')",
  "insert into paired values (1, 2, 'both')",
  "insert into perhaps values (1, 'one'), (null, 'none'), (null, 'neither')",
  "insert into emptykey values ('a', 'one'), (null, 'none'), (null, 'neither')",
  "insert into partly values (1, 'one'), (1, '')",
];

describe('a SQLite file with everything', () => {
  let there: ConnectedDatabase;
  let owner: TestClient;
  let of: Reader;

  beforeAll(async () => {
    // A question mark stands for itself, not for a value.
    const statements = odd.map((sql) => sql.replaceAll('?', String.raw`\?`));
    there = await connectDatabase('sqlite', { title: 'Odd', statements });
    ({ owner } = there);
    of = readerOf(there);
  });
  afterAll(() => there?.dispose());

  test('is tables and views, those of full-text search among them', async () => {
    const found = (await of.tables()).map(({ title, type }) => [title, type] as const);
    expect(found.filter(([, type]) => type === 'table').map(([title]) => title)).toEqual(
      expect.arrayContaining([
        'Coded',
        'Emptykey',
        'MixedCase',
        'Noted',
        'Order "Lines"',
        'Paired',
        'Partly',
        'Perhaps',
        'Person',
        'Rowids',
        'Sought',
        'Stamped',
        'Strictly',
      ]),
    );
    expect(found.filter(([, type]) => type === 'view').map(([title]) => title)).toEqual(['Grown', 'Moods']);
    expect(await of.list('Sought')).toMatchObject([{ Words: 'some words to find' }]);
  });

  test('shows values of every type, those that are not of their column’s among them, and writes those that it is sure of', async () => {
    const [ada, other] = await of.list('Person?sort=Id');
    expect(ada).toMatchObject({
      Id: 1,
      Name: 'Ada',
      Feeling: 'ok',
      Wage: '12.5',
      Age: 'thirty',
      Place: 'POINT(1 2)',
      Tags: '["a","b,c"]',
      Secret: 'AP8Q',
      Anything: 7,
      Shout: 'ADA',
      Half: 6.25,
      Word: 'w',
    });
    expect(other).toMatchObject({
      Id: 2,
      Wage: 'much',
      Age: '9007199254740993',
      Anything: 'AP8=',
      Made: 'yesterday',
    });
    const made = await owner.post<Row>(of.data('Person'), {
      Name: 'Bob',
      Feeling: 'sad',
      Wage: '3.1',
      Age: 40,
    });
    expect(made).toMatchObject({
      status: 200,
      body: { Id: 3, Feeling: 'sad', Wage: '3.1', Age: 40, Shout: 'BOB', Half: 1.55, Word: 'w' },
    });
    expect(await owner.patch(of.data('Person/3'), { Feeling: 'ok' })).toMatchObject({
      body: { Feeling: 'ok' },
    });
    for (const refused of [{ Feeling: 'unheard of' }, { Wage: '-1' }, { Age: 'thirty' }, { Name: null }])
      expect(await owner.patch(of.data('Person/3'), refused)).toMatchObject({ status: 400 });
    const strictly = { Many: 3, Words: 'x', Whatever: 'y' };
    expect(await owner.post(of.data('Strictly'), strictly)).toMatchObject({ status: 200, body: strictly });
  });

  test.each([
    'where=(Feeling,eq,ok)',
    'where=(Name,eq,ADA)',
    'where=(Name,like,a)',
    'where=(Wage,gt,1)',
    'where=(Age,gt,30)',
    'where=(Age,like,t)',
    'where=(Place,like,POINT)',
    'where=(Tags,like,b)',
    'where=(Secret,null)',
    'where=(Secret,like,a)',
    'where=(Anything,eq,7)',
    'where=(Anything,blank)',
    'where=(Made,gt,2020-01-01)',
    'where=(Half,gt,1)',
    'sort=Age',
    'sort=-Wage',
    'sort=Anything',
    'sort=Secret',
    'sort=Made',
    'groupby?column_name=Age',
    'groupby?column_name=Anything',
    'groupby?column_name=Made',
  ])('answers %s', async (query) => {
    const path = query.startsWith('groupby') ? `Person/${query}` : `Person?${query}`;
    expect((await of.list(path)).length).toBeLessThanOrEqual(3);
  });

  test('gives back a deleted row with all that it held, bytes too, and says where that cannot be', async () => {
    const added = `insert into person (name, wage, age, place, secret) values ('Cy', 1.25, 3, 'POINT(3 4)', x'00ff10')`;
    await there.run(added);
    const [[id] = []] = await there.rows("select id from person where name = 'Cy'");
    const held = `select *, typeof(secret), typeof(wage) from person where id = ${String(id)}`;
    const cells = await there.rows(held);
    const [before, after] = await of.deletedAndBack('Person', String(id));
    expect(after).toEqual(before);
    expect(await there.rows(held)).toEqual(cells);
    // A cell that holds what its column is not for cannot be written from here, so nothing of the row is.
    const deleted = await owner.delete(of.data('Person/1'));
    const operation = deleted.headers.get('x-trellis-operation') ?? '';
    expect(await owner.post(`/api/v1/db/data/operations/Odd/${operation}/undo`)).toMatchObject({
      status: 409,
      body: { code: 'UNDO_VALUES_UNFIT', params: { columns: "'Age'" } },
    });
  });

  test('names tables and columns as it likes', async () => {
    const path = of.data(encodeURIComponent('Order "Lines"'));
    const row = { Select: 1, Group: 'a/b', 'ünï cödé': 'x', 'A.b': 'y', 'X?y': 'z', '100%': 'all' };
    expect((await of.types('Order "Lines"')).map(([title]) => title)).toEqual(Object.keys(row));
    expect(await owner.post(path, row)).toMatchObject({ status: 200, body: row });
    expect(await owner.patch(`${path}/${encodeURIComponent('1___a/b')}`, { 'X?y': 'w' })).toMatchObject({
      status: 200,
      body: { 'X?y': 'w' },
    });
    const mixed = { CamelKey: 1, UPPER: 'u', Key: 'k' };
    expect(await owner.post(of.data('MixedCase'), mixed)).toMatchObject({ status: 200, body: mixed });
    const rowids = await owner.post<Row>(of.data('Rowids'), { Rowid: 'one', Oid: 'two' });
    expect(rowids).toMatchObject({ status: 200, body: { Rowid: 'one', Oid: 'two' } });
    expect(await there.rows('select "rowid", "oid", "_rowid_" from rowids')).toEqual([['one', 'two', 1]]);
  });

  test('shows a row as its triggers left it, and tells why one refuses', async () => {
    const made = await owner.post<Row>(of.data('Stamped'), { Title: '  hello ' });
    expect(made).toMatchObject({ status: 200, body: { Title: 'hello', Changed: 1 } });
    expect(await owner.patch(of.data('Stamped/1'), { Title: ' there' })).toMatchObject({
      body: { Title: 'there', Changed: 2 },
    });
    expect((await owner.delete(of.data('Stamped/1'))).status).toBe(400);
    expect(await of.list('Stamped')).toHaveLength(1);
  });

  test('knows rows by a key that is unique and never empty, and only reads those of others and of views', async () => {
    expect(await owner.patch(of.data('Paired/1___2'), { Note: 'changed' })).toMatchObject({ status: 200 });
    for (const [title, rows] of [
      ['Noted', 1],
      ['Perhaps', 3],
      ['Partly', 2],
      ['Sought', 1],
      ['Moods', 1],
    ] as const) {
      const found = await of.list(title);
      expect([title, found.length >= rows]).toEqual([title, true]);
      expect(await owner.post(of.data(title), { Note: 'x', Words: 'x' })).toMatchObject({
        status: 400,
        body: { code: 'TABLE_READ_ONLY' },
      });
    }
    expect(await owner.post(of.data('Grown'), { Name: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'TABLE_READ_ONLY' },
    });
  });

  test('tells by their titles which columns must differ, as a text that pages translate', async () => {
    expect(await owner.post(of.data('Paired'), { A: 1, B: 2 })).toMatchObject({
      status: 400,
      body: { code: 'VALUE_REFUSED', params: { column: 'A, B', problemCode: 'VALUE_NOT_UNIQUE' } },
    });
  });

  test('shows rows whose key is empty, which SQLite lets be, and changes none of them for another one', async () => {
    expect(await of.list('Emptykey')).toHaveLength(3);
    expect(await owner.patch(of.data('Emptykey/a'), { Note: 'changed' })).toMatchObject({ status: 200 });
    for (const key of ['', 'null', 'undefined']) {
      expect((await owner.patch(of.data(`Emptykey/${key}`), { Note: 'x' })).status).toBeGreaterThanOrEqual(
        400,
      );
      expect((await owner.delete(of.data(`Emptykey/${key}`))).body).not.toBe(1);
    }
    expect(await there.rows('select note from emptykey order by note')).toEqual([
      ['changed'],
      ['neither'],
      ['none'],
    ]);
  });
});
