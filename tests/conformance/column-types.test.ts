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
import { currency, duration, percent } from '../../plugins/columns-number/shared/index.ts';
import { multiSelect, singleSelect } from '../../plugins/columns-select/shared/index.ts';
import { email, password, phoneNumber, url } from '../../plugins/columns-text/shared/index.ts';

/** Every column type that a person can fill, by the plugin that brings it. The key is proved by each of their tables. */
const basic = [
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
const switchable = {
  'column-rating': [rating],
  'columns-text': [email, url, phoneNumber, password],
  'columns-number': [currency, percent, duration],
  'columns-select': [singleSelect, multiSelect],
} as unknown as Readonly<Record<string, readonly ColumnTypeDefinition[]>>;

function describeAll(ground: ColumnTypeGround): void {
  for (const type of basic) describeColumnType(type, ground);
  for (const [plugin, types] of Object.entries(switchable))
    for (const type of types) describeColumnType(type, ground, { switchable: plugin });
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
