import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseManifest, type KnownPlugin, type PluginManifest } from '@trellis/core';
import type { ServerPlugin } from '@trellis/sdk/server';

/** A plugin's folder, with what can be known of it without running it. */
export interface FoundPlugin {
  readonly id: string;
  readonly origin: 'built-in' | 'installed';
  readonly folder: string;
  readonly manifest?: PluginManifest;
  readonly problem?: string;
  /** The server half of a plugin that was handed in and has no module. */
  readonly server?: ServerPlugin;
}

/** A plugin that is handed to the host instead of being found in a folder; for tests and for embedding. */
export interface GivenPlugin {
  readonly manifest: unknown;
  readonly server: ServerPlugin;
  /** Default `installed`: only built-in plugins may be system plugins. */
  readonly origin?: FoundPlugin['origin'];
}

async function folders(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readPlugin(
  id: string,
  folder: string,
  origin: FoundPlugin['origin'],
): Promise<FoundPlugin | undefined> {
  const file = join(folder, 'plugin.json');
  try {
    const manifest = parseManifest(JSON.parse(await readFile(file, 'utf8')), `${id}/plugin.json`);
    if (manifest.id !== id) {
      return {
        id,
        origin,
        folder,
        problem: `plugin.json says '${manifest.id}', its folder is called '${id}'; they must be the same.`,
      };
    }
    return { id, origin, folder, manifest };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return { id, origin, folder, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The newest version of an installed plugin, by the order of its folders' version numbers. */
function newest(versions: readonly string[]): string | undefined {
  const parts = (version: string) => version.split(/[.+-]/).map((part) => Number(part) || 0);
  return versions
    .toSorted((a, b) => {
      const [left, right] = [parts(a), parts(b)];
      const at = left.findIndex((part, index) => part !== (right[index] ?? 0));
      return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
    })
    .at(-1);
}

/**
 * Finds the built-in plugins (`plugins/<id>`) and the installed ones (`<data>/plugins/<id>/<version>`). One that is handed in
 * takes the place of the one with its id.
 */
export async function discoverPlugins(
  builtInFolder: string,
  installedFolder: string,
  given: readonly GivenPlugin[] = [],
): Promise<readonly FoundPlugin[]> {
  const found: FoundPlugin[] = given.map(({ manifest, server, origin = 'installed' }) => {
    const parsed = parseManifest(manifest, 'the manifest that was handed in');
    return { id: parsed.id, origin, folder: '', manifest: parsed, server };
  });
  const isGiven = new Set(found.map(({ id }) => id));
  for (const id of await folders(builtInFolder)) {
    if (isGiven.has(id)) continue;
    const plugin = await readPlugin(id, join(builtInFolder, id), 'built-in');
    if (plugin) found.push(plugin);
  }
  for (const id of await folders(installedFolder)) {
    const version = newest(await folders(join(installedFolder, id)));
    if (version === undefined || found.some((plugin) => plugin.id === id)) continue;
    const plugin = await readPlugin(id, join(installedFolder, id, version), 'installed');
    if (plugin) found.push(plugin);
  }
  return found;
}

/** As the plugin manager wants it, with what was decided before. */
export function toKnownPlugin(
  found: FoundPlugin,
  decided: { readonly state: KnownPlugin['persisted']; readonly reason: string | undefined } | undefined,
): KnownPlugin {
  const { id, origin, manifest, problem } = found;
  return { id, origin, manifest, problem, persisted: decided?.state, persistedReason: decided?.reason };
}
