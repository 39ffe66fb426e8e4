import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, parseManifest, type PluginManifest } from '@trellis/core';

/** Another author's plugin whose folder was found. */
export interface NeededPlugin {
  readonly folder: string;
  readonly manifest: PluginManifest;
}

/** Where a plugin's dependencies are searched, relative to its folder. */
const neededPlaces = ['node_modules', '..'] as const;

/**
 * The plugins that a stand-alone plugin depends on, directly or indirectly, besides the product's, each after its own dependencies.
 * They are searched in its `node_modules` and in the folders next to its own; missing ones are omitted. The result is empty for a
 * plugin of the product, which has no `package.json`: the product brings the others.
 *
 * @throws TrellisError for a manifest that the host would refuse
 */
export function neededPlugins(folder: string): readonly NeededPlugin[] {
  const found = new Map<string, NeededPlugin>();

  function add(of: string): void {
    if (of === folder && !existsSync(join(of, 'package.json'))) return;
    const { dependencies, optionalDependencies } = readManifestIn(of);
    for (const id of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = neededPlaces.map((name) => join(of, name, id)).find((path) => isPlugin(path, id));
      if (place === undefined || visited.has(id)) continue;
      visited.add(id);
      const real = realpathSync(place);
      add(real);
      found.set(id, { folder: real, manifest: readManifestIn(real) });
    }
  }

  const visited = new Set([readManifestIn(folder).id]);
  add(folder);
  return [...found.values()];
}

function isPlugin(path: string, id: string): boolean {
  return existsSync(join(path, 'plugin.json')) && readManifestIn(path).id === id;
}

function readManifestIn(folder: string): PluginManifest {
  const file = join(folder, 'plugin.json');
  return parseManifest(parseJson(readFileSync(file, 'utf8'), file), file);
}
