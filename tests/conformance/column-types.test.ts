import { afterAll, beforeAll, describe } from '@jest/globals';
import type { ColumnTypeDefinition } from '@trellis/sdk/shared';
import {
  createTestServer,
  describeColumnType,
  type ColumnTypeGround,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { attachment } from '../../plugins/column-attachment/shared/index.ts';
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
import { time, year } from '../../plugins/columns-date/shared/index.ts';
import { currency, duration, percent } from '../../plugins/columns-number/shared/index.ts';
import { collaborator } from '../../plugins/columns-people/shared/index.ts';
import { multiSelect, singleSelect } from '../../plugins/columns-select/shared/index.ts';
import { barcode, geometry, qrCode } from '../../plugins/columns-special/shared/index.ts';
import { email, password, phoneNumber, url } from '../../plugins/columns-text/shared/index.ts';

/** Every column type that a person can fill, by the plugin that brings it. The key is proved by each of their tables, stamps by a suite of theirs. */
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
  'column-attachment': [attachment],
  'column-rating': [rating],
  'columns-text': [email, url, phoneNumber, password],
  'columns-date': [time, year],
  'columns-number': [currency, percent, duration],
  'columns-people': [collaborator],
  'columns-select': [singleSelect, multiSelect],
  'columns-special': [barcode, qrCode, geometry],
} as unknown as Readonly<Record<string, readonly ColumnTypeDefinition[]>>;

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
  for (const type of basic) describeColumnType(type, ground);
  for (const [plugin, types] of Object.entries(switchable))
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
