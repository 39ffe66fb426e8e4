import { defineRoute, defineServerPlugin, type ServerPlugin } from '../server/index.ts';
import type { PluginState } from '../shared/index.ts';
import { readManifestOf, readServerHalf } from './plugin-folder.ts';
import { testManifest } from './test-manifest.ts';
import type { TestPlugin, TestServer } from './test-server.ts';

/** A plugin of a test, on by default: its server half or the `setup` of one, and what its manifest says besides. @public */
export function testPlugin<Settings = Readonly<Record<string, unknown>>>(
  id: string,
  server: ServerPlugin<Settings> | ServerPlugin<Settings>['setup'],
  manifest: Readonly<Record<string, unknown>> = {},
): TestPlugin {
  return {
    manifest: testManifest(id, `The ${id}`, manifest),
    server: defineServerPlugin<Settings>(typeof server === 'function' ? { setup: server } : server),
  };
}

/**
 * A folder's plugin, enabled by default.
 *
 * @param folder with `plugin.json` in it
 * @public
 */
export async function folderPlugin(folder: string): Promise<TestPlugin> {
  return {
    manifest: { ...readManifestOf(folder), enabledByDefault: true },
    server: await readServerHalf(folder),
  };
}

/** A test's GET route, open to everybody by default. @public */
export function testRoute(
  path: string,
  handle: () => Promise<unknown> = async () => 'served',
  permission = 'public',
) {
  return defineRoute({ method: 'GET', path, permission, summary: 'For the test', handle });
}

/** A plugin's state on a server, and the reason for it. @public */
export async function pluginState(
  server: TestServer,
  id: string,
): Promise<readonly [PluginState | undefined, string | undefined]> {
  const found = server.host.plugins.list().find((of) => of.id === id);
  return [found?.state, found?.reason];
}
