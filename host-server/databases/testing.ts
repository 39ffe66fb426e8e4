import { afterAll, afterEach, beforeEach, describe, test } from '@jest/globals';
import type { Database } from './database.ts';
import type { Prepare } from './testing/prepared-databases.ts';
import { createTestDatabases } from './testing/test-databases.ts';
import {
  serverAnswers,
  SERVERS,
  type ExistingServerKind,
  type ServerKind,
  type TestedDialect,
} from './testing/test-servers.ts';

export { createTestDatabases } from './testing/test-databases.ts';

/**
 * Opens a fresh database. It is dropped after the suite, and closed before the next test unless it was opened outside a test, as by
 * `beforeAll`.
 */
export type OpenTestDatabase = () => Promise<Database>;

const servers = ['postgres', 'mysql'] as const;
const reachable = new Map<TestedDialect, boolean>();
for (const kind of servers) reachable.set(kind, await serverAnswers(kind));

/**
 * Runs one suite on every database. An unreachable server is skipped, also in the report, unless `TRELLIS_TEST_REQUIRE_ALL=1`.
 *
 * @param prepare run once for each kind of database; every database is a copy of its result
 */
export function describeEachDatabase(
  name: string,
  suite: (open: OpenTestDatabase, dialect: TestedDialect) => void,
  prepare?: Prepare,
): void {
  for (const dialect of ['sqlite', ...servers] as const) {
    describeIfReachable(name, dialect, () => {
      const databases = createTestDatabases(dialect, prepare);
      const ofTest: Database[] = [];
      let isInTest = false;
      // Not in `afterEach`, because the suite's hooks first stop what runs on the databases.
      beforeEach(async () => {
        for (const database of ofTest.splice(0)) await databases.release(database);
        isInTest = true;
      });
      afterEach(() => {
        isInTest = false;
      });
      afterAll(() => databases.dropAll());
      suite(async () => {
        const database = await databases.open();
        if (isInTest) ofTest.push(database);
        return database;
      }, dialect);
    });
  }
}

/** Runs one suite on every database server; otherwise like `describeEachDatabase`. */
export function describeEachServer(name: string, suite: (dialect: ServerKind) => void): void {
  for (const dialect of servers) describeIfReachable(name, dialect, () => suite(dialect));
}

/**
 * Like `describeEachServer`, for suites about external databases: also on SQL Server if `TRELLIS_TEST_MSSQL` names one. Its absence
 * is never a failure, because SQL Server does not run everywhere.
 */
export function describeEachExistingServer(name: string, suite: (dialect: ExistingServerKind) => void): void {
  describeEachServer(name, suite);
  if (process.env['TRELLIS_TEST_MSSQL'] !== undefined) {
    describe(`${name} (mssql)`, () => {
      suite('mssql');
    });
    return;
  }
  describe(`${name} (mssql)`, () => {
    // oxlint-disable-next-line jest/no-disabled-tests, jest/expect-expect -- says in the report what did not run
    test.skip('not run: set TRELLIS_TEST_MSSQL to the address of a SQL Server', () => {});
  });
}

/** Like `describeEachExistingServer`, and also on a SQLite file. */
export function describeEachExistingDatabase(
  name: string,
  suite: (dialect: ExistingServerKind | 'sqlite') => void,
): void {
  describeIfReachable(name, 'sqlite', () => suite('sqlite'));
  describeEachExistingServer(name, suite);
}

function describeIfReachable(name: string, dialect: TestedDialect, suite: () => void): void {
  describe(`${name} (${dialect})`, () => {
    const required = process.env['TRELLIS_TEST_REQUIRE_ALL'] === '1';
    if (dialect === 'sqlite' || reachable.get(dialect) === true || required) {
      suite();
    } else {
      // oxlint-disable-next-line jest/no-disabled-tests, jest/expect-expect -- says in the report what did not run
      test.skip(`skipped: no ${dialect} server answers; set ${SERVERS[dialect][0]}`, () => {});
    }
  });
}
