import { afterAll } from '@jest/globals';
import { type ColumnTypeGround, describeColumnType } from './describe-column-type.ts';
import { readManifestOf, readNeededPlugins, readServerHalf } from './plugin-folder.ts';
import { sharedGround } from './shared-ground.ts';
import { createTestServer, type TestPlugin, type TestServerDatabases } from './test-server.ts';

interface StartedDatabases extends TestServerDatabases {
  dropAll(): Promise<void>;
}

interface DatabasesModule {
  createStartedDatabases(kind: string, isOfRun: boolean): StartedDatabases;
}

/** Resolved at run time by the package's `imports`: the SDK itself does not know a host. */
const databasesModule = '#host-databases';

/** Database servers on which types are tested if the variable contains an address. */
const servers = { postgres: 'TRELLIS_TEST_POSTGRES', mysql: 'TRELLIS_TEST_MYSQL' } as const;

/**
 * Tests every column type that a plugin registers on SQLite, and on PostgreSQL and MySQL if `TRELLIS_TEST_POSTGRES` and
 * `TRELLIS_TEST_MYSQL` are addresses of servers on which databases may be created and dropped.
 *
 * The plugin is asked for its types, so a test file awaits this function at the top level.
 *
 * @param folder the plugin's folder, with `plugin.json` in it.
 * @public
 */
export async function describeColumnTypes(folder: string): Promise<void> {
  const manifest = { ...readManifestOf(folder), enabledByDefault: true };
  const needed = await readNeededPlugins(folder);
  const plugins = [...needed, { manifest, server: await readServerHalf(folder) }];
  const types = await typesOf(plugins, manifest.id);
  const grounds = types.length === 0 ? [] : await groundsOf(plugins);
  for (const type of types)
    for (const ground of grounds) describeColumnType(type, ground, { switchable: manifest.id });
}

async function groundsOf(plugins: readonly TestPlugin[]): Promise<readonly ColumnTypeGround[]> {
  const grounds = [sharedGround('sqlite', () => createTestServer({ plugins }))];
  for (const [name, variable] of Object.entries(servers)) {
    if (process.env[variable] === undefined) continue;
    const databases = await databasesOn(name, variable);
    grounds.push(sharedGround(name, () => createTestServer({ plugins, database: databases })));
    afterAll(() => databases.dropAll());
  }
  return grounds;
}

/** @throws Error once, rather than in each test, if the server cannot be used */
async function databasesOn(name: string, variable: string): Promise<StartedDatabases> {
  const { createStartedDatabases } = (await import(databasesModule)) as DatabasesModule;
  const databases = createStartedDatabases(name, false);
  try {
    databases.giveBack(await databases.url());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`No database can be made on the server that ${variable} names: ${reason}`, {
      cause: error,
    });
  }
  return databases;
}

/** The types that a plugin registers on a server. */
async function typesOf(plugins: readonly TestPlugin[], owner: string) {
  const { host, dispose } = await createTestServer({ plugins });
  const entries = host.registries.get('columnTypes').entries();
  const types = entries.filter((entry) => entry.owner === owner).map(({ item }) => item);
  await dispose();
  return types;
}
