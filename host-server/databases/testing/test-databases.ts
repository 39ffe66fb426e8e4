import { openDatabase } from '../connections/open-database.ts';
import { OPEN_SECONDS, type ExistingServerKind, type TestedDialect } from './test-servers.ts';
import type { Database, DatabaseTarget, ServerTarget } from '../database.ts';
import { EmptyDatabases } from './empty-databases.ts';
import { preparedDatabases, type Prepare, type Supply } from './prepared-databases.ts';

export interface TestDatabases {
  open(): Promise<Database>;
  /** Closes a database that was opened here; a MySQL database may be opened again for another test. */
  release(database: Database): Promise<void>;
  /** A fresh database's target, for tests that open it themselves. */
  target(): Promise<DatabaseTarget>;
  /** The address of a fresh database on a server, in the form of `TRELLIS_DB`. */
  url(): Promise<string>;
  /** Call it when nobody uses the database at this address any more; a MySQL database may be given to another test. */
  giveBack(url: string): void;
  dropAll(): Promise<void>;
}

/**
 * Databases with random names on one kind of server, dropped together.
 *
 * @param prepare run once for each kind of database; every database is a copy of its result
 */
export function createTestDatabases(
  kind: TestedDialect | ExistingServerKind,
  prepare?: Prepare,
): TestDatabases {
  const empty = new EmptyDatabases(kind);
  const supply: Supply =
    prepare === undefined
      ? { take: () => empty.create(), giveBack() {}, end: async () => {} }
      : preparedDatabases(kind, empty, prepare);
  const opened = new Map<Database, DatabaseTarget>();
  const byUrl = new Map<string, DatabaseTarget>();

  async function release(database: Database): Promise<void> {
    const target = opened.get(database);
    opened.delete(database);
    await database.close();
    if (target !== undefined) supply.giveBack(target);
  }

  return {
    release,
    target: supply.take,
    async url() {
      const target = (await supply.take()) as ServerTarget;
      const { user, password, host, port, database } = target;
      const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
      const url = `${kind}://${user}${secret}@${host}:${port}/${database}?connect_timeout=${OPEN_SECONDS}`;
      byUrl.set(url, target);
      return url;
    },
    giveBack(url) {
      const target = byUrl.get(url);
      byUrl.delete(url);
      if (target !== undefined) supply.giveBack(target);
    },
    async open() {
      const target = await supply.take();
      const database = await openDatabase(target, { name: `test ${kind}` });
      opened.set(database, target);
      return database;
    },
    async dropAll() {
      await Promise.all([...opened.keys()].map(release));
      for (const target of byUrl.values()) supply.giveBack(target);
      byUrl.clear();
      await supply.end();
      await empty.dropAll();
    },
  };
}
