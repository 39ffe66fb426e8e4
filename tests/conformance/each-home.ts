import { afterAll, describe } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

type Options = NonNullable<Parameters<typeof createTestServer>[0]>;

/** Starts a server for a suite. */
export type StartServer = (options?: Options) => Promise<TestServer>;

/** Runs one suite with servers whose projects are in SQLite, and with servers whose projects are on each database server. */
export function describeEachHome(name: string, suite: (start: StartServer) => void): void {
  describe(`${name}, in SQLite`, () => {
    suite((options) => createTestServer(options));
  });
  describeEachServer(`${name}, on a server`, (dialect) => {
    const databases = createStartedDatabases(dialect);
    afterAll(() => databases.dropAll());
    suite((options) => createTestServer({ ...options, database: databases }));
  });
}
