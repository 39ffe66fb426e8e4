import type { DialectName } from '../../dialects/dialect.ts';
import { openDatabase } from '../connections/open-database.ts';
import type { Database, DatabaseTarget, ServerTarget } from '../database.ts';
import { EmptyDatabases } from './empty-databases.ts';
import { preparedDatabases, type Prepare, type Supply } from './prepared-databases.ts';

export interface TestDatabases {
  open(): Promise<Database>;
  /** Closes a database that was opened here; MySQL's may be opened again for another test. */
  release(database: Database): Promise<void>;
  /** Where a fresh database is, for tests that open it themselves. */
  target(): Promise<DatabaseTarget>;
  /** The address of a fresh database on a server, as `TRELLIS_DB` takes it. */
  url(): Promise<string>;
  dropAll(): Promise<void>;
}

/**
 * Databases with random names on one kind of server, dropped together.
 *
 * @param prepare what is done in every database before it is handed out; done once, and copied
 */
export function createTestDatabases(kind: DialectName, prepare?: Prepare): TestDatabases {
  const empty = new EmptyDatabases(kind);
  const supply: Supply =
    prepare === undefined
      ? { take: () => empty.create(), giveBack() {} }
      : preparedDatabases(kind, empty, prepare);
  const opened = new Map<Database, DatabaseTarget>();

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
      const { user, password, host, port, database } = (await supply.take()) as ServerTarget;
      const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
      return `${kind}://${user}${secret}@${host}:${port}/${database}`;
    },
    async open() {
      const target = await supply.take();
      const database = await openDatabase(target, { name: `test ${kind}` });
      opened.set(database, target);
      return database;
    },
    async dropAll() {
      await Promise.all([...opened.keys()].map(release));
      await empty.dropAll();
    },
  };
}
