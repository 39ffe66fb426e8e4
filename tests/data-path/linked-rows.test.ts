import { expect, jest, test } from '@jest/globals';
import type { ColumnSchema, ProjectSnapshot, ServerColumnType } from '@trellis/sdk/server';
import type { Expression, Predicate } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { circleOf } from '../../host-server/query/computed-columns.ts';
import { SqliteFiles } from './sqlite-files.ts';

const page = { limit: 25, offset: 0 };

/** A music shop: albums of artists, and tracks on playlists by way of a junction table. */
const statements = [
  'create table artist (artist_id integer primary key, name text)',
  'create table album (album_id integer primary key, title text, artist_id integer references artist (artist_id))',
  'create table track (track_id integer primary key, name text, genre text)',
  'create table playlist (playlist_id integer primary key, name text)',
  'create table playlist_track (playlist_id integer references playlist (playlist_id), track_id integer references track (track_id), primary key (playlist_id, track_id))',
  "insert into artist values (1, 'Ada'), (2, 'Bob'), (3, 'Cy')",
  "insert into album values (11, 'One', 1), (12, 'Two', 1), (13, 'Three', 1), (14, 'Four', 2), (15, 'Lost', null)",
  "insert into track values (21, 'x', 'rock'), (22, 'y', 'folk'), (23, 'z', 'rock'), (24, 'w', null), (25, 'v', 'rock')",
  "insert into playlist values (31, 'morning'), (32, 'evening'), (33, 'none')",
  'insert into playlist_track values (31, 21), (31, 22), (32, 22), (32, 23)',
  'create table shelf (room integer, place integer, name text, primary key (room, place))',
  'create table box (box_id integer primary key, room integer, place integer, foreign key (room, place) references shelf (room, place))',
  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500) insert into shelf select i / 10, i % 10, 'shelf ' || i from n",
  'insert into box select null, room, place from shelf',
];

describeEachMetadata('rows and what they are linked to', (open) => {
  const files = new SqliteFiles(open);
  const start = () => files.connect(statements);

  function linkId({ tables }: ProjectSnapshot, from: string, to: string, kind: string): string {
    const table = [...tables.values()].find(({ tableName }) => tableName === from);
    const link = table?.links.find((one) => one.kind === kind && tables.get(one.toTableId)?.tableName === to);
    return link?.id ?? '';
  }

  test('come together, by one query for the page and one for each link', async () => {
    const { rowStore, handle, snapshot } = await start();
    const albums = linkId(snapshot, 'artist', 'album', 'hasMany');
    const rows = await rowStore.nested(await handle('Artist'), { fields: ['Name'] }, page, [
      { linkId: albums, fields: ['Title'], perRow: 2 },
    ]);
    expect(rows.map(({ row, linked }) => [row, linked.get(albums)])).toEqual([
      [{ Name: 'Ada' }, [{ Title: 'One' }, { Title: 'Two' }]],
      [{ Name: 'Bob' }, [{ Title: 'Four' }]],
      [{ Name: 'Cy' }, []],
    ]);
    const artist = linkId(snapshot, 'album', 'artist', 'belongsTo');
    const back = await rowStore.nested(await handle('Album'), { fields: ['Title'] }, page, [
      { linkId: artist, fields: ['Name'], perRow: 1 },
    ]);
    expect(back.map(({ linked }) => linked.get(artist)?.[0]?.['Name'])).toEqual([
      'Ada',
      'Ada',
      'Ada',
      'Bob',
      undefined,
    ]);
    const tracks = linkId(snapshot, 'playlist', 'track', 'manyToMany');
    const lists = await rowStore.nested(await handle('Playlist'), {}, page, [
      { linkId: tracks, fields: ['Name'], perRow: 10 },
    ]);
    expect(lists.map(({ linked }) => linked.get(tracks)?.map((row) => row['Name']))).toEqual([
      ['x', 'y'],
      ['y', 'z'],
      [],
    ]);
  });

  test('are found by keys of several columns, however many rows ask', async () => {
    const { rowStore, handle, snapshot } = await start();
    const shelf = linkId(snapshot, 'box', 'shelf', 'belongsTo');
    const rows = await rowStore.nested(await handle('Box'), {}, { limit: 2500, offset: 0 }, [
      { linkId: shelf, fields: ['Name'], perRow: 1 },
    ]);
    const names = rows.flatMap(({ linked }) => linked.get(shelf)?.map(({ Name }) => Name) ?? []);
    expect(new Set(names).size).toBe(2500);
  });

  test('are no longer looked for when the caller goes away', async () => {
    const { rowStore, handle, snapshot } = await start();
    const of = { key: '1', linkId: linkId(snapshot, 'artist', 'album', 'hasMany') };
    const artist = await handle('Artist');
    for (const others of [false, true])
      await expect(
        rowStore.linked(artist, { ...of, others }, {}, { ...page, signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({ kind: 'cancelled' });
  });

  test('are set by titles only while the caller is there', async () => {
    const { rowStore, handle, snapshot } = await start();
    const link = linkId(snapshot, 'artist', 'album', 'hasMany');
    const artist = await handle('Artist');
    const cells = [{ key: '3', rows: 'Lost' }];
    await expect(rowStore.setLinks(artist, link, cells, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'cancelled',
    });
    const linked = () => rowStore.linked(artist, { key: '3', linkId: link }, {}, page);
    expect(await linked()).toMatchObject({ rows: [] });
    const leaving = new AbortController();
    const set = rowStore.setLinks(artist, link, cells, leaving.signal);
    leaving.abort();
    await expect(set).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await linked()).toMatchObject({ rows: [] });
    await rowStore.setLinks(artist, link, cells, new AbortController().signal);
    expect(await linked()).toMatchObject({ rows: [{ Title: 'Lost' }] });
  });

  test('are refused for a link that is not of the table', async () => {
    const { rowStore, handle, snapshot } = await start();
    const artist = linkId(snapshot, 'album', 'artist', 'belongsTo');
    await expect(
      rowStore.nested(await handle('Track'), {}, page, [{ linkId: artist, perRow: 1 }]),
    ).rejects.toMatchObject({ status: 409, code: 'LINK_MISSING' });
  });

  test('come in groups by the value of a column, with the size of each group', async () => {
    const { rowStore, handle } = await start();
    const groups = await rowStore.groups(
      await handle('Track'),
      { fields: ['Name'], sort: ['-Name'] },
      { by: 'Genre', perGroup: 2 },
    );
    expect(groups).toEqual([
      { value: null, count: 1, rows: [{ Name: 'w' }] },
      { value: 'folk', count: 1, rows: [{ Name: 'y' }] },
      { value: 'rock', count: 3, rows: [{ Name: 'z' }, { Name: 'x' }] },
    ]);
  });

  test('come in groups of which each has its first row and its true size, however few rows are read', async () => {
    const { rowStore, handle } = await start();
    const album = await handle('Album');
    const query = { fields: ['Title'] };
    const groups = await rowStore.groups(album, query, { by: 'artist_id', perGroup: 3, limit: 4 });
    expect(groups).toEqual([
      { value: null, count: 1, rows: [{ Title: 'Lost' }] },
      { value: 1, count: 3, rows: [{ Title: 'One' }, { Title: 'Two' }] },
      { value: 2, count: 1, rows: [{ Title: 'Four' }] },
    ]);
  });

  test('are refused in more groups than are read, rather than given without some of them', async () => {
    const { rowStore, handle } = await start();
    const album = await handle('Album');
    const groupsOf = (limit: number) =>
      rowStore.groups(album, { fields: ['Title'] }, { by: 'artist_id', perGroup: 3, limit });
    expect((await groupsOf(3)).map(({ rows }) => rows.length)).toEqual([1, 1, 1]);
    await expect(groupsOf(2)).rejects.toMatchObject({ status: 409, code: 'TOO_MANY_GROUPS' });
  });

  test('come in groups and by their links only while the caller is there', async () => {
    const { rowStore, handle, snapshot } = await start();
    const gone = AbortSignal.abort();
    const [track, artist] = [await handle('Track'), await handle('Artist')];
    const links = [{ linkId: linkId(snapshot, 'artist', 'album', 'hasMany'), perRow: 2 }];
    for (const ask of [
      () => rowStore.groups(track, {}, { by: 'Genre', perGroup: 2 }, gone),
      () => rowStore.nested(artist, {}, { ...page, signal: gone }, links),
      () => rowStore.groupBy(track, 'genre', {}, { ...page, signal: gone }),
      () => rowStore.findOne(track, { where: '(Genre,eq,rock)' }, gone),
    ])
      await expect(ask()).rejects.toMatchObject({ kind: 'cancelled' });
  });

  /** Turns a column of the artist's table into a computed one, as a column type with a formula would. */
  async function withComputed(compute: (column: ColumnSchema, snapshot: ProjectSnapshot) => Expression) {
    const path = await start();
    const type = {
      ...(path.columnTypes.get('SingleLineText') as ServerColumnType),
      id: 'Computed',
      server: { compute },
    };
    path.columnTypes.register(type, 'test');
    const column = path.snapshot.table('Artist')?.columnByName.get('name');
    await path.metadata.database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_column')
          .where({ id: column?.id ?? '' })
          .update({ column_name: '', uidt: 'Computed', storage: 'virtual', title: 'Albums' }),
      ),
    );
    await path.metadata.database.write((unit) =>
      path.metadata.generations.bump(unit, path.snapshot.project.id),
    );
    return { ...path, column };
  }

  /** Artists with a column that counts their albums, and the database in which they are. */
  async function withAlbumCounts() {
    const path = await withComputed((column, snapshot) => ({
      kind: 'related',
      linkId: linkId(snapshot, 'artist', 'album', 'hasMany'),
      aggregate: 'count',
    }));
    const artists = await path.handle('Artist');
    const base = artists.snapshot.bases.get(artists.table.baseId);
    if (base === undefined) throw new Error('the table has no base');
    return { ...path, artists, database: await path.databases.of(base) };
  }

  test('a computed column is shown, filtered, sorted and grouped like any other', async () => {
    const { rowStore, handle } = await withComputed((column, snapshot) => ({
      kind: 'related',
      linkId: linkId(snapshot, 'artist', 'album', 'hasMany'),
      aggregate: 'count',
    }));
    const artists = await handle('Artist');
    const list = (query: object) =>
      rowStore.list(artists, { fields: ['ArtistId', 'Albums'], ...query }, page);
    expect(await list({ sort: ['-Albums'] })).toEqual([
      { ArtistId: 1, Albums: 3 },
      { ArtistId: 2, Albums: 1 },
      { ArtistId: 3, Albums: 0 },
    ]);
    expect(await list({ where: '(Albums,gt,0)', sort: ['Albums'] })).toEqual([
      { ArtistId: 2, Albums: 1 },
      { ArtistId: 1, Albums: 3 },
    ]);
    expect(await rowStore.count(artists, { where: '(Albums,eq,0)' })).toBe(1);
    expect(
      (await rowStore.groups(artists, {}, { by: 'Albums', perGroup: 1 })).map(({ value }) => value),
    ).toEqual([0, 1, 3]);
    expect(await rowStore.read(artists, '1')).toMatchObject({ Albums: 3 });
  });

  test('a row is read in the main thread only where its own cells say everything', async () => {
    const { rowStore, handle, access, scope, artists, database } = await withAlbumCounts();
    const inMainThread = jest.spyOn(database, 'get');
    expect(await rowStore.read(artists, '2', { fields: ['ArtistId'] })).toEqual({ ArtistId: 2 });
    expect(inMainThread).toHaveBeenCalledTimes(1);
    expect(await rowStore.read(artists, '2')).toEqual({ ArtistId: 2, Albums: 1 });
    const withAlbums: Predicate = {
      kind: 'some',
      linkId: linkId(artists.snapshot, 'artist', 'album', 'hasMany'),
    };
    const narrowed = access.narrow(scope, { rows: new Map([[artists.table.id, withAlbums]]) });
    const limited = await handle('Artist', narrowed);
    expect(await rowStore.read(limited, '2', { fields: ['ArtistId'] })).toEqual({ ArtistId: 2 });
    expect(await rowStore.read(limited, '3', { fields: ['ArtistId'] })).toBeUndefined();
    expect(inMainThread).toHaveBeenCalledTimes(1);
  });

  test('a row is read by its key while searches take all of their places', async () => {
    const { rowStore, artists, database } = await withAlbumCounts();
    let find = (): void => undefined;
    const found = new Promise<void>((resolve) => {
      find = resolve;
    });
    const searches = [1, 2, 3].map(() => database.read(() => found, { work: 'long' }));
    expect(await rowStore.read(artists, '2')).toEqual({ ArtistId: 2, Albums: 1 });
    find();
    await Promise.all(searches);
  });

  test.each([
    ['not', [3]],
    ['some', [1, 2]],
  ] as const)(
    'a rule about linked rows (%s) means all of them, also those that the caller does not see, whatever is asked',
    async (rule, existing) => {
      const { rowStore, handle, snapshot, access, scope } = await start();
      const [artist, album] = [snapshot.table('Artist'), snapshot.table('Album')];
      if (artist === undefined || album === undefined) throw new Error('Both were made above.');
      const some: Predicate = { kind: 'some', linkId: linkId(snapshot, 'artist', 'album', 'hasMany') };
      const title = { kind: 'column', columnId: album.columnByName.get('title')?.id ?? '' } as const;
      const four = { kind: 'literal', value: 'Four', storage: 'string' } as const;
      const rows = new Map<string, Predicate>([
        [artist.id, rule === 'not' ? { kind: 'not', item: some } : some],
        [album.id, { kind: 'compare', comparison: 'neq', left: title, right: four }],
      ]);
      const artists = await handle('Artist', access.narrow(scope, { rows }));
      const list = await rowStore.list(artists, { sort: ['ArtistId'] }, page);
      expect(list.map((row) => row['ArtistId'])).toEqual(existing);
      for (const id of [1, 2, 3]) {
        const key = String(id);
        const exists = (existing as readonly number[]).includes(id);
        expect(await rowStore.exists(artists, key)).toBe(exists);
        expect((await rowStore.read(artists, key)) !== undefined).toBe(exists);
        const updated = await rowStore.update(artists, key, { Name: `by key ${id}` });
        expect(updated.result !== undefined).toBe(exists);
      }
      const named = [1, 2, 3].map((ArtistId) => ({ ArtistId, Name: 'one of many' }));
      await rowStore.updateMany(artists, named);
      const all = await rowStore.updateAll(artists, { where: '(Name,eq,one of many)' }, { Name: 'all' });
      expect(all.result).toBe(existing.length);
      const names = await rowStore.list(await handle('Artist'), { sort: ['ArtistId'] }, page);
      expect(names.flatMap((row) => (row['Name'] === 'all' ? [row['ArtistId']] : []))).toEqual(existing);
    },
  );

  test('a column that is computed from itself reads as empty, is refused in conditions, and its circle is found', async () => {
    const { rowStore, handle, column, columnTypes } = await withComputed((of) => ({
      kind: 'concat',
      items: [{ kind: 'column', columnId: of.id }],
    }));
    const artists = await handle('Artist');
    expect(await rowStore.list(artists, {}, { limit: 1, offset: 0 })).toMatchObject([
      { ArtistId: 1, Albums: null },
    ]);
    await expect(rowStore.list(artists, { where: '(Albums,eq,1)' }, page)).rejects.toMatchObject({
      status: 409,
      code: 'COLUMN_CIRCULAR',
    });
    const { snapshot, table } = artists;
    const circular = table.columnById.get(column?.id ?? '');
    expect(circular && circleOf(snapshot, columnTypes, circular)).toEqual([column?.id, column?.id]);
  });
});
