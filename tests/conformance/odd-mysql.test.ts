import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestClient } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { connectDatabase, type ConnectedDatabase } from './connected-database.ts';
import { readerOf, type Reader, type Row } from './odd-database.ts';

/** What MySQL has and people use, MariaDB alone some of it, and most of what can go wrong with names. */
const odd = [
  `create table person (
     id int unsigned auto_increment primary key, name varchar(50) not null,
     feeling enum('sad', 'ok', 'it''s happy') default 'ok', likes set('tea', 'coffee'), wage decimal(10, 2) check (wage >= 0),
     age tinyint unsigned, born year, slept time(3), place point, area polygon, secret varbinary(16),
     shout varchar(60) generated always as (upper(name)) stored, half decimal(12, 3) generated always as (wage / 2) virtual,
     changed timestamp default current_timestamp on update current_timestamp
     /*M! , seen inet6, ref uuid default uuid(), hidden int invisible default 7 */)`,
  'create table `Order ``Lines``` (`select` int, `Group` varchar(20), `ünï cödé` text, `a.b` text, `x?y` text, `100%` text, primary key (`select`, `Group`))',
  'create table MixedCase (CamelKey int primary key, UPPER varchar(20), `Key` varchar(20))',
  'create table mixedcase (camelkey int primary key, note varchar(20))',
  `create table measured (at date not null, place int not null, value double, primary key (at, place))
     partition by range columns (at) (partition p2025 values less than ('2026-01-01'), partition p2026 values less than ('2027-01-01'))`,
  'create table stamped (id int auto_increment primary key, title varchar(50), changed int not null default 0)',
  'create trigger stamped_added before insert on stamped for each row set new.changed = new.changed + 1, new.title = trim(new.title)',
  `create trigger stamped_changed before update on stamped for each row set new.changed = old.changed + 1, new.title = trim(new.title)`,
  `create trigger stamped_kept before delete on stamped for each row signal sqlstate '45000' set message_text = 'kept for ever'`,
  'create table noted (words varchar(40))',
  'create table paired (a int not null, b int not null, note varchar(20), unique key of_both (a, b))',
  'create table perhaps (a int, note varchar(20), unique key of_a (a))',
  'create table kept (id int primary key, note varchar(20)) /*M!100300 with system versioning */',
  'create view grown as select id, name from person where age > 17',
  'create view moods as select feeling, count(*) as people from person group by feeling',
  'create table going (id int primary key)',
  'create view of_gone as select id from going',
  'drop table going',
  `insert into person (name, feeling, likes, wage, age, born, slept, place, area, secret)
     values ('Ada', 'it''s happy', 'tea,coffee', 12.5, 36, 1915, '06:30:00.5', st_geomfromtext('POINT(1 2)'),
       st_geomfromtext('POLYGON((0 0,1 0,1 1,0 0))'), x'00ff10')`,
  "insert into noted values ('one')",
  "insert into paired values (1, 2, 'both')",
  "insert into perhaps values (1, 'one'), (null, 'none'), (null, 'neither')",
  "insert into kept values (1, 'first')",
  "update kept set note = 'second'",
];

describeEachServer('a MySQL database with everything', (dialect) => {
  if (dialect !== 'mysql') return;
  let there: ConnectedDatabase;
  let owner: TestClient;
  let of: Reader;

  beforeAll(async () => {
    // A question mark stands for itself, not for a value.
    const statements = odd.map((sql) => sql.replaceAll('?', String.raw`\?`));
    there = await connectDatabase(dialect, { title: 'Odd', statements });
    ({ owner } = there);
    of = readerOf(there);
  });
  afterAll(() => there?.dispose());

  test('is tables and views; a partitioned table is one table, and a table that keeps its past is what it holds now', async () => {
    const found = (await of.tables()).map(({ title, type }) => [title, type] as const);
    expect(found.filter(([, type]) => type === 'table').map(([title]) => title)).toEqual(
      expect.arrayContaining([
        'Kept',
        'Measured',
        'Mixedcase',
        'MixedCase1',
        'Noted',
        'Order `Lines`',
        'Paired',
        'Perhaps',
        'Person',
        'Stamped',
      ]),
    );
    expect(found.filter(([, type]) => type === 'view').map(([title]) => title)).toEqual(
      expect.arrayContaining(['Grown', 'Moods']),
    );
    await owner.post(of.data('Measured'), { At: '2025-05-05', Place: 1, Value: 1.5 });
    await owner.post(of.data('Measured'), { At: '2026-05-05', Place: 1, Value: 2.5 });
    expect(await of.list('Measured?sort=At')).toMatchObject([{ Value: 1.5 }, { Value: 2.5 }]);
    expect(await owner.patch(of.data('Measured/2026-05-05___1'), { Value: 3 })).toMatchObject({
      status: 200,
      body: { Value: 3 },
    });
    // No partition takes it.
    expect(await owner.post(of.data('Measured'), { At: '2031-01-01', Place: 1 })).toMatchObject({
      status: 400,
    });
    expect(await of.list('Kept')).toMatchObject([{ Id: 1, Note: 'second' }]);
    expect(await owner.patch(of.data('Kept/1'), { Note: 'third' })).toMatchObject({ status: 200 });
  });

  test('shows values of every type, and writes those that it is sure of', async () => {
    expect(await of.list('Person')).toMatchObject([
      {
        Id: 1,
        Name: 'Ada',
        Feeling: "it's happy",
        Likes: 'tea,coffee',
        Wage: '12.50',
        Age: 36,
        Born: 1915,
        Slept: '06:30:00.5',
        Place: 'POINT(1 2)',
        Area: 'POLYGON((0 0,1 0,1 1,0 0))',
        Secret: 'AP8Q',
        Shout: 'ADA',
        Half: '6.250',
      },
    ]);
    const types = Object.fromEntries(await of.types('Person'));
    expect(types).toMatchObject({
      Id: 'Number',
      Feeling: 'SingleSelect',
      Likes: 'MultiSelect',
      Wage: 'Decimal',
      Age: 'Number',
      Born: 'Year',
      Slept: 'Time',
      Place: 'Geometry',
      Area: 'Geometry',
      Secret: 'LongText',
      Shout: 'SingleLineText',
      Changed: 'DateTime',
    });
    const made = await owner.post<Row>(of.data('Person'), {
      Name: 'Bob',
      Feeling: 'sad',
      Likes: 'tea',
      Wage: '3.1',
    });
    expect(made).toMatchObject({
      status: 200,
      body: { Id: 2, Feeling: 'sad', Likes: 'tea', Wage: '3.10', Shout: 'BOB', Half: '1.550', Place: null },
    });
    expect(await owner.patch(of.data('Person/2'), { Feeling: 'ok' })).toMatchObject({
      body: { Feeling: 'ok', Shout: 'BOB' },
    });
    for (const refused of [{ Feeling: 'unheard of' }, { Wage: '-1' }, { Age: 256 }, { Name: null }])
      expect(await owner.patch(of.data('Person/2'), refused)).toMatchObject({ status: 400 });
    // What is computed, or of a type that nobody is sure of, is left as it is.
    const left = await owner.patch(of.data('Person/2'), { Name: 'Bo', Shout: 'x', Place: 'POINT(3 4)' });
    expect(left.status).toBeLessThan(500);
    expect(await owner.get(of.data('Person/2'))).toMatchObject({ body: { Place: null } });
  });

  test.each([
    'where=(Feeling,eq,ok)',
    'where=(Feeling,like,o)',
    'where=(Feeling,anyof,ok,sad)',
    'where=(Feeling,in,ok,unheard of)',
    'where=(Likes,anyof,tea)',
    'where=(Likes,like,tea)',
    'where=(Place,like,POINT)',
    'where=(Place,null)',
    'where=(Place,notnull)',
    'where=(Place,empty)',
    'where=(Place,blank)',
    'where=(Area,notempty)',
    'where=(Secret,null)',
    'where=(Secret,like,a)',
    'where=(Slept,gt,01:00:00)',
    'where=(Born,gt,1910)',
    'where=(Half,gt,1)',
    'where=(Changed,notnull)',
    'sort=Feeling',
    'sort=Likes',
    'sort=-Place',
    'sort=Secret',
    'sort=Slept',
    'groupby?column_name=Feeling',
    'groupby?column_name=Place',
    'groupby?column_name=Secret',
  ])('answers %s', async (query) => {
    const path = query.startsWith('groupby') ? `Person/${query}` : `Person?${query}`;
    expect((await of.list(path)).length).toBeLessThanOrEqual(2);
  });

  test('gives back a deleted row with all that it held, shapes and bytes too', async () => {
    const [before, after] = await of.deletedAndBack('Person', '1');
    expect(after).toEqual({ ...before, Changed: after['Changed'] });
  });

  test('names tables and columns as it likes', async () => {
    const path = of.data(encodeURIComponent('Order `Lines`'));
    const row = { Select: 1, Group: 'a/b', 'ünï cödé': 'x', 'A.b': 'y', 'X?y': 'z', '100%': 'all' };
    expect((await of.types('Order `Lines`')).map(([title]) => title)).toEqual(Object.keys(row));
    expect(await owner.post(path, row)).toMatchObject({ status: 200, body: row });
    expect(await owner.patch(`${path}/${encodeURIComponent('1___a/b')}`, { 'X?y': 'w' })).toMatchObject({
      status: 200,
      body: { 'X?y': 'w' },
    });
    for (const title of Object.keys(row))
      expect(await owner.get(`${path}?sort=-${encodeURIComponent(title)}`)).toMatchObject({
        body: { list: [{ 'X?y': 'w' }] },
      });
  });

  test('tells apart tables whose names differ by their case alone', async () => {
    const alike = (await of.tables()).filter(({ table_name: name }) => name.toLowerCase() === 'mixedcase');
    expect(alike.map(({ table_name: name }) => name).toSorted()).toEqual(['MixedCase', 'mixedcase']);
    for (const { id, table_name: name } of alike)
      expect(
        await owner.post(
          of.data(id),
          name === 'MixedCase' ? { CamelKey: 1, UPPER: 'u', Key: 'k' } : { Camelkey: 2 },
        ),
      ).toMatchObject({ status: 200 });
    expect(await there.rows('select CamelKey, UPPER, `Key` from MixedCase')).toEqual([[1, 'u', 'k']]);
    expect(await there.rows('select camelkey from mixedcase')).toEqual([[2]]);
  });

  test('shows a row as its triggers left it, and tells why one refuses', async () => {
    const made = await owner.post<Row>(of.data('Stamped'), { Title: '  hello ' });
    expect(made).toMatchObject({ status: 200, body: { Title: 'hello', Changed: 1 } });
    expect(await owner.patch(of.data('Stamped/1'), { Title: ' there' })).toMatchObject({
      body: { Title: 'there', Changed: 2 },
    });
    const refused = await owner.delete(of.data('Stamped/1'));
    expect(refused.status).toBe(400);
    expect(await of.list('Stamped')).toHaveLength(1);
  });

  test('tells by its title which column a value does not go into, as a text that pages translate', async () => {
    expect(await owner.post(of.data('Stamped'), { Title: 'x', Changed: 2 ** 31 - 1 })).toMatchObject({
      status: 400,
      body: { code: 'VALUE_REFUSED', params: { column: 'Changed', problemCode: 'VALUE_BEYOND_COLUMN' } },
    });
  });

  test('knows rows by a key that is unique and never empty, and only reads those of others and of views', async () => {
    expect(await owner.patch(of.data('Paired/1___2'), { Note: 'changed' })).toMatchObject({ status: 200 });
    for (const [title, rows] of [
      ['Noted', 1],
      ['Perhaps', 3],
      ['Grown', 1],
      ['Moods', 2],
    ] as const) {
      expect(await of.list(title)).toHaveLength(rows);
      expect(await owner.post(of.data(title), { Note: 'x', Name: 'x' })).toMatchObject({
        status: 400,
        body: { code: 'TABLE_READ_ONLY' },
      });
    }
  });
});
