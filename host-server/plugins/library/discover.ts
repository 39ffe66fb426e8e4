import { join } from 'node:path';
import { parseManifest } from '@trellis/core';
import type { ServerPlugin } from '@trellis/sdk/server';
import { readPlugin, type FoundPlugin } from './found-plugin.ts';
import { foldersIn, readInstalled } from './installed-folder.ts';

/** A plugin that is handed to the host instead of being found in a folder; for tests and for embedding. */
export interface GivenPlugin {
  readonly manifest: unknown;
  readonly server: ServerPlugin;
  /** Default `installed`: only built-in plugins may be system plugins. */
  readonly origin?: FoundPlugin['origin'];
}

/** The plugins that come with the product or were handed in. One that is handed in replaces the one with its id. */
export async function discoverBuiltIn(
  folder: string,
  given: readonly GivenPlugin[] = [],
): Promise<readonly FoundPlugin[]> {
  const found: FoundPlugin[] = given.map(({ manifest, server, origin = 'installed' }) => {
    const parsed = parseManifest(manifest, 'the manifest that was handed in');
    return { id: parsed.id, origin, folder: '', manifest: parsed, server };
  });
  const isGiven = new Set(found.map(({ id }) => id));
  for (const id of (await foldersIn(folder)).names) {
    if (isGiven.has(id)) continue;
    const plugin = await readPlugin(
      { id, folder: join(folder, id), origin: 'built-in' },
      `${id}/plugin.json`,
    );
    if (plugin) found.push(plugin);
  }
  return found;
}

/** The plugins in the data folder's `plugins/<id>/<version>`. */
export async function discoverInstalled(folder: string): Promise<readonly FoundPlugin[]> {
  const { names, astray } = await foldersIn(folder);
  const found = await Promise.all(names.map((id) => readInstalled(id, join(folder, id))));
  const lost = astray.map((id) => ({
    id,
    folder: join(folder, id),
    origin: 'installed' as const,
    problem: `${id} is a link that leads nowhere; mend it or remove it.`,
  }));
  return [...found, ...lost];
}

/** Both together. A built-in plugin replaces an installed one, with a notice. */
export function mergeFound(
  builtIn: readonly FoundPlugin[],
  installed: readonly FoundPlugin[],
): readonly FoundPlugin[] {
  const ids = new Set(builtIn.map(({ id }) => id));
  const shadowed = new Set(installed.filter(({ id }) => ids.has(id)).map(({ id }) => id));
  return [
    ...builtIn.map((plugin) =>
      shadowed.has(plugin.id) && plugin.origin === 'built-in'
        ? {
            ...plugin,
            notes: [
              `plugins/${plugin.id} in the data folder is not used: '${plugin.id}' is built in; give yours another id.`,
            ],
          }
        : plugin,
    ),
    ...installed.filter(({ id }) => !ids.has(id)),
  ];
}
