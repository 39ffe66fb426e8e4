import { afterAll } from '@jest/globals';
import { describeColumnType } from './describe-column-type.ts';
import { readManifestOf, readNeededPlugins, readServerHalf } from './plugin-folder.ts';
import { createTestServer, type TestPlugin, type TestServerDatabases } from './test-server.ts';

interface DatabasesModule {
  createStartedDatabases(kind: string): TestServerDatabases & { dropAll(): Promise<void> };
}

/** Found at run time by the package's `imports`: the SDK itself knows no host. */
const databasesModule = '#host-databases';

/** Servers of databases on which types are tried where a variable gives an address. */
const servers = { postgres: 'TRELLIS_TEST_POSTGRES', mysql: 'TRELLIS_TEST_MYSQL' } as const;

/**
 * Tries every column type that a plugin registers on SQLite, and on PostgreSQL and MySQL where `TRELLIS_TEST_POSTGRES` and
 * `TRELLIS_TEST_MYSQL` are addresses of servers on which databases may be made and dropped.
 *
 * Which types there are is asked of the plugin, so that a test file awaits this at its top.
 *
 * @param folder the plugin's folder, with `plugin.json` in it.
 * @public
 */
export async function describeColumnTypes(folder: string): Promise<void> {
  const manifest = { ...readManifestOf(folder), enabledByDefault: true };
  const needed = await readNeededPlugins(folder);
  const plugins = [...needed, { manifest, server: await readServerHalf(folder) }];
  const types = await typesOf(plugins, manifest.id);
  for (const type of types) {
    const options = { switchable: manifest.id };
    describeColumnType(type, { name: 'sqlite', start: () => createTestServer({ plugins }) }, options);
    for (const [name, variable] of Object.entries(servers)) {
      if (process.env[variable] === undefined) continue;
      const { createStartedDatabases } = (await import(databasesModule)) as DatabasesModule;
      const databases = createStartedDatabases(name);
      afterAll(() => databases.dropAll());
      const start = () => createTestServer({ plugins, database: databases });
      describeColumnType(type, { name, start }, options);
    }
  }
}

/** The types that a plugin registers, as a server that runs it knows them. */
async function typesOf(plugins: readonly TestPlugin[], owner: string) {
  const { host, dispose } = await createTestServer({ plugins });
  const entries = host.registries.get('columnTypes').entries();
  const types = entries.filter((entry) => entry.owner === owner).map(({ item }) => item);
  await dispose();
  return types;
}
