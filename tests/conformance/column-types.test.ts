import { afterAll, beforeAll, describe } from '@jest/globals';
import {
  createTestServer,
  describeColumnType,
  type ColumnTypeGround,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { basicTypes, switchableTypes } from './filled-types.ts';

/** All types on one server: it takes longer to start than a suite takes to run. */
function describeAll(name: string, start: () => Promise<TestServer>): void {
  let server: TestServer;
  let admin: TestClient;

  beforeAll(async () => {
    server = await start();
    admin = await server.signUp();
  });
  afterAll(() => server?.dispose());

  const ground: ColumnTypeGround = {
    name,
    start: () =>
      Promise.resolve({ ...server, signUp: () => Promise.resolve(admin), dispose: async () => {} }),
  };
  for (const type of basicTypes) describeColumnType(type, ground);
  for (const [plugin, types] of Object.entries(switchableTypes))
    for (const type of types) describeColumnType(type, ground, { switchable: plugin });
}

describe('with the projects in SQLite', () => {
  describeAll('sqlite', () => createTestServer());
});

describeEachServer('with the projects on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeAll(dialect, () => createTestServer({ database: databases }));
});
