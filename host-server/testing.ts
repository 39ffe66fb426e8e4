import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseManifest, type PluginManifest } from '@trellis/core';
import type { Prepare } from './databases/testing/prepared-databases.ts';
import { readShared, runFolder, share } from './databases/testing/shared-in-run.ts';
import { createTestDatabases, type TestDatabases } from './databases/testing/test-databases.ts';
import type { ServerKind } from './databases/testing/test-servers.ts';
import { createHost } from './host.ts';
import { withMetadata } from './metadata/with-metadata.ts';
import { findModuleLocations } from './plugins/locate-modules.ts';
import { loadConfig } from './runtime/config/config.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

/** The ids of the product's plugins. */
const pluginsFile = 'started.plugins';

/** Prepares databases: a server has been started on it, which enabled the product's plugins, and has been stopped again. */
const firstStart: Prepare = async (...[, target]) => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-started-'));
  const { config } = loadConfig({ TRELLIS_DATA_DIR: folder }, [], folder);
  const host = await createHost({ ...config, database: target }, { logger: silent, graceMs: 1000 });
  // The server listens before plugins that are slow to start have started.
  while (host.plugins.list().some(({ state }) => state === 'starting')) await setTimeout(20);
  await share(pluginsFile, JSON.stringify(host.plugins.list().map(({ id }) => id)));
  await host.stop();
  await rm(folder, { recursive: true });
};
const withFirstStart: Prepare = Object.assign((...of: Parameters<Prepare>) => firstStart(...of), {
  sharedAs: 'started',
});

/**
 * Databases on a server, dropped together, on which a server starts as it starts for the second time.
 *
 * @param isOfRun whether one stays on the server for other files of the run, at whose end somebody has to drop it
 */
export function createStartedDatabases(kind: ServerKind, isOfRun = true): TestDatabases {
  return createTestDatabases(kind, isOfRun ? withFirstStart : firstStart);
}

/**
 * Puts a database at the place of a new server's own file, where the files of a run share one: it saves the server its migrations
 * and its first start.
 *
 * @param manifests those of the plugins that the server is given. The first start is left to a server where one of them takes the
 *   place of a plugin of the product, unless it says the same of itself.
 */
export async function placeDatabase(file: string, manifests: readonly unknown[]): Promise<void> {
  if (runFolder() === undefined) return;
  if (await placeCopy(file, withFirstStart, manifests)) return;
  await placeCopy(file, withMetadata);
}

/** Whether it takes the place of a plugin of the product with another manifest. */
async function replaces(manifest: unknown, enabled: ReadonlySet<string>): Promise<boolean> {
  const { id } = manifest as PluginManifest;
  if (!enabled.has(id)) return false;
  const own = await readFile(join(findModuleLocations().root, 'plugins', id, 'plugin.json'), 'utf8');
  return JSON.stringify(manifest) !== JSON.stringify(parseManifest(JSON.parse(own), id));
}

async function placeCopy(
  file: string,
  prepare: Prepare,
  manifests: readonly unknown[] = [],
): Promise<boolean> {
  const databases = createTestDatabases('sqlite', prepare);
  try {
    const target = await databases.target();
    const known = (await readShared(pluginsFile))?.toString() ?? '[]';
    const enabled = new Set(JSON.parse(known) as readonly string[]);
    if (!('file' in target)) return false;
    for (const manifest of manifests) if (await replaces(manifest, enabled)) return false;
    await copyFile(target.file, file);
    return true;
  } finally {
    await databases.dropAll();
  }
}
