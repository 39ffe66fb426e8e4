import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import type { TestClient } from '@trellis/sdk/testing/server';
import { describeEachExistingDatabase } from '../../host-server/databases/testing.ts';
import type { TableDiff } from '../../plugins/sys-tables/shared/index.ts';
import { connectDatabase, type ConnectedDatabase } from './connected-database.ts';

type Row = Readonly<Record<string, unknown>>;
interface List {
  readonly list: readonly Row[];
  readonly pageInfo: { readonly totalRows: number };
}

const meta = '/api/v1/db/meta';

/** A music shop as somebody else made it. */
const music = [
  'create table artist (artist_id int primary key, name varchar(120))',
  'create table album (album_id int primary key, title varchar(160) not null, artist_id int references artist (artist_id))',
  'create table track (track_id int primary key, name varchar(200) not null, artist_id int references artist (artist_id), price decimal(10, 2), album_id int references album (album_id))',
  'create table playlist (playlist_id int primary key, name varchar(120))',
  `create table playlist_track (playlist_id int not null, track_id int not null, primary key (playlist_id, track_id),
    constraint of_playlist foreign key (playlist_id) references playlist (playlist_id),
    constraint of_track foreign key (track_id) references track (track_id))`,
  `create table employee (employee_id int primary key, name varchar(20), reports_to int,
    constraint of_boss foreign key (reports_to) references employee (employee_id))`,
  `create table customer (customer_id int primary key, name varchar(80) not null, support_rep_id int,
    constraint of_helper foreign key (support_rep_id) references employee (employee_id))`,
  `create table invoice (invoice_id int primary key, customer_id int not null, total decimal(10, 2),
    constraint of_customer foreign key (customer_id) references customer (customer_id))`,
  'create table setting (name varchar(40) not null, value varchar(40), constraint by_name unique (name))',
  'create table note (words varchar(40))',
  "insert into setting values ('colour', 'red')",
  'create table shelf (room int not null, place int not null, name varchar(20), primary key (room, place))',
  `create table box (box_id int primary key, room int, place int, weight decimal(10, 2),
    constraint of_shelf foreign key (room, place) references shelf (room, place))`,
  'create table venue (code varchar(10) primary key, name varchar(20))',
  `create table concert (concert_id int primary key, venue_code varchar(10),
    constraint of_venue foreign key (venue_code) references venue (code) on update cascade)`,
  `create table lesson (lesson_id int primary key, venue_code varchar(10),
    constraint of_hall foreign key (venue_code) references venue (code))`,
  'create view expensive as select track_id, name from track where price > 1',
  "insert into artist values (1, 'AC/DC'), (2, 'Accept')",
  "insert into album values (1, 'For Those About To Rock', 1), (2, 'Balls to the Wall', 2), (3, 'Restless', 2)",
  "insert into track values (1, 'Rock', 1, 0.99, 1), (2, 'Balls', 2, 1.99, 2), (3, 'Fast', 2, 0.99, 3)",
  "insert into playlist values (1, 'Music'), (2, 'Nothing')",
  'insert into playlist_track values (1, 1), (1, 2)',
  "insert into employee values (1, 'Andrew', null), (2, 'Jane', 1)",
  "insert into customer values (1, 'Ada', 2), (2, 'Bob', 1), (3, 'Cy', null)",
  'insert into invoice values (1, 1, 10.50), (2, 1, 2.25), (3, 2, 7.00), (4, 2, 0.10)',
  "insert into shelf values (1, 1, 'left'), (1, 2, 'right'), (2, 1, 'far')",
  'insert into box values (1, 1, 1, 1.50), (2, 1, 1, 1.50), (3, 2, 1, 4.25), (4, 1, null, 9.00)',
  "insert into venue values ('ally', 'Ally Pally'), ('hall', 'Hall')",
  "insert into concert values (1, 'ally'), (2, 'hall')",
  "insert into lesson values (1, 'hall')",
];

/** The same product on a database that it did not make, whatever kind that is. */
describeEachExistingDatabase('an existing database', (dialect) => {
  let there: ConnectedDatabase;
  let owner: TestClient;
  let project: ProjectEntity;

  beforeAll(async () => {
    there = await connectDatabase(dialect, { title: 'Music', statements: music });
    ({ owner, project } = there);
  });
  afterAll(() => there?.dispose());

  const run = (sql: string) => there.run(sql);
  const rows = (sql: string) => there.rows(sql);
  const data = (path: string) => `/api/v1/db/data/noco/Music/${path}`;
  const list = async (path: string) => (await owner.get<List>(data(path))).body.list;
  const tables = async () =>
    (
      await owner.get<{ list: readonly TableEntity[] }>(
        `${meta}/projects/${project.id}/tables?includeM2M=true`,
      )
    ).body.list;
  const table = async (title: string) => {
    const found = (await tables()).find((one) => one.title === title);
    return (await owner.get<TableEntity>(`${meta}/tables/${found?.id ?? ''}`)).body;
  };

  test('shows its links in both directions, and the way across its junction table', async () => {
    expect((await tables()).map(({ title, type, mm }) => [title, type, mm])).toEqual([
      ['Album', 'table', false],
      ['Artist', 'table', false],
      ['Box', 'table', false],
      ['Concert', 'table', false],
      ['Customer', 'table', false],
      ['Employee', 'table', false],
      ['Invoice', 'table', false],
      ['Lesson', 'table', false],
      ['Note', 'table', false],
      ['Playlist', 'table', false],
      ['PlaylistTrack', 'table', true],
      ['Setting', 'table', false],
      ['Shelf', 'table', false],
      ['Track', 'table', false],
      ['Venue', 'table', false],
      ['Expensive', 'view', false],
    ]);
    expect(await list('Track')).toMatchObject([
      { Name: 'Rock', Artist: { ArtistId: 1, Name: 'AC/DC' }, 'Playlist List': [{ Name: 'Music' }] },
      { Name: 'Balls', Artist: { Name: 'Accept' } },
      { Name: 'Fast', 'Playlist List': [] },
    ]);
    expect(await list('Artist?sort=-ArtistId&limit=1')).toMatchObject([
      { Name: 'Accept', 'Album List': [{ Title: 'Balls to the Wall' }, { Title: 'Restless' }] },
    ]);
    expect(await list('Employee')).toMatchObject([
      { Name: 'Andrew', Employee: null, 'Employee List': [{ Name: 'Jane' }] },
      { Name: 'Jane', Employee: { Name: 'Andrew' }, 'Employee List': [] },
    ]);
    // Its own foreign keys were there before and stay on offer.
    const keys = (await table('Track')).columns?.filter(({ uidt }) => uidt === 'ForeignKey') ?? [];
    expect(keys.map(({ title, internal }) => [title, internal])).toEqual([
      ['ArtistId', undefined],
      ['AlbumId', undefined],
    ]);
    await owner.post(data('Track/3/mm/Playlist List/2'));
    expect(await rows('select track_id from playlist_track where playlist_id = 2')).toEqual([[3]]);
    await owner.delete(data('Track/3/mm/Playlist List/2'));
    expect(await rows('select track_id from playlist_track order by track_id')).toEqual([[1], [2]]);
  });

  test('tells the sizes of its columns, which a client may send back with the whole column', async () => {
    const { columns = [] } = await table('Invoice');
    const total = columns.find(({ title }) => title === 'Total');
    expect(total).toMatchObject({ dtxp: '10', dtxs: '2', np: '10', ns: '2', clen: null });
    const name = (await table('Customer')).columns?.find(({ title }) => title === 'Name');
    // A length means nothing to SQLite, and is what the column was made with all the same.
    expect(name).toMatchObject({ dtxp: '80', dtxs: '', np: null, ns: null, clen: '80' });
    for (const column of [total, name]) {
      const sent = await owner.patch<TableEntity>(`${meta}/columns/${column?.id ?? ''}`, column);
      expect(sent).toMatchObject({ status: 200 });
      expect(sent.body.columns?.find(({ id }) => id === column?.id)).toEqual({
        ...column,
        updated_at: expect.any(String),
      });
    }
    const { columns: invoice = [] } = await table('Invoice');
    expect(invoice.find(({ title }) => title === 'InvoiceId')).toMatchObject({ dtxp: '', clen: null });
  });

  test('sums what is linked as plain SQL does, without a column in the database', async () => {
    const customer = await table('Customer');
    const column = (tableOf: TableEntity, title: string) =>
      tableOf.columns?.find((one) => one.title === title)?.id ?? '';
    const made = await owner.post(`${meta}/tables/${customer.id}/columns`, {
      title: 'Spent',
      uidt: 'Rollup',
      fk_relation_column_id: column(customer, 'Invoice List'),
      fk_rollup_column_id: column(await table('Invoice'), 'Total'),
      rollup_function: 'sum',
    });
    expect(made).toMatchObject({ status: 200 });
    const plain = await rows(
      'select name, sum(total) from customer left join invoice on invoice.customer_id = customer.customer_id group by customer.customer_id, name order by customer.customer_id',
    );
    const shown = await list('Customer?sort=CustomerId');
    expect(shown.map(({ Name, Spent }) => [Name, Number(Spent ?? 0)])).toEqual(
      plain.map(([name, sum]) => [name, Number(sum ?? 0)]),
    );
    expect((await list('Customer?sort=-Spent')).map(({ Name }) => Name)[0]).toBe('Ada');
  });

  test('looks up what is linked, and computes formulas over that, as plain SQL does', async () => {
    const add = async (body: object) =>
      expect(await owner.post(`${meta}/tables/${(await table('Customer')).id}/columns`, body)).toMatchObject({
        status: 200,
      });
    const idOf = async (title: string, column: string) =>
      (await table(title)).columns?.find((one) => one.title === column)?.id;
    await add({
      title: 'Helper',
      uidt: 'Lookup',
      fk_relation_column_id: await idOf('Customer', 'Employee'),
      fk_lookup_column_id: await idOf('Employee', 'Name'),
    });
    await add({
      title: 'Words',
      uidt: 'Formula',
      formula: 'CONCAT({Name}, " ", ROUND({Spent} * 2, 1), " by ", {Helper}, IF({Spent} > 10, "!", ""))',
    });
    const plain = await rows(
      `select name, (select sum(total) from invoice where invoice.customer_id = customer.customer_id),
        (select employee.name from employee where employee_id = support_rep_id) from customer order by customer_id`,
    );
    const shown = await list('Customer?sort=CustomerId');
    expect(shown.map(({ Helper }) => Helper)).toEqual(plain.map(([, , helper]) => helper));
    expect(shown.map(({ Words }) => Words)).toEqual(
      plain.map(
        ([name, sum, helper]) =>
          `${String(name)} ${sum === null ? '' : String(Number((Number(sum) * 2).toFixed(1)))} by ${(helper as string | null) ?? ''}${Number(sum) > 10 ? '!' : ''}`,
      ),
    );
    expect(await list('Customer?where=(Helper,eq,Jane)')).toMatchObject([{ Words: 'Ada 25.5 by Jane!' }]);
    expect((await list('Customer?sort=-Words')).map(({ Name }) => Name)).toEqual(['Cy', 'Bob', 'Ada']);
  });

  test.each([
    [
      'keys of several columns',
      'Shelf',
      'Box List',
      ['Box', 'Weight'],
      `select (select sum(weight) from box where box.room = shelf.room and box.place = shelf.place),
        (select count(*) from box where box.room = shelf.room and box.place = shelf.place) from shelf order by room, place`,
    ],
    [
      'a junction table',
      'Playlist',
      'Track List',
      ['Track', 'Price'],
      `select (select sum(price) from track join playlist_track on playlist_track.track_id = track.track_id
          where playlist_track.playlist_id = playlist.playlist_id),
        (select count(*) from playlist_track where playlist_track.playlist_id = playlist.playlist_id) from playlist order by playlist_id`,
    ],
    [
      'a table to itself',
      'Employee',
      'Employee List',
      ['Employee', 'EmployeeId'],
      `select (select sum(other.employee_id) from employee other where other.reports_to = employee.employee_id),
        (select count(*) from employee other where other.reports_to = employee.employee_id) from employee order by employee_id`,
    ],
  ] as const)(
    'adds up, counts and looks up over %s as plain SQL does',
    async (_, from, link, [to, value], sql) => {
      const idOf = async (title: string, column: string) =>
        (await table(title)).columns?.find((one) => one.title === column)?.id;
      const add = async (body: object) =>
        expect(
          await owner.post(`${meta}/tables/${(await table(from)).id}/columns`, {
            fk_relation_column_id: await idOf(from, link),
            ...body,
          }),
        ).toMatchObject({ status: 200 });
      const of = await idOf(to, value);
      await add({ title: 'Summed', uidt: 'Rollup', fk_rollup_column_id: of, rollup_function: 'sum' });
      await add({ title: 'Counted', uidt: 'Count' });
      await add({ title: 'Seen', uidt: 'Lookup', fk_lookup_column_id: of });
      const shown = await list(from);
      const numbers = shown.map(({ Summed, Counted }) => [Number(Summed ?? 0), Number(Counted)]);
      expect(numbers).toEqual((await rows(sql)).map((row) => row.map((cell) => Number(cell ?? 0))));
      // What is looked up adds up to the same.
      const sums = shown.map(({ Seen }) =>
        (Seen as readonly unknown[]).reduce<number>((sum, cell) => sum + Number(cell), 0),
      );
      expect(sums.map((sum) => Number(sum.toFixed(2)))).toEqual(numbers.map(([sum]) => sum));
    },
  );

  test('follows a key that changes where the database does, and refuses it where the database does', async () => {
    const changed = await owner.patch(data('Venue/ally'), { Code: 'palace' });
    expect(changed).toMatchObject({ status: 200, body: { Code: 'palace' } });
    expect(await rows('select venue_code from concert order by concert_id')).toEqual([['palace'], ['hall']]);
    expect(await list('Concert?sort=ConcertId&limit=1')).toMatchObject([
      { Venue: { Code: 'palace', Name: 'Ally Pally' } },
    ]);
    const refused = await owner.patch(data('Venue/hall'), { Code: 'room' });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(await rows('select code from venue order by code')).toEqual([['hall'], ['palace']]);
  });

  test('sets the key of linked rows to its default where the database can, and else keeps the row', async () => {
    await run(
      `create table ticket (ticket_id int primary key, venue_code varchar(10) default 'hall',
        constraint of_ticket foreign key (venue_code) references venue (code) on delete set default)`,
    );
    await run("insert into venue values ('barn', 'Barn')");
    await run("insert into ticket values (1, 'barn')");
    expect(await owner.post(`${meta}/projects/${project.id}/meta-diff`)).toMatchObject({ status: 200 });
    const { body } = await owner.delete(data('Venue/barn'));
    // InnoDB has no such action, and MariaDB makes the key without it.
    const hasAction = dialect !== 'mysql';
    expect(body).toEqual(hasAction ? 1 : { message: [expect.any(String)] });
    expect(await list('Ticket')).toMatchObject([{ Venue: { Code: hasAction ? 'hall' : 'barn' } }]);
    await run('drop table ticket');
    expect(await owner.post(`${meta}/projects/${project.id}/meta-diff`)).toMatchObject({ status: 200 });
  });

  test('has rows that are written, taken back and remembered', async () => {
    const changed = await owner.patch(data('Artist/1'), { Name: 'Motörhead' });
    expect(changed).toMatchObject({ status: 200 });
    expect(await rows('select name from artist where artist_id = 1')).toEqual([['Motörhead']]);
    const operation = changed.headers.get('x-trellis-operation') ?? '';
    expect(await owner.post(`/api/v1/db/data/operations/Music/${operation}/undo`)).toMatchObject({
      status: 200,
    });
    expect(await rows('select name from artist where artist_id = 1')).toEqual([['AC/DC']]);
    const { body: history } = await owner.get<{ list: readonly unknown[] }>(data('Artist/1/history'));
    expect(history.list).toHaveLength(2);
    const deleted = await owner.delete(data('Playlist/2'));
    expect(await rows('select name from playlist')).toEqual([['Music']]);
    await owner.post(
      `/api/v1/db/data/operations/Music/${deleted.headers.get('x-trellis-operation') ?? ''}/undo`,
    );
    expect(await rows('select name from playlist where playlist_id = 2')).toEqual([['Nothing']]);
    expect(await owner.post(data('Expensive'), { Name: 'x' })).toMatchObject({ status: 400 });
  });

  test('knows rows without a primary key by what is unique, and only reads those that nothing tells apart', async () => {
    expect(await owner.patch(data('Setting/colour'), { Value: 'blue' })).toMatchObject({
      status: 200,
      body: { Name: 'colour', Value: 'blue' },
    });
    expect(await owner.post(data('Note'), { Words: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'TABLE_READ_ONLY' },
    });
  });

  test('filters, sorts, groups and searches as our own tables do', async () => {
    expect(await list('Track?where=(Price,gt,1)')).toMatchObject([{ Name: 'Balls' }]);
    expect(await list('Track?where=(Name,like,a)&sort=-Name')).toMatchObject([
      { Name: 'Fast' },
      { Name: 'Balls' },
    ]);
    const groups = await owner.get<{ list: readonly Row[] }>(data('Invoice/groupby?column_name=CustomerId'));
    expect(groups.status).toBe(200);
  });

  test('is compared with what the project knows: what has another name keeps everything that hangs on it', async () => {
    const diff = `${meta}/projects/${project.id}/meta-diff`;
    const changes = async () =>
      (await owner.get<readonly { detectedChanges: readonly { msg: string }[] }[]>(diff)).body.flatMap(
        ({ detectedChanges }) => detectedChanges.map(({ msg }) => msg),
      );
    expect(await changes()).toEqual([]);
    const [track, artist] = [await table('Track'), await table('Artist')];
    const price = track.columns?.find(({ title }) => title === 'Price');
    const altered =
      dialect === 'mssql'
        ? [
            "exec sp_rename 'track.price', 'cost', 'COLUMN'",
            "exec sp_rename 'artist', 'performer'",
            'alter table invoice add note varchar(20)',
          ]
        : [
            'alter table track rename column price to cost',
            'alter table artist rename to performer',
            'alter table invoice add column note varchar(20)',
          ];
    for (const sql of ['drop view expensive', ...altered]) await run(sql);
    expect((await changes()).toSorted()).toEqual(
      expect.arrayContaining([
        'Column removed(price)',
        'New column(cost)',
        'New column(note)',
        'New table',
        'Table removed',
      ]),
    );
    // The new table and the new column look as the ones that are gone did: most likely they are these.
    const { body: diffs } = await owner.get<readonly TableDiff[]>(diff);
    const suggested = diffs.flatMap(({ table_name: name, detectedChanges }) =>
      detectedChanges.flatMap(({ cn, renamedTo }) =>
        renamedTo === undefined ? [] : [[name, cn, renamedTo]],
      ),
    );
    expect(suggested).toHaveLength(2);
    expect(suggested).toEqual(
      expect.arrayContaining([
        ['artist', undefined, 'performer'],
        ['track', 'price', 'cost'],
      ]),
    );
    const rename = (renames: readonly object[]) => owner.post(diff, { renames });
    expect(await rename([{ id: price?.id, to: 'nothing' }])).toMatchObject({
      status: 400,
      body: { code: 'SYNC_RENAME' },
    });
    const renames = [
      { id: price?.id, to: 'cost' },
      { id: artist.id, to: 'performer' },
    ];
    expect(await rename(renames)).toMatchObject({ status: 200 });
    expect(await changes()).toEqual([]);
    expect((await table('Artist')).id).toBe(artist.id);
    const after = (await table('Track')).columns?.find(({ title }) => title === 'Price');
    expect(after).toMatchObject({ id: price?.id, column_name: 'cost' });
    expect(await list('Track?where=(Price,gt,1)')).toMatchObject([
      { Name: 'Balls', Artist: { Name: 'Accept' } },
    ]);
    expect((await tables()).some(({ title }) => title === 'Expensive')).toBe(false);
  });

  test('tells of foreign keys that are gone, with the columns of both tables that showed them', async () => {
    const diff = `${meta}/projects/${project.id}/meta-diff`;
    const keys =
      ', foreign key (studio_id) references studio (id), foreign key (place_id) references place (id)';
    const junction = (more: string) =>
      `create table studio_place (studio_id int, place_id int, primary key (studio_id, place_id)${more})`;
    await run('create table studio (id int primary key, name varchar(20))');
    await run('create table place (id int primary key, name varchar(20))');
    await run(junction(keys));
    expect(await owner.post(diff)).toMatchObject({ status: 200 });
    const studio = await table('Studio');
    await run('drop table studio_place');
    await run(junction(''));

    const { body } = await owner.get<readonly TableDiff[]>(diff);
    const gone = body.find(({ title }) => title === 'Studio')?.detectedChanges ?? [];
    expect(gone.map(({ type }) => type).toSorted()).toEqual([
      'TABLE_RELATION_REMOVE',
      'TABLE_VIRTUAL_M2M_REMOVE',
    ]);
    for (const { type, colId, column } of gone) {
      const shown = studio.columns?.find(({ id }) => id === colId);
      const kind = type === 'TABLE_RELATION_REMOVE' ? 'hm' : 'mm';
      expect(shown).toMatchObject({ uidt: 'LinkToAnotherRecord', colOptions: { type: kind } });
      expect(column).toMatchObject({ id: colId, title: shown?.title });
    }
    const place = body.find(({ title }) => title === 'StudioPlace')?.detectedChanges ?? [];
    expect(place.map(({ type, colId }) => [type, typeof colId])).toEqual([
      ['TABLE_RELATION_REMOVE', 'string'],
      ['TABLE_RELATION_REMOVE', 'string'],
    ]);
    expect(await owner.post(diff)).toMatchObject({ status: 200 });
  });

  test('can be made read only and writable again, and its connection can be tested', async () => {
    const path = `${meta}/projects/${project.id}/bases/${project.bases?.[0]?.id ?? ''}`;
    const { body } = await owner.get<{ settings: Row }>(`${path}/connection`);
    const change = (settings: Row) => owner.patch(path, { settings: { ...body.settings, ...settings } });
    expect(await change({ readOnly: true })).toMatchObject({ status: 200 });
    const write = () => owner.patch(data('Customer/1'), { Name: 'Ada L.' });
    expect(await write()).toMatchObject({ status: 400, body: { code: 'TABLE_READ_ONLY' } });
    expect((await list('Customer')).length).toBe(3);
    const tested = await owner.post(`${path}/connection/test`, { settings: body.settings });
    expect(tested).toMatchObject({ status: 200, body: { code: 0 } });
    expect(await change({ readOnly: false })).toMatchObject({ status: 200 });
    expect(await write()).toMatchObject({ status: 200 });
    expect(await rows('select name from customer where customer_id = 1')).toEqual([['Ada L.']]);
    if (dialect === 'sqlite')
      expect(await change({ file: 'other.db' })).toMatchObject({
        status: 400,
        body: { code: 'BASE_FILE_FIXED' },
      });
  });
});
