import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PluginManifest, PluginModule } from '@trellis/core';
import type { ServerPlugin, ServerPluginContext } from '@trellis/sdk/server';
import { asPlugin } from '../runtime/current-plugin.ts';
import { buildIdOf } from './build-id.ts';
import type { FoundPlugin } from './library/found-plugin.ts';
import { serverModuleUrl, type ModuleLocations } from './locate-modules.ts';
import { shareSdk } from './share-sdk.ts';
import { locateSyntaxError } from './syntax-place.ts';

/**
 * Imports the server half of a plugin, or takes the one that was handed in.
 *
 * @throws Error when it exports no plugin.
 */
export async function loadServerHalf(
  manifest: PluginManifest,
  plugin: FoundPlugin | undefined,
  locations: ModuleLocations,
): Promise<PluginModule<ServerPluginContext>> {
  if (plugin?.server) return inItsName(manifest.id, plugin.server);
  if (plugin?.origin === 'installed') await shareSdk(locations);
  const url =
    plugin?.origin === 'installed'
      ? installedModule(plugin.folder)
      : hasServerHalf(locations, manifest.id)
        ? serverModuleUrl(locations, manifest.id)
        : undefined;
  // A plugin may have only a web half.
  if (url === undefined) return { setup: () => undefined };
  const load = () =>
    import(url).catch(async (error: unknown) => {
      await locateSyntaxError(error, url);
      throw error;
    });
  const module = (await asPlugin(manifest.id, load)) as { readonly default?: ServerPlugin };
  if (typeof module.default?.setup !== 'function') {
    throw new Error(
      `The server half of plugin '${manifest.id}' must default-export defineServerPlugin({ setup }).`,
    );
  }
  return inItsName(manifest.id, module.default);
}

/** The plugin's own code runs under its name, so that errors after its setup are still attributed to the plugin. */
function inItsName(id: string, plugin: ServerPlugin): PluginModule<ServerPluginContext> {
  return { ...plugin, setup: (ctx) => asPlugin(id, () => plugin.setup(ctx)) };
}

function hasServerHalf(locations: ModuleLocations, id: string): boolean {
  return (
    existsSync(join(locations.root, 'plugins', id, 'server', 'index.ts')) ||
    existsSync(new URL(serverModuleUrl(locations, id)))
  );
}

function installedModule(folder: string): string | undefined {
  const file = join(folder, 'dist', 'server', 'index.js');
  if (!existsSync(file)) return undefined;
  // Node caches a module by its URL. After a rebuild, switching the plugin off and on gives it another URL.
  return `${pathToFileURL(file).href}?built=${buildIdOf(join(folder, 'dist'))}`;
}
