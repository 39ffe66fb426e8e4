import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import type { AccessScope, TableSchema } from '@trellis/sdk/server';
import { openDatabase, type Database } from '../../host-server/databases/index.ts';
import { createDataPath } from './data-path.ts';

/** A typical external database with all difficult features. */
export const films = [
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

/** SQLite files of another application in their own folder, opened as projects; removed after each test. */
export class SqliteFiles {
  readonly #open: () => Promise<Database>;
  readonly #closing: (() => Promise<unknown>)[] = [];
  #folder = '';

  /** @param open opens metadata */
  constructor(open: () => Promise<Database>) {
    this.#open = open;
    beforeEach(async () => {
      this.#folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    });
    afterEach(async () => {
      await this.close();
      await rm(this.#folder, { recursive: true, force: true });
    });
  }

  get folder(): string {
    return this.#folder;
  }

  /** Runs something after the test, or earlier when everything is closed. */
  closeLater(work: () => Promise<unknown>): void {
    this.#closing.push(work);
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).toReversed()) await close();
  }

  /** A file created by these statements, opened as the other application does. */
  async openFile(name: string, statements: readonly string[] = []): Promise<Database> {
    const target = { kind: 'sqlite', file: join(this.#folder, name), create: true } as const;
    const file = await openDatabase(target, { name });
    this.closeLater(() => file.close());
    for (const sql of statements) await runIn(file, sql);
    return file;
  }

  async startPath(metadata: Database, options: Parameters<typeof createDataPath>[1] = {}) {
    const path = await createDataPath(metadata, { sqliteFolder: this.#folder, ...options });
    this.closeLater(() => path.dispose());
    return path;
  }

  /** Opens an existing file as a project called Shop. */
  async connectFile(filename: string) {
    const path = await this.startPath(await this.#open());
    const external = { type: 'sqlite3', config: { connection: { filename } } } as const;
    const { id } = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
      title: 'Shop',
      external,
    });
    const scope = path.access.systemScope(id, 'test');
    return {
      ...path,
      scope,
      snapshot: await path.schema.snapshot(scope),
      table: async (title: string): Promise<TableSchema> => path.schema.table(scope, title),
      handle: (title: string, of: AccessScope = scope) => path.schema.open(of, title),
    };
  }

  /** The same for a new file. */
  async connect(statements: readonly string[] = films) {
    const file = await this.openFile('shop.db', statements);
    return { ...(await this.connectFile('shop.db')), file };
  }
}

export async function runIn(database: Database, sql: string): Promise<void> {
  await database.write((unit) => unit.run({ sql, bindings: [] }));
}

/** The definitions of everything in a file. */
export function definitionsIn(file: Database) {
  const sql = 'select type, name, sql from sqlite_master order by name';
  return file.read(async (unit) => (await unit.rows({ sql, bindings: [] })).rows);
}
