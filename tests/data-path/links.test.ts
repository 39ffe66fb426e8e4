import { expect, test } from '@jest/globals';
import type { LinkSchema, ProjectSnapshot } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { SqliteFiles } from './sqlite-files.ts';

/** Foreign keys as a music shop has them, with a junction table, a table that points at itself and a key of two columns. */
const statements = [
  'create table artist (artist_id integer primary key, name text)',
  'create table album (album_id integer primary key, title text, artist_id integer not null references artist (artist_id) on delete cascade)',
  'create table track (track_id integer primary key, name text, album_id integer references album)',
  'create table playlist (playlist_id integer primary key, name text)',
  'create table playlist_track (playlist_id integer references playlist (playlist_id), track_id integer references track (track_id), primary key (playlist_id, track_id))',
  'create table employee (employee_id integer primary key, name text, reports_to integer references employee (employee_id))',
  'create table place (country text, city text, primary key (country, city))',
  'create table shop (shop_id integer primary key, country text, city text, foreign key (country, city) references place (country, city))',
  'create table orphan (id integer primary key, gone_id integer references gone (id))',
];

describeEachMetadata('the foreign keys of an existing database', (open) => {
  const files = new SqliteFiles(open);
  const shop = () => files.connect(statements);

  /** `album.artist_id > artist.artist_id`, with the junction table where there is one. */
  function described({ tables }: ProjectSnapshot, link: LinkSchema): string {
    const end = (tableId: string, columnIds: readonly string[]) => {
      const table = tables.get(tableId);
      const names = columnIds.map((id) => table?.columnById.get(id)?.columnName);
      return `${table?.tableName}.${names.join('+')}`;
    };
    const { through } = link;
    const middle =
      through === undefined
        ? ''
        : `${end(through.tableId, through.columnIds)} ${end(through.tableId, through.toColumnIds)} > `;
    return `${link.kind}: ${end(link.tableId, link.columnIds)} > ${middle}${end(link.toTableId, link.toColumnIds)}`;
  }

  test('are links of the snapshot, from both sides and across junction tables', async () => {
    const { snapshot } = await shop();
    expect([...snapshot.links.values()].map((link) => described(snapshot, link)).toSorted()).toEqual([
      'belongsTo: album.artist_id > artist.artist_id',
      'belongsTo: employee.reports_to > employee.employee_id',
      'belongsTo: playlist_track.playlist_id > playlist.playlist_id',
      'belongsTo: playlist_track.track_id > track.track_id',
      'belongsTo: shop.country+city > place.country+city',
      'belongsTo: track.album_id > album.album_id',
      'hasMany: album.album_id > track.album_id',
      'hasMany: artist.artist_id > album.artist_id',
      'hasMany: employee.employee_id > employee.reports_to',
      'hasMany: place.country+city > shop.country+city',
      'hasMany: playlist.playlist_id > playlist_track.playlist_id',
      'hasMany: track.track_id > playlist_track.track_id',
      'manyToMany: playlist.playlist_id > playlist_track.playlist_id playlist_track.track_id > track.track_id',
      'manyToMany: track.track_id > playlist_track.track_id playlist_track.playlist_id > playlist.playlist_id',
    ]);
    for (const link of snapshot.links.values()) {
      expect(snapshot.links.get(link.inverseId)?.inverseId).toBe(link.id);
      expect(snapshot.tables.get(link.tableId)?.links).toContain(link);
    }
    const [toArtist] = snapshot.table('Album')?.links.filter((link) => link.kind === 'belongsTo') ?? [];
    expect(toArtist).toMatchObject({ onDelete: 'cascade', onUpdate: 'no action', title: 'Artist' });
  });

  test('are shown by columns at both ends, and tables between two others step back', async () => {
    const { snapshot } = await shop();
    const shown = (title: string) =>
      snapshot
        .table(title)
        ?.columns.filter(({ linkId }) => linkId !== undefined)
        .map((column) => `${column.title}${column.system ? ' system' : ''}`);
    expect(shown('Album')).toEqual(['Artist', 'Track List']);
    expect(shown('Artist')).toEqual(['Album List']);
    expect(shown('Employee')).toEqual(['Employee', 'Employee List']);
    expect(shown('Playlist')?.toSorted()).toEqual(['PlaylistTrack List system', 'Track List']);
    expect(snapshot.table('PlaylistTrack')?.junction).toBe(true);
    const view = snapshot.table('Album')?.defaultView;
    const key = snapshot.table('Album')?.columnByName.get('artist_id')?.id;
    expect(view?.columns.find(({ columnId }) => columnId === key)?.show).toBe(false);
  });

  test('are hidden while a column of theirs is deleted', async () => {
    const { schema, scope, snapshot } = await shop();
    const track = snapshot.table('Track');
    const key = track?.columnByName.get('album_id')?.id ?? '';
    // What shows the link goes first, so that nobody loses it by deleting a number.
    await expect(schema.deleteColumn(scope, key)).rejects.toMatchObject({
      status: 501,
      code: 'LINK_KEY_COLUMN',
      params: { link: 'Album' },
    });
    await schema.deleteColumn(scope, track?.columnByTitle.get('Album')?.id ?? '');
    expect((await schema.snapshot(scope)).links.size).toBe(snapshot.links.size);
    await schema.deleteColumn(scope, key);
    const after = await schema.snapshot(scope);
    expect(
      [...after.links.values()].filter((link) => /track.album|album.*track/.test(described(snapshot, link))),
    ).toEqual([]);
    expect(after.links.size).toBe(snapshot.links.size - 2);
  });
});
