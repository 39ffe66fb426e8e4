import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient } from '@trellis/sdk/testing/server';
import { describeEachExistingDatabase } from '../../../host-server/databases/testing.ts';
import { connectDatabase, type ConnectedDatabase } from '../connected-database.ts';
import type { Row } from './atlas.ts';

/** Foreign keys that name rows by what is unique beside the key, by keys of two columns, and across a junction table of such. */
const library = [
  'create table author (author_id int primary key, code varchar(10) not null, name varchar(20), constraint by_code unique (code))',
  `create table book (book_id int primary key, title varchar(20), author_code varchar(10),
    constraint of_author foreign key (author_code) references author (code) on update cascade)`,
  'create table prize (prize_id int primary key, label varchar(10) not null, constraint by_label unique (label))',
  `create table award (author_code varchar(10) not null, prize_label varchar(10) not null, primary key (author_code, prize_label),
    constraint to_author foreign key (author_code) references author (code),
    constraint by_prize foreign key (prize_label) references prize (label))`,
  'create table shelf (room int not null, place int not null, name varchar(20), primary key (room, place))',
  `create table box (box_id int primary key, room int, place int, content varchar(20),
    constraint of_shelf foreign key (room, place) references shelf (room, place))`,
  'create table team (league int not null, nr int not null, name varchar(20), primary key (league, nr))',
  `create table player (player_id int primary key, league int not null, team_nr int, name varchar(20),
    constraint of_team foreign key (league, team_nr) references team (league, nr))`,
  "insert into team values (1, 1, 'reds'), (1, 2, 'blues')",
  "insert into player values (1, 1, 1, 'Ann'), (2, 1, 1, 'Bob'), (3, 1, 1, 'Cy')",
  "insert into author values (1, 'lem', 'Stanislaw'), (2, 'ulg', 'Ursula')",
  "insert into book values (1, 'Solaris', null), (2, 'The Dispossessed', null), (3, 'Fiasco', null)",
  "insert into prize values (1, 'hugo'), (2, 'nebula')",
  "insert into shelf values (1, 1, 'left'), (1, 2, 'right'), (2, 1, 'far')",
  "insert into box values (1, 1, 1, 'maps'), (2, null, null, 'toys'), (3, 1, 1, 'pens'), (4, 2, 1, 'ink')",
];

describeEachExistingDatabase('links by other columns than a key of one', (dialect) => {
  let there: ConnectedDatabase;
  let owner: TestClient;

  beforeAll(async () => {
    there = await connectDatabase(dialect, { title: 'Library', statements: library });
    ({ owner } = there);
  });
  afterAll(() => there?.dispose());

  const data = (path: string) => `/api/v1/db/data/noco/Library/${path}`;
  const bulk = (path: string) => data(path).replace('/data/', '/data/bulk/');
  const history = async (row: string) =>
    (await owner.get<{ list: readonly { cells: readonly Row[] }[] }>(data(`${row}/history`))).body.list;
  /** What was taken and what was made, by each event that tells of links. */
  const told = async (row: string) =>
    (await history(row)).flatMap(({ cells }) => {
      const linked = cells.filter(({ before, after }) => Array.isArray(before ?? after));
      return linked.length === 0 ? [] : [linked.map(({ before, after }) => ({ before, after }))];
    });
  const changed = async (path: string, body: object) =>
    expect(await owner.patch(data(path), body)).toMatchObject({ status: 200 });

  test('stand in the history of the row by what it was named then, whoever has that name now', async () => {
    const [solaris, fiasco] = [
      { BookId: 1, Title: 'Solaris' },
      { BookId: 3, Title: 'Fiasco' },
    ];
    await changed('Book/1', { AuthorCode: 'lem' });
    await changed('Author/1', { Code: 'stl' });
    await changed('Book/3', { AuthorCode: 'stl' });
    await changed('Author/2', { Code: 'lem' });
    await changed('Book/2', { AuthorCode: 'lem' });
    await changed('Book/1', { AuthorCode: null });
    expect(await told('Author/1')).toEqual([
      [{ before: [solaris], after: null }],
      [{ before: null, after: [fiasco] }],
      [{ before: null, after: [solaris] }],
    ]);
    const dispossessed = { BookId: 2, Title: 'The Dispossessed' };
    expect(await told('Author/2')).toEqual([[{ before: null, after: [dispossessed] }]]);
  });

  test('keep the type of the columns that they go by, at both ends', async () => {
    const meta = '/api/v1/db/meta';
    const { body } = await owner.get<{ list: readonly TableEntity[] }>(
      `${meta}/projects/${there.project.id}/tables`,
    );
    for (const [title, name] of [
      ['Author', 'code'],
      ['Book', 'author_code'],
    ]) {
      const found = body.list.find((table) => table.title === title);
      const { columns = [] } = (await owner.get<TableEntity>(`${meta}/tables/${found?.id ?? ''}`)).body;
      const column = columns.find((of) => of.column_name === name);
      const asNumber = { title: column?.title, uidt: 'Number', meta: { acceptLoss: true } };
      expect(await owner.patch(`${meta}/columns/${column?.id ?? ''}`, asNumber)).toMatchObject({
        status: 400,
        body: { code: 'RETYPE_LINKING' },
      });
    }
  });

  test('also where another application gave the row its name', async () => {
    await there.run("insert into author values (3, 'new', 'Other')");
    await changed('Author/3', { Code: 'ours' });
    await there.run("update author set code = 'theirs' where author_id = 3");
    await there.run("insert into book values (4, 'Kin', null)");
    await changed('Book/4', { AuthorCode: 'theirs' });
    expect(await told('Author/3')).toEqual([[{ before: null, after: [{ BookId: 4, Title: 'Kin' }] }]]);
  });

  test('stand in the histories of both ends of a junction table that goes by such columns', async () => {
    await there.run("insert into author values (5, 'vaz', 'Vaz')");
    const path = data(`Author/5/mm/${encodeURIComponent('Prize List')}/1`);
    expect(await owner.post(path)).toMatchObject({ status: 200 });
    expect(await told('Author/5')).toEqual([[{ before: null, after: [{ PrizeId: 1, Label: 'hugo' }] }]]);
    const [[event] = []] = await told('Prize/1');
    expect(event).toMatchObject({ before: null, after: [{ AuthorId: 5 }] });
    expect(await owner.delete(path)).toMatchObject({ status: 200 });
    expect((await told('Author/5'))[0]).toEqual([{ before: [{ PrizeId: 1, Label: 'hugo' }], after: null }]);
  });

  test('of a key of two columns are told of when one of them changes', async () => {
    const [maps, pens] = [
      { BoxId: 1, Content: 'maps' },
      { BoxId: 3, Content: 'pens' },
    ];
    await changed('Box/1', { Place: 2 });
    expect(await told('Shelf/1___1')).toEqual([[{ before: [maps], after: null }]]);
    expect(await told('Shelf/1___2')).toEqual([[{ before: null, after: [maps] }]]);
    await changed('Box/1', { Place: null });
    expect((await told('Shelf/1___2'))[0]).toEqual([{ before: [maps], after: null }]);
    await changed('Box/1', { Place: 1 });
    expect((await told('Shelf/1___1'))[0]).toEqual([{ before: null, after: [maps] }]);
    // Of several rows of one call each has its own shelf.
    const answer = await owner.patch(bulk('Box'), [
      { BoxId: 3, Room: 2 },
      { BoxId: 4, Room: 1 },
    ]);
    expect(answer.status).toBe(200);
    expect((await told('Shelf/1___1'))[0]).toEqual([
      { before: [pens], after: [{ BoxId: 4, Content: 'ink' }] },
    ]);
    // What did not change is no change of the row.
    const [newest] = await history('Box/3');
    expect(newest?.cells.map(({ before, after }) => [before, after])).toContainEqual([1, 2]);
    expect(newest?.cells.map(({ before, after }) => [before, after])).not.toContainEqual([1, 1]);
  });

  test('of a key of two columns are taken away by what may be empty of it', async () => {
    const ways = [
      () => owner.delete(data('Player/1/bt/Team/1___1')),
      () => owner.delete(data(`Team/1___1/hm/${encodeURIComponent('Player List')}/2`)),
      () => owner.put(bulk('Player/links/Team'), [{ row: '3', rows: [] }]),
    ];
    for (const unlink of ways) expect(await unlink()).toMatchObject({ status: 200 });
    expect(await there.rows('select player_id, league, team_nr from player order by player_id')).toEqual([
      [1, 1, null],
      [2, 1, null],
      [3, 1, null],
    ]);
    const relinked = [{ row: '1___2', rows: ['1', '2'] }];
    const path = bulk(`Team/links/${encodeURIComponent('Player List')}`);
    expect(await owner.put(path, relinked)).toMatchObject({ status: 200 });
    expect(await owner.put(path, [{ row: '1___2', rows: ['2'] }])).toMatchObject({ status: 200 });
    expect(await there.rows('select player_id, team_nr from player order by player_id')).toEqual([
      [1, null],
      [2, 2],
      [3, null],
    ]);
  });

  test('of a key of two columns are put back by undo, which tells of it, too', async () => {
    const taken = await owner.patch(data('Box/2'), { Room: 1, Place: 2 });
    const moved = await owner.patch(data('Box/2'), { Place: 1 });
    expect([taken.status, moved.status]).toEqual([200, 200]);
    const operation = moved.headers.get('x-trellis-operation') ?? '';
    const undone = await owner.post(`/api/v1/db/data/operations/${there.project.id}/${operation}/undo`, {});
    expect(undone).toMatchObject({ status: 200 });
    const toys = { BoxId: 2, Content: 'toys' };
    expect((await told('Shelf/1___2'))[0]).toEqual([{ before: null, after: [toys] }]);
    expect((await told('Shelf/1___1'))[0]).toEqual([{ before: [toys], after: null }]);
  });
});
