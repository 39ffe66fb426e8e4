import { afterAll, describe } from '@jest/globals';
import { createTestServer, describeColumnType, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { sharedGround } from '../../sdk/testing/shared-ground.ts';
import { basicTypes, switchableTypes } from './filled-types.ts';
import { describeGivenTypes } from './given-types.ts';

function describeAll(name: string, start: () => Promise<TestServer>): void {
  const ground = sharedGround(name, start);
  describeGivenTypes(ground);
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
