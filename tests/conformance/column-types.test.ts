import { afterAll } from '@jest/globals';
import type { ColumnTypeDefinition } from '@trellis/sdk/shared';
import { createTestServer, describeColumnType, type ColumnTypeGround } from '@trellis/sdk/testing/server';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';
import { rating } from '../../plugins/column-rating/shared/index.ts';
import {
  checkbox,
  date,
  dateTime,
  decimal,
  foreignKey,
  json,
  longText,
  number,
  singleLineText,
} from '../../plugins/columns-basic/shared/index.ts';

/** Every column type that a person can fill. The key is proved by each of their tables. */
const types = [
  singleLineText,
  longText,
  number,
  decimal,
  checkbox,
  date,
  dateTime,
  json,
  foreignKey,
] as unknown as readonly ColumnTypeDefinition[];

function describeAll(ground: ColumnTypeGround): void {
  for (const type of types) describeColumnType(type, ground);
  describeColumnType(rating as unknown as ColumnTypeDefinition, ground, { switchable: 'column-rating' });
}

describeAll({ name: 'sqlite', start: () => createTestServer() });

describeEachServer('with the projects on a server', (dialect) => {
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeAll({
    name: dialect,
    start: async () => createTestServer({ database: await databases.url() }),
  });
});
