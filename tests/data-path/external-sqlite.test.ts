import { execFile } from 'node:child_process';
import { link, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AccessScope, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import SqliteFile from 'better-sqlite3';
import { forgetLost } from '../../host-server/changes/retention/forget.ts';
import { openDatabase, type Database } from '../../host-server/databases/index.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { singleSelect } from '../../plugins/columns-select/shared/index.ts';
import { createDataPath } from './data-path.ts';

/** Another application reads a file and closes it. */
async function useElsewhere(file: string): Promise<void> {
  const script = `
    const SqliteFile = require('better-sqlite3');
    const database = new SqliteFile(process.argv[1]);
    database.prepare('select count(*) from sqlite_master').get();
    database.close();`;
  await promisify(execFile)(process.execPath, ['-e', script, file]);
}

/** A database as somebody else might have made it, with everything that is awkward about it. */
const schema = [
  'create table film (film_id integer primary key, title text not null, length int default 90, poster blob)',
  'create table actor (actor_id integer primary key, first_name text, full_name text generated always as (upper(first_name)) virtual not null)',
  'create table film_actor (film_id integer references film (film_id) on delete cascade, actor_id integer references actor (actor_id), role text, primary key (film_id, actor_id)) without rowid',
  'create table review (id integer primary key autoincrement, film_id integer not null references film, stars numeric(3, 1), "at" datetime)',
  'create table log (message text)',
  'create table "filmActor" (code varchar(10) primary key, note text unique)',
  `create table "we""ird; drop table film -- ?" ("a.b" integer primary key, "?" text, "x as y" text, "select" text, "__proto__" text, "tr""ick" text)`,
  'create table nameless ("" text, id integer primary key, note text)',
  'create view long_films as select film_id, title from film where length > 100',
  "insert into film (title, length) values ('Alien', 117), ('Them', 94)",
  "insert into actor (first_name) values ('Ripley')",
  "insert into film_actor values (1, 1, 'lead')",
  "insert into log values ('one')",
];

describeEachMetadata('an existing SQLite database', (open) => {
  let folder: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
  });

  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await rm(folder, { recursive: true, force: true });
  });

  async function openFile(name = 'shop.db'): Promise<Database> {
    const file = await openDatabase({ kind: 'sqlite', file: join(folder, name), create: true }, { name });
    closing.push(() => file.close());
    return file;
  }

  async function run(database: Database, sql: string): Promise<void> {
    await database.write((unit) => unit.run({ sql, bindings: [] }));
  }

  function definitions(file: Database) {
    const sql = 'select type, name, sql from sqlite_master order by name';
    return file.read(async (unit) => (await unit.rows({ sql, bindings: [] })).rows);
  }

  async function startPath(metadata: Database) {
    const path = await createDataPath(metadata, { sqliteFolder: folder });
    closing.push(() => path.dispose());
    return path;
  }

  async function connect(statements: readonly string[] = schema) {
    const file = await openFile();
    for (const sql of statements) await run(file, sql);
    const metadata = await open();
    const path = await startPath(metadata);
    const external = { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } } as const;
    const project = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
      title: 'Shop',
      external,
    });
    const scope = path.access.systemScope(project.id, 'test');
    const table = async (title: string): Promise<TableSchema> => path.schema.table(scope, title);
    return { ...path, metadata, file, scope, table };
  }

  test('becomes tables and views with titles, keys and types, and stays as it was', async () => {
    const file = await openFile();
    for (const sql of schema) await run(file, sql);
    const before = await definitions(file);
    const metadata = await open();
    const path = await startPath(metadata);
    const external = { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } } as const;
    const system = path.access.systemScope(undefined, 'test');
    const { id } = await path.schema.createProject(system, { title: 'Shop', external });
    const { tables } = await path.schema.snapshot(path.access.systemScope(id, 'test'));
    expect([...tables.values()].map(({ title, tableName, kind }) => [title, tableName, kind])).toEqual([
      ['Actor', 'actor', 'table'],
      ['Film', 'film', 'table'],
      ['FilmActor', 'film_actor', 'table'],
      ['FilmActor1', 'filmActor', 'table'],
      ['Log', 'log', 'table'],
      ['Nameless', 'nameless', 'table'],
      ['Review', 'review', 'table'],
      ['we"ird; drop table film -- ?', 'we"ird; drop table film -- ?', 'table'],
      ['LongFilms', 'long_films', 'view'],
    ]);
    expect(await definitions(file)).toEqual(before);

    const columns = (title: string) =>
      [...tables.values()]
        .find((table) => table.title === title)
        ?.columns.map((column) =>
          [
            column.title,
            column.type,
            column.primaryKey && 'key',
            column.required && 'required',
            column.generated && 'generated',
            column.display && 'display',
            column.system && 'system',
          ]
            .filter(Boolean)
            .join(' '),
        );
    expect(columns('Film')).toEqual([
      'FilmId Number key system',
      'Title LongText required display',
      'Length Number',
      expect.stringMatching(/^Poster \w+ generated$/),
      'FilmActor List LinkToAnotherRecord',
      'Review List LinkToAnotherRecord',
    ]);
    expect(columns('Actor')).toEqual([
      'ActorId Number key system',
      'FirstName LongText',
      'FullName LongText generated display',
      'FilmActor List LinkToAnotherRecord',
    ]);
    expect(columns('FilmActor')?.map((column) => column.split(' ').slice(0, 3).join(' '))).toEqual([
      'FilmId Number key',
      'ActorId Number key',
      'Role LongText display',
      'Film LinkToAnotherRecord',
      'Actor LinkToAnotherRecord',
    ]);
    expect(columns('Review')?.[1]).toBe('FilmId ForeignKey required system');
    // A number names no row, so the key does.
    expect(columns('Review')?.[0]).toMatch(/^Id .*display/);
    expect(columns('Review')?.[2]).toBe('Stars Decimal');
    expect(columns('LongFilms')).toEqual([expect.stringMatching(/^FilmId/), expect.stringMatching(/^Title/)]);
    const film = [...tables.values()].find((table) => table.title === 'Film');
    expect(film?.defaultView?.columns.every(({ show }) => show)).toBe(true);
  });

  test('shows its keys in new views as in the first one', async () => {
    const { scope, table, views } = await connect();
    const film = await table('Film');
    const made = await views.create(scope, film.id, { title: 'Mine', type: 'grid' });
    expect(made.columns.every(({ show }) => show)).toBe(true);
  });

  test('has rows that are read and written by their key, of one column or of several', async () => {
    const { rowStore, handleOf, scope, table, file } = await connect();
    const film = await table('Film');
    const made = await rowStore.create(await handleOf(scope, film.id), { Title: 'Solaris' });
    expect(made.result).toMatchObject({ FilmId: 3, Title: 'Solaris', Length: 90 });
    const cast = await table('FilmActor');
    await rowStore.create(await handleOf(scope, cast.id), { FilmId: 3, ActorId: 1, Role: 'guest' });
    await rowStore.update(await handleOf(scope, cast.id), '3___1', { Role: 'lead' });
    expect(await rowStore.read(await handleOf(scope, cast.id), '3___1')).toMatchObject({ Role: 'lead' });
    expect((await rowStore.delete(await handleOf(scope, cast.id), '1___1')).result).toBe(1);
    expect(await rowStore.list(await handleOf(scope, cast.id), {}, { limit: 9, offset: 0 })).toHaveLength(1);
    const actor = await table('Actor');
    await rowStore.create(await handleOf(scope, actor.id), { FirstName: 'Ash', FullName: 'ignored' });
    expect(
      await rowStore.list(await handleOf(scope, actor.id), { sort: ['-ActorId'] }, { limit: 1, offset: 0 }),
    ).toMatchObject([{ FirstName: 'Ash', FullName: 'ASH' }]);
    await expect(rowStore.delete(await handleOf(scope, actor.id), '1')).rejects.toMatchObject({
      code: 'ROW_IN_USE',
      message: "Rows of 'FilmActor' still point to this row of 'Actor', so it cannot be deleted.",
    });
    const review = { FilmId: 99, Stars: '3' };
    await expect(
      rowStore.create(await handleOf(scope, (await table('Review')).id), review),
    ).rejects.toMatchObject({
      code: 'LINKED_ROW_MISSING',
      message: "'FilmId' names a row that does not exist in 'Film'.",
    });
    await rowStore.delete(await handleOf(scope, film.id), '3');
    expect(await rowStore.list(await handleOf(scope, cast.id), {}, { limit: 9, offset: 0 })).toEqual([]);
    const checks = await file.read((unit) => unit.rows({ sql: 'pragma foreign_key_check', bindings: [] }));
    expect(checks.rows).toEqual([]);
  });

  test('has rows of long keys that are told apart when something is taken back', async () => {
    const { rowStore, handleOf, scope, table } = await connect([
      'create table page (address text primary key, words int)',
    ]);
    const page = await table('Page');
    const start = '\u{1F3B5}'.repeat(200);
    const [one, other] = [`${start}one`, `${start}other`];
    await rowStore.createMany(
      await handleOf(scope, page.id),
      [one, other].map((Address) => ({ Address, Words: 1 })),
    );
    const changed = await rowStore.update(await handleOf(scope, page.id), other, { Words: 2 });
    await rowStore.update(await handleOf(scope, page.id), one, { Words: 3 });
    await rowStore.undo(scope, changed.operationId ?? '');
    const words = async (key: string) =>
      (await rowStore.read(await handleOf(scope, page.id), key))?.['Words'];
    expect([await words(one), await words(other)]).toEqual([3, 1]);
    const gone = await rowStore.delete(await handleOf(scope, page.id), one);
    await rowStore.undo(scope, gone.operationId ?? '');
    expect(await words(one)).toBe(3);
  });

  test('has rows that are back or deleted for good, not both, where both are asked for at once', async () => {
    const { rowStore, handleOf, scope, table } = await connect([
      'create table page (address text primary key, words int)',
    ]);
    const page = await handleOf(scope, (await table('Page')).id);
    for (let round = 1; round <= 6; round += 1) {
      const key = `page ${round}`;
      await rowStore.create(page, { Address: key, Words: round });
      const { operationId = '' } = await rowStore.delete(page, key);
      const calls = [() => rowStore.purge(scope, operationId), () => rowStore.undo(scope, operationId)];
      const [first, second] = round % 2 === 0 ? calls : calls.toReversed();
      const done = await Promise.allSettled([first?.(), second?.()]);
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const isBack = (await rowStore.read(page, key)) !== undefined;
      const [entry] = await rowStore.history(page, key, { limit: 1 });
      expect(entry?.change.isPurged ?? false).toBe(!isBack);
    }
  });

  test('says why rows without a key and rows of views are only read', async () => {
    const { rowStore, handleOf, scope, table } = await connect();
    for (const [title, reason] of [
      ['Log', /no primary key/],
      ['LongFilms', /view of the database/],
    ] as const) {
      const of = await table(title);
      expect(of.readOnlyReason).toMatch(reason);
      expect(await rowStore.list(await handleOf(scope, of.id), {}, { limit: 10, offset: 0 })).toHaveLength(1);
      await expect(rowStore.create(await handleOf(scope, of.id), { Title: 'x' })).rejects.toThrow(reason);
    }
  });

  test('may name its tables and columns as it likes', async () => {
    const { rowStore, handleOf, schema: store, scope, table, file } = await connect();
    const odd = await table('we"ird; drop table film -- ?');
    const titles = odd.columns.slice(1).map((column) => column.title);
    expect(titles).toEqual(['?', 'x as y', 'Select', 'Proto', 'Tr"ick']);
    const values = Object.fromEntries(titles.map((title) => [title, `value of ${title}`]));
    await rowStore.create(await handleOf(scope, odd.id), { [odd.columns[0]?.title ?? '']: 7, ...values });
    const row = await rowStore.read(await handleOf(scope, odd.id), '7');
    for (const title of titles) expect([title, row?.[title]]).toEqual([title, `value of ${title}`]);
    const [first] = titles;
    const found = await rowStore.list(
      await handleOf(scope, odd.id),
      { sort: titles.map((title) => `-${title}`), filters: [] },
      { limit: 5, offset: 0 },
    );
    expect(found).toHaveLength(1);
    const column = odd.columnByTitle.get(first ?? '')?.id ?? '';
    await store.updateColumn(scope, column, { required: true, defaultValue: "it's" });
    await rowStore.create(await handleOf(scope, odd.id), { [odd.columns[0]?.title ?? '']: 8 });
    expect((await rowStore.read(await handleOf(scope, odd.id), '8'))?.[first ?? '']).toBe("it's");
    expect(await file.schema((changer) => changer.hasTable('film'))).toBe(true);

    // A column without a name cannot be shown; its table can.
    const nameless = await table('Nameless');
    expect(nameless.columns.map((of) => of.title)).toEqual(['Id', 'Note']);
    expect((await rowStore.create(await handleOf(scope, nameless.id), { Note: 'x' })).result).toMatchObject({
      Note: 'x',
    });
  });

  test('gains tables and columns, and keeps what is only deleted here', async () => {
    const { schema: store, rowStore, handleOf, scope, table, file } = await connect();
    const film = await table('Film');
    const after = await store.createColumn(scope, film.id, {
      title: 'Year',
      type: 'Number',
      defaultValue: '1979',
    });
    expect(after.columnByTitle.get('Year')?.columnName).toBe('year');
    expect((await rowStore.read(await handleOf(scope, film.id), '1'))?.Year).toBe(1979);
    const made = await store.createTable(scope, {
      title: 'Cinema',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
      ],
    });
    expect(made.tableName).toBe('cinema');
    await store.deleteColumn(scope, after.columnByTitle.get('Title')?.id ?? '');
    await rowStore.create(await handleOf(scope, film.id), { Length: 1 });
    await store.deleteTable(scope, (await table('Log')).id);
    const count = async (sql: string) =>
      Number((await file.read((unit) => unit.rows({ sql, bindings: [] }))).rows[0]?.[0]);
    expect(await count('select count(title) from film')).toBe(2);
    expect(await count('select count(*) from film')).toBe(3);
    expect(await count('select count(*) from log')).toBe(1);
  });

  test('keeps a table or column that was made behind our back', async () => {
    const { schema: store, scope, table, file } = await connect();
    await run(file, 'create table cinema (secret text)');
    await run(file, "insert into cinema values ('kept')");
    await run(file, 'alter table film add column year text');
    const made = await store.createTable(scope, {
      title: 'Cinema',
      columns: [{ title: 'Name', type: 'SingleLineText' }],
    });
    expect(made.tableName).toBe('cinema_2');
    const film = await store.createColumn(scope, (await table('Film')).id, { title: 'Year', type: 'Number' });
    expect(film.columnByTitle.get('Year')?.columnName).toBe('year_2');
    const { rows } = await file.read((unit) => unit.rows({ sql: 'select secret from cinema', bindings: [] }));
    expect(rows).toEqual([['kept']]);
  });

  test('changes what the database demands of a column, whatever default it has', async () => {
    const {
      schema: store,
      rowStore,
      handleOf,
      scope,
      table,
    } = await connect([
      "create table t (id integer primary key, a text default (lower('X')), b int)",
      'insert into t (b) values (1), (2)',
    ]);
    const of = await table('T');
    const a = of.columnByTitle.get('A')?.id ?? '';
    await store.updateColumn(scope, a, { unique: false, required: true });
    await rowStore.create(await handleOf(scope, of.id), { B: 3 });
    expect((await rowStore.read(await handleOf(scope, of.id), '3'))?.A).toBe('x');
    const b = of.columnByTitle.get('B')?.id ?? '';
    const text = await store.updateColumn(scope, b, { type: 'SingleLineText', meta: { acceptLoss: true } });
    expect(text.columnByTitle.get('B')?.storage).toBe('string');
    expect(await rowStore.list(await handleOf(scope, of.id), {}, { limit: 9, offset: 0 })).toMatchObject([
      { B: '1' },
      { B: '2' },
      { B: '3' },
    ]);
  });

  describe('a column that gets another type', () => {
    const shop = [
      'create table invoice (id integer primary key, "InvoiceDate" datetime not null collate nocase, total int not null default 7, state text check (state <> \'\'))',
      'create index invoice_date on invoice ("InvoiceDate")',
      'create unique index invoice_once on invoice (total) where id > 100',
      'create view recent as select "InvoiceDate" from invoice',
      'create trigger invoice_total after insert on invoice begin update invoice set total = 8 where id = new.id; end',
      "insert into invoice (id, \"InvoiceDate\", state) values (1, '2009-01-01 00:00:00', 'paid'), (2, '2009-01-02 00:00:00', '12')",
    ];
    const agreed = { meta: { acceptLoss: true } };
    /** What the other application does all day, as it was written years ago. */
    const ordinary =
      "insert into invoice (id, \"InvoiceDate\", state) values ((select max(id) + 1 from invoice), '2010-05-06', 'open')";
    const rowsOf = (file: Database, sql: string) =>
      file.read(async (unit) => (await unit.rows({ sql, bindings: [] })).rows);

    async function connectShop() {
      const shopData = await connect(shop);
      const invoice = await shopData.table('Invoice');
      const id = (name: string) => invoice.columnByName.get(name)?.id ?? '';
      return { ...shopData, id };
    }

    test('keeps its name, its rules and what hangs on it, for the application whose database it is', async () => {
      const { schema: store, scope, file, id, table, rowStore, handleOf } = await connectShop();
      await expect(store.updateColumn(scope, id('InvoiceDate'), { type: 'Date' })).rejects.toMatchObject({
        status: 409,
        code: 'RETYPE_OPENED',
        params: { kept: 'InvoiceDate_old' },
      });
      const attached = "select name, sql from sqlite_master where name <> 'invoice' order by name";
      const before = await rowsOf(file, attached);
      await store.updateColumn(scope, id('InvoiceDate'), { type: 'Date', ...agreed });
      await store.updateColumn(scope, id('total'), { type: 'SingleLineText', ...agreed });

      await run(file, ordinary);
      await expect(run(file, 'insert into invoice (id) values (9)')).rejects.toMatchObject({
        kind: 'notNull',
      });
      expect(await rowsOf(file, attached)).toEqual(before);
      expect(await rowsOf(file, 'select * from recent')).toEqual([
        ['2009-01-01'],
        ['2009-01-02'],
        ['2010-05-06'],
      ]);
      expect(await rowsOf(file, 'select "InvoiceDate_old", total from invoice order by id')).toEqual([
        ['2009-01-01 00:00:00', '8'],
        ['2009-01-02 00:00:00', '8'],
        [null, '8'],
      ]);
      const columns = await rowsOf(
        file,
        'select name, type, "notnull", dflt_value from pragma_table_xinfo(\'invoice\')',
      );
      expect(columns).toEqual([
        ['id', 'INTEGER', 0, null],
        ['InvoiceDate', 'date', 1, null],
        ['total', 'varchar', 1, "'7'"],
        ['state', 'TEXT', 0, null],
        ['InvoiceDate_old', 'datetime', 0, null],
        ['total_old', 'INT', 0, null],
      ]);
      const shown = await rowStore.list(
        await handleOf(scope, (await table('Invoice')).id),
        {},
        { limit: 5, offset: 0 },
      );
      expect(shown.map((row) => row.InvoiceDate)).toEqual(['2009-01-01', '2009-01-02', '2010-05-06']);
    });

    test('takes its default value and the filters of its views along to a renamed option', async () => {
      const {
        schema: store,
        columnTypes,
        views,
        scope,
        file,
        table,
      } = await connect([
        "create table task (id integer primary key, state text not null default 'it''s open')",
        'insert into task (id) values (1)',
      ]);
      columnTypes.register(singleSelect as ServerColumnType, 'columns-select');
      const [id, view] = [
        (await table('Task')).columnByTitle.get('State')?.id ?? '',
        (await table('Task')).views[0]?.id ?? '',
      ];
      const option = { id: 'open', title: "it's open", color: '#ffffff' };
      const type = 'SingleSelect';
      await store.updateColumn(scope, id, { type, meta: { options: [option], acceptLoss: true } });
      await views.createFilter(scope, view, { columnId: id, operator: 'neq', value: "it's open" });
      const options = [{ ...option, title: "it's ready" }];
      await store.updateColumn(scope, id, { type, meta: { options, acceptLoss: true } });
      await run(file, 'insert into task (id) values (2)');
      expect(await rowsOf(file, 'select state from task order by id')).toEqual([
        ["it's ready"],
        ["it's ready"],
      ]);
      expect((await table('Task')).views[0]?.filters).toMatchObject([{ value: "it's ready" }]);
    });

    test('is refused in words when its rules do not hold for the new values, and nothing is changed', async () => {
      const { schema: store, scope, file, id } = await connectShop();
      await run(file, "update invoice set state = 'paid'");
      const before = await definitions(file);
      await expect(store.updateColumn(scope, id('state'), { type: 'Number' })).rejects.toMatchObject({
        code: 'RETYPE_OPENED_LOSES_VALUES',
        params: { lost: 2, total: 2, kept: 'state_old' },
      });
      await expect(
        store.updateColumn(scope, id('InvoiceDate'), { type: 'Number', ...agreed }),
      ).rejects.toMatchObject({ status: 400, code: 'RETYPE_EMPTIES_REQUIRED' });
      await expect(store.updateColumn(scope, id('total'), { type: 'Date', ...agreed })).rejects.toMatchObject(
        { status: 400, code: 'COLUMN_DEFAULT' },
      );
      expect(await definitions(file)).toEqual(before);
    });

    test('does not set off the triggers of the other application, which stay', async () => {
      const { schema: store, file, scope, id } = await connectShop();
      await run(file, 'create table touched (id integer)');
      await run(
        file,
        'create trigger invoice_touched after update on invoice begin insert into touched values (old.id); end',
      );
      await store.updateColumn(scope, id('InvoiceDate'), { type: 'Date', ...agreed });
      expect(await rowsOf(file, 'select count(*) from touched')).toEqual([[0]]);
      await run(file, "update invoice set state = 'sent' where id = 1");
      expect(await rowsOf(file, 'select id from touched')).toEqual([[1]]);
    });

    test('has its former default, demand for a value and index when the change fails', async () => {
      const { schema: store, metadata, scope, file, id } = await connectShop();
      await run(file, 'update invoice set total = id');
      await store.updateColumn(scope, id('total'), { unique: true });
      const reach = (point: string) =>
        point === 'replaceColumn.replaced' ? Promise.reject(new Error('no more')) : Promise.resolve();
      const failing = await createDataPath(metadata, { sqliteFolder: folder, reach });
      closing.push(() => failing.dispose());
      const before = await definitions(file);
      const asText = { type: 'SingleLineText', ...agreed };
      const total = { ...asText, unique: false, defaultValue: 'none' };
      await expect(failing.schema.updateColumn(scope, id('total'), total)).rejects.toThrow('no more');
      const date = { ...asText, required: false };
      await expect(failing.schema.updateColumn(scope, id('InvoiceDate'), date)).rejects.toThrow('no more');
      const after = await definitions(file);
      const inOneWay = (sql: unknown) =>
        String(sql)
          .replaceAll(/[\s"]+/g, ' ')
          .replaceAll(' (', '(')
          // The clauses of a column may stand in any order.
          .replace(' collate nocase', '')
          .toLowerCase();
      expect(after.map(([, , sql]) => inOneWay(sql))).toEqual(before.map(([, , sql]) => inOneWay(sql)));
    });

    test('is as it was when the change fails after the database was changed', async () => {
      const { metadata, scope, file, id } = await connectShop();
      const reach = (point: string) =>
        point === 'replaceColumn.replaced' ? Promise.reject(new Error('no more')) : Promise.resolve();
      const failing = await createDataPath(metadata, { sqliteFolder: folder, reach });
      closing.push(() => failing.dispose());
      const before = await definitions(file);
      const change = failing.schema.updateColumn(scope, id('InvoiceDate'), { type: 'Date', ...agreed });
      await expect(change).rejects.toThrow('no more');
      const after = await definitions(file);
      expect(after.map(([, , sql]) => String(sql).replace('"invoice"', 'invoice'))).toEqual(
        before.map(([, , sql]) => sql),
      );
      expect(await rowsOf(file, 'select "InvoiceDate" from invoice where id = 1')).toEqual([
        ['2009-01-01 00:00:00'],
      ]);
    });
  });

  test('is open as one project at a time, by whatever name it is called', async () => {
    const { metadata, schema: store, access, scope } = await connect();
    await link(join(folder, 'shop.db'), join(folder, 'same.db'));
    const system = access.systemScope(undefined, 'test');
    const again = (as: AccessScope, filename: string) =>
      store.createProject(as, {
        title: 'Shop two',
        external: { type: 'sqlite3', config: { connection: { filename } } },
      });
    for (const name of ['shop.db', './shop.db', 'same.db'])
      await expect(again(system, name)).rejects.toMatchObject({ status: 409, code: 'FILE_OPEN' });
    // Another application that is done finds the file in use and leaves its log: had we looked into the file past SQLite, all our
    // locks on it would be gone, and so would the log be, with what stands in it.
    await useElsewhere(join(folder, 'shop.db'));
    expect(await readdir(folder)).toContain('shop.db-wal');

    const member = { account_id: 'us_ann', project_id: scope.projectId, role: 'viewer', created_at: 1 };
    await metadata.write((unit) => unit.run(unit.knex('trellis_grant').insert(member)));
    const principal = { kind: 'user', id: 'us_ann', email: 'ann@x.co', accountRoles: ['super'] } as const;
    const ann = await access.scopeFor(principal, undefined, 'test');
    await expect(again(ann, 'shop.db')).rejects.toMatchObject({
      code: 'FILE_OPEN_AS',
      params: { project: 'Shop', projectId: scope.projectId },
    });

    await store.deleteProject(scope);
    expect((await again(system, 'shop.db')).title).toBe('Shop two');
  });

  test('has the journal that it had before once nobody uses it any more', async () => {
    const name = join(folder, 'shop.db');
    const made = new SqliteFile(name);
    made.exec("create table film (id integer primary key, title text); insert into film values (1, 'Alien')");
    made.close();
    const path = await startPath(await open());
    const external = { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } } as const;
    const project = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
      title: 'Shop',
      external,
    });
    const scope = path.access.systemScope(project.id, 'test');
    const film = await path.schema.table(scope, 'Film');
    await path.rowStore.create(await path.handleOf(scope, film.id), { Title: 'Solaris' });
    await closing.pop()?.();
    expect(await readdir(folder)).toEqual(['shop.db']);
    const other = new SqliteFile(name);
    expect(other.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(other.prepare('select count(*) from film').pluck().get()).toBe(2);
    other.close();
  });

  test('is taken out whole, whatever of its end is cut off', async () => {
    const file = await openFile();
    for (const sql of schema) await run(file, sql);
    const database = await open();
    const path = await startPath(database);
    const { metadata, forget, rowStore, handleOf } = path;
    const { bases } = path.schema;
    const scope = await path.newProject('Shop');
    const settings = { filename: 'shop.db' };
    const baseId = await bases.add(scope, { type: 'sqlite3', config: { connection: settings } });
    const kept = await path.schema.createTable(scope, {
      title: 'Kept',
      columns: [
        { title: 'Id', columnName: 'id', type: 'ID' },
        { title: 'Name', columnName: 'name', type: 'SingleLineText' },
      ],
    });
    await rowStore.create(await handleOf(scope, kept.id), { Name: 'Seen' });
    await rowStore.create(await handleOf(scope, 'Film'), { Title: 'Hidden' });
    // A change of its tables that could not be taken back: nobody can do so any more.
    await database.write((unit) =>
      unit.run(
        unit.knex('trellis_task').insert({
          id: 'task_stuck',
          project_id: scope.projectId ?? '',
          kind: 'schema.createColumn',
          title: 'A change',
          state: 'reverting',
          payload: JSON.stringify({ payload: { base: { id: baseId, own: false }, tableName: 'gone' } }),
          done: 0,
          cancelling: false,
          fence: 0,
          lease_until: 0,
          attempts: 0,
          created_at: 1,
          updated_at: 1,
        }),
      ),
    );
    const forgetting = jest.spyOn(forget, 'table').mockRejectedValue(new Error('the process was killed'));
    await bases.remove(scope, baseId);
    forgetting.mockRestore();
    expect((await path.schema.snapshot(scope)).bases.has(baseId)).toBe(false);
    const state = await database.read((unit) =>
      unit.first(unit.knex('trellis_task').where({ id: 'task_stuck' }).select('state')),
    );
    expect(state).toEqual({ state: 'failed' });
    const logged = async () =>
      JSON.stringify(await database.read((unit) => unit.all(unit.knex('trellis_log_entry').select('rows'))));
    expect(await logged()).toContain('Hidden');
    await forgetLost(metadata, new AbortController().signal);
    expect(await logged()).not.toContain('Hidden');
    expect(await logged()).toContain('Seen');
  });

  test('is opened again after a restart', async () => {
    const { metadata, scope, table } = await connect();
    const { id } = await table('Film');
    const again = await startPath(metadata);
    expect(await again.rowStore.count(await again.handleOf(scope, id), {})).toBe(2);
  });

  test('is only opened inside the folder, and a failed try leaves no project', async () => {
    const metadata = await open();
    const path = await startPath(metadata);
    const outside = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    closing.push(() => rm(outside, { recursive: true, force: true }));
    const other = await openDatabase(
      { kind: 'sqlite', file: join(outside, 'x.db'), create: true },
      { name: 'x' },
    );
    closing.push(() => other.close());
    await run(other, 'create table t (id integer primary key)');
    await symlink(join(outside, 'x.db'), join(folder, 'link.db'));
    await writeFile(join(folder, 'text.db'), 'this is no database, only text that is long enough'.repeat(50));
    await openFile('empty.db');
    const system: AccessScope = path.access.systemScope(undefined, 'test');
    const create = (filename: unknown) =>
      path.schema.createProject(system, {
        title: 'Shop',
        external: { type: 'sqlite3', config: { connection: { filename } } },
      });
    for (const file of [join(outside, 'x.db'), 'link.db', '../x.db', 'missing.db', 'file:x.db', '', 7, '.']) {
      await expect(create(file)).rejects.toMatchObject({ status: 400, code: 'SQLITE_FILE_MISSING' });
    }
    await expect(create('text.db')).rejects.toMatchObject({ kind: 'notADatabase', status: 400 });
    await expect(create('empty.db')).rejects.toMatchObject({ code: 'DATABASE_EMPTY' });
    expect((await readdir(folder)).filter((name) => name.startsWith('missing'))).toEqual([]);
    const projects = await metadata.read((unit) => unit.all(unit.knex('trellis_project').select('id')));
    expect(projects).toEqual([]);
    const files = await path.schema.listSqliteFiles(system);
    expect(files.map(({ name }) => name).toSorted()).toEqual(['empty.db', 'text.db']);
  });
});
