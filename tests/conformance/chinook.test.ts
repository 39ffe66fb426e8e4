import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ColumnEntity, ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { openDatabase, type Database, type DatabaseTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases } from '../../host-server/databases/testing.ts';
import { baseOf } from './connected-database.ts';

/** Where the files of the Chinook database are, whose licence lets everybody have them: https://github.com/lerocha/chinook-database */
const folder = process.env['TRELLIS_TEST_CHINOOK'];
const kinds = ['sqlite', 'postgres', 'mysql'] as const;
type Kind = (typeof kinds)[number];

const meta = '/api/v1/db/meta';
const rowCounts = {
  Album: 347,
  Artist: 275,
  Customer: 59,
  Employee: 8,
  Genre: 25,
  Invoice: 412,
  InvoiceLine: 2240,
  MediaType: 5,
  Playlist: 18,
  PlaylistTrack: 8715,
  Track: 3503,
};
type Title = keyof typeof rowCounts;
const titles = Object.keys(rowCounts) as Title[];

type Row = Readonly<Record<string, unknown>>;

/** The statements of a script but those that make the database and go into it. */
function statementsOf(script: string): readonly string[] {
  return script
    .replaceAll(/^\/\*[^]*?\*\//gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(
      (statement) => statement !== '' && !/^(?:drop database|create database|use|\\c)\b/i.test(statement),
    );
}

test('of a script that makes a database, what fills it is read statement by statement', () => {
  const script = `
/*****
   Create; everything
*****/
CREATE DATABASE chinook;

\\c chinook;
CREATE TABLE t
(
    a INT NOT NULL
);

INSERT INTO t (a) VALUES
    ('x; y /* z */'),
    ('it''s');
`;
  expect(statementsOf(script)).toEqual([
    'CREATE TABLE t\n(\n    a INT NOT NULL\n)',
    "INSERT INTO t (a) VALUES\n    ('x; y /* z */'),\n    ('it''s')",
  ]);
});

/** One database as it is opened in the product. */
interface Shop {
  readonly project: string;
  readonly tables: ReadonlyMap<string, TableEntity>;
  list(path: string): Promise<readonly Row[]>;
  /** Asks the database itself; names are those of the product. */
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
}

if (folder !== undefined)
  describe('the Chinook database on three kinds of databases', () => {
    const databases = { postgres: createTestDatabases('postgres'), mysql: createTestDatabases('mysql') };
    const opened: Database[] = [];
    const shops = new Map<Kind, Shop>();
    let server: TestServer;
    let owner: TestClient;

    beforeAll(async () => {
      server = await createTestServer();
      owner = await server.signUp();
      for (const kind of kinds) shops.set(kind, await openShop(kind, await fill(kind)));
    });
    afterAll(async () => {
      await server?.dispose();
      for (const database of opened) await database.close();
      for (const of of Object.values(databases)) await of.dropAll();
    });

    /** Makes the database as its authors would. */
    async function fill(kind: Kind): Promise<DatabaseTarget> {
      if (kind === 'sqlite') {
        const place = join(server.dataDir, 'sqlite');
        await mkdir(place, { recursive: true });
        const file = join(place, 'chinook.db');
        await copyFile(join(folder ?? '', 'Chinook_Sqlite.sqlite'), file);
        return { kind, file, create: false };
      }
      const target = await databases[kind].target();
      const name = { postgres: 'Chinook_PostgreSql.sql', mysql: 'Chinook_MySql.sql' }[kind];
      const script = await readFile(join(folder ?? '', name), 'utf8');
      // The script is written for a server that takes a backslash for itself, which MySQL does not.
      const meant = kind === 'mysql' ? script.replaceAll('\\', '\\\\') : script;
      const database = await openDatabase(target, { name: 'the script' });
      for (const statement of statementsOf(meant)) {
        // A question mark stands for itself, not for a value.
        const sql = statement.replaceAll('?', '\\?');
        await database.write((unit) => unit.run({ sql, bindings: [] }));
      }
      await database.close();
      return target;
    }

    async function openShop(kind: Kind, target: DatabaseTarget): Promise<Shop> {
      const { body } = await owner.post<ProjectEntity>(`${meta}/projects`, {
        title: `Chinook ${kind}`,
        external: true,
        bases: [baseOf(target)],
      });
      const database = await openDatabase(target, { name: 'the other application' });
      opened.push(database);
      const data = `/api/v1/db/data/noco/${body.id}`;
      return {
        project: body.id,
        tables: await tablesOf(body.id),
        list: async (path) => (await owner.get<{ list: readonly Row[] }>(`${data}/${path}`)).body.list,
        async rows(sql) {
          const named = kind === 'postgres' ? sql.replaceAll(/[A-Z]\w*/g, inSnakes) : sql;
          return (await database.read((unit) => unit.rows({ sql: named, bindings: [] }))).rows;
        },
      };
    }

    async function tablesOf(project: string): Promise<ReadonlyMap<string, TableEntity>> {
      const path = `${meta}/projects/${project}/tables?includeM2M=true`;
      const { list } = (await owner.get<{ list: readonly TableEntity[] }>(path)).body;
      const whole = await Promise.all(list.map(({ id }) => owner.get<TableEntity>(`${meta}/tables/${id}`)));
      return new Map(whole.map(({ body: table }) => [table.title, table] as const));
    }

    /** What the product knows of a database, without ids and what databases call things. */
    function shapeOf({ tables }: Shop) {
      const titleOf = new Map([...tables.values()].map(({ id, title }) => [id, title] as const));
      const link = ({ colOptions }: ColumnEntity) => {
        const { type, fk_related_model_id: related } = (colOptions ?? {}) as Readonly<Record<string, string>>;
        return type === undefined ? '' : `${type} ${titleOf.get(related ?? '') ?? ''}`;
      };
      return [...tables.values()].map(({ title, type, mm, columns = [] }) => ({
        title,
        type,
        mm,
        columns: columns.map((column) => [
          column.title,
          column.uidt,
          Boolean(column.pk),
          // A key of SQLite counts by itself.
          column.pk ? '' : column.rqd,
          link(column),
        ]),
      }));
    }

    const shop = (kind: Kind) => shops.get(kind) as Shop;
    const others = kinds.filter((kind) => kind !== 'sqlite');

    test('has the same tables, columns and links everywhere, and a way across the junction table', () => {
      const shape = shapeOf(shop('sqlite'));
      expect(shape.map(({ title }) => title)).toEqual(titles);
      expect(shape.filter(({ mm }) => mm).map(({ title }) => title)).toEqual(['PlaylistTrack']);
      const linksOf = (title: Title) =>
        shape.find((table) => table.title === title)?.columns.flatMap(([, , , , link]) => link || []);
      expect(linksOf('Playlist')).toEqual(expect.arrayContaining(['mm Track']));
      expect(linksOf('Track')).toEqual(
        expect.arrayContaining(['bt Album', 'bt MediaType', 'bt Genre', 'hm InvoiceLine', 'mm Playlist']),
      );
      expect(linksOf('Employee')).toEqual(
        expect.arrayContaining(['bt Employee', 'hm Employee', 'hm Customer']),
      );
      for (const kind of others) expect([kind, shapeOf(shop(kind))]).toEqual([kind, shape]);
    });

    test.each(kinds)('has all rows (%s)', async (kind) => {
      const { project, tables } = shop(kind);
      const counted: Record<string, unknown> = {};
      for (const [title, { id }] of tables)
        counted[title] = (
          await owner.get<{ count: number }>(`/api/v1/db/data/noco/${project}/${id}/count`)
        ).body.count;
      expect(counted).toEqual(rowCounts);
    });

    test.each([
      'Album?sort=AlbumId&limit=25&offset=100',
      'Track?sort=-Milliseconds&limit=20',
      'Track?where=(Name,like,%love%)&sort=TrackId&limit=200',
      'Track?where=(Composer,is,null)~and(Bytes,gt,9000000)&sort=-Bytes,TrackId&limit=50',
      'Track?where=(UnitPrice,eq,1.99)&sort=TrackId&limit=50',
      'Invoice?where=(BillingState,is,null)&sort=-Total,InvoiceId&limit=50',
      'Invoice?where=(InvoiceDate,gt,2023-06-01)&sort=InvoiceDate,InvoiceId&limit=50',
      'Employee?sort=EmployeeId',
      'Customer?sort=Country,LastName&limit=59',
      'InvoiceLine?sort=-InvoiceLineId&limit=30',
      'PlaylistTrack?sort=PlaylistId,TrackId&limit=40&offset=3290',
      'Playlist?sort=PlaylistId',
      'Customer/5/hm/Invoice List?limit=10',
      'Playlist/17/mm/Track List?limit=10&offset=10',
      'Track/597/mm/Playlist List',
      'Track/groupby?column_name=GenreId&sort=GenreId',
    ])('answers alike everywhere: %s', async (path) => {
      const expected = alike(await shop('sqlite').list(path));
      expect(expected.length).toBeGreaterThan(0);
      for (const kind of others) expect([kind, alike(await shop(kind).list(path))]).toEqual([kind, expected]);
    });

    test.each(kinds)(
      'shows a page of albums with their artists and tracks as plain SQL does (%s)',
      async (kind) => {
        const { list, rows } = shop(kind);
        const albums = await list('Album?sort=AlbumId&limit=10&offset=20');
        const plain = await rows(
          `select Album.AlbumId, Album.Title, Artist.Name, count(Track.TrackId) from Album
          join Artist on Artist.ArtistId = Album.ArtistId left join Track on Track.AlbumId = Album.AlbumId
          where Album.AlbumId between 21 and 30
          group by Album.AlbumId, Album.Title, Artist.Name order by Album.AlbumId`,
        );
        expect(
          albums.map(({ AlbumId, Title: title, Artist: artist, 'Track List': tracks }) => [
            AlbumId,
            title,
            (artist as Row).Name,
            (tracks as readonly Row[]).length,
          ]),
        ).toEqual(
          plain.map(([id, title, name, tracks]) => [Number(id), title, name, Math.min(Number(tracks), 25)]),
        );
      },
    );

    test.each(kinds)('adds up what each customer paid as plain SQL does (%s)', async (kind) => {
      const { list, rows, tables } = shop(kind);
      const idOf = (table: Title, column: string) =>
        tables.get(table)?.columns?.find(({ title }) => title === column)?.id;
      const made = await owner.post(`${meta}/tables/${tables.get('Customer')?.id ?? ''}/columns`, {
        title: 'Paid',
        uidt: 'Rollup',
        fk_relation_column_id: idOf('Customer', 'Invoice List'),
        fk_rollup_column_id: idOf('Invoice', 'Total'),
        rollup_function: 'sum',
      });
      expect(made).toMatchObject({ status: 200 });
      const cents = (value: unknown) => Math.round(Number(value) * 100);
      const paid = (await list('Customer?sort=CustomerId&limit=100')).map(({ CustomerId, Paid }) => [
        CustomerId,
        cents(Paid),
      ]);
      const plain = await rows(
        'select CustomerId, sum(Total) from Invoice group by CustomerId order by CustomerId',
      );
      expect(paid).toEqual(plain.map(([id, sum]) => [Number(id), cents(sum)]));
      expect(paid.reduce((sum, [, of = 0]) => sum + Number(of), 0)).toBe(232_860);
      const best = await list('Customer?sort=-Paid,CustomerId&limit=3&fields=LastName,Paid');
      expect(best.map(({ LastName, Paid }) => [LastName, cents(Paid)])).toEqual([
        ['Holý', 4962],
        ['Cunningham', 4762],
        ['Rojas', 4662],
      ]);
    });

    test.each(kinds)('links and unlinks tracks, and refuses what the database refuses (%s)', async (kind) => {
      const { project, rows, list } = shop(kind);
      const data = `/api/v1/db/data/noco/${project}`;
      const made = await owner.post(`${data}/Playlist`, { PlaylistId: 19, Name: 'Mine' });
      expect(made).toMatchObject({ status: 200, body: { PlaylistId: 19, Name: 'Mine' } });
      for (const track of [3503, 1, 2])
        expect(await owner.post(`${data}/Playlist/19/mm/Track List/${track}`)).toMatchObject({ status: 200 });
      await owner.delete(`${data}/Playlist/19/mm/Track List/2`);
      const linked = await rows('select TrackId from PlaylistTrack where PlaylistId = 19 order by TrackId');
      expect(linked.map(([id]) => Number(id))).toEqual([1, 3503]);
      expect((await list('Playlist/19/mm/Track List')).map(({ TrackId }) => TrackId)).toEqual([1, 3503]);
      // Its tracks keep it, and an artist who is not there has no albums.
      const kept = await owner.delete(`${data}/Playlist/19`);
      expect(kept.body).toEqual({ message: [expect.any(String)] });
      const refused = await owner.post(`${data}/Album`, { AlbumId: 900, Title: 'None', ArtistId: 9999 });
      expect([refused.status >= 400, refused.status < 500]).toEqual([true, true]);
      for (const track of [3503, 1]) await owner.delete(`${data}/Playlist/19/mm/Track List/${track}`);
      expect(await owner.delete(`${data}/Playlist/19`)).toMatchObject({ status: 200, body: 1 });
      const [[left] = []] = await rows('select count(*) from PlaylistTrack');
      expect(Number(left)).toBe(rowCounts.PlaylistTrack);
    });
  });

/**
 * Rows without what the v1 API has differ by the kind of database: moments are written as each of them does, and groups are called by
 * the name of the column. PostgreSQL reads the national texts of its script without blanks at the end.
 */
function alike(rows: readonly Row[]): readonly Row[] {
  return JSON.parse(JSON.stringify(rows), (_, value: unknown) => {
    if (typeof value === 'string')
      return value.trimEnd().replace(/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.0+)?Z?$/, '$1 $2');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, cell]) => [inTitle(name), cell]));
  }) as readonly Row[];
}

/** `genre_id` as `GenreId`. */
function inTitle(name: string): string {
  const words = name.split('_');
  return words.length === 1
    ? name
    : words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** `InvoiceLineId` as `invoice_line_id`. */
function inSnakes(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
