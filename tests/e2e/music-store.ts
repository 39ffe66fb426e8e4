import Database from 'better-sqlite3';

export const trackCount = 3503;

/** A typical long-existing database: tables with foreign keys, and none of the product's columns. */
export function createMusicStore(file: string): void {
  const database = new Database(file);
  database.exec(`
    create table Artist (ArtistId integer primary key, Name nvarchar(120));
    create table Album (
      AlbumId integer primary key,
      Title nvarchar(160) not null,
      ArtistId integer not null references Artist (ArtistId)
    );
    create table Track (
      TrackId integer primary key,
      Name nvarchar(200) not null,
      AlbumId integer references Album (AlbumId),
      Composer nvarchar(220),
      Milliseconds integer not null,
      UnitPrice numeric(10, 2) not null
    );
    create table Playlist (PlaylistId integer primary key, Name nvarchar(120));
    create table PlaylistTrack (
      PlaylistId integer not null references Playlist (PlaylistId),
      TrackId integer not null references Track (TrackId),
      primary key (PlaylistId, TrackId)
    );
    insert into Playlist values (1, 'Love songs'), (2, 'Silence');
    create view LongTracks as select Name, Milliseconds from Track where Milliseconds > 300000;
  `);
  const artist = database.prepare('insert into Artist values (?, ?)');
  const album = database.prepare('insert into Album values (?, ?, ?)');
  const track = database.prepare('insert into Track values (?, ?, ?, ?, ?, ?)');
  database.transaction(() => {
    for (let id = 1; id <= 20; id += 1) artist.run(id, `Artist ${id}`);
    for (let id = 1; id <= 100; id += 1) album.run(id, `Album ${id}`, (id % 20) + 1);
    for (let id = 1; id <= trackCount; id += 1) {
      const name = id % 50 === 0 ? `Love song ${id}` : `Track ${id}`;
      track.run(
        id,
        name,
        (id % 100) + 1,
        id % 3 === 0 ? null : `Composer ${id % 7}`,
        100_000 + id * 97,
        0.99,
      );
    }
    database.exec('insert into PlaylistTrack values (1, 50), (1, 100), (1, 150)');
  })();
  database.close();
}

/** One value of the file, read as any other program would. */
export function readValue(file: string, sql: string): unknown {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare(sql).pluck().get();
  } finally {
    database.close();
  }
}
