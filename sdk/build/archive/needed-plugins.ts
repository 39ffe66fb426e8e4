import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest, type PluginManifest } from '@trellis/core';

/** A plugin of somebody else whose folder is at hand. */
export interface NeededPlugin {
  readonly folder: string;
  readonly manifest: PluginManifest;
}

/** Where a plugin that another one needs is looked for, from the folder of that one. */
const neededPlaces = ['node_modules', '..'] as const;

/**
 * What a plugin that stands alone depends on besides the product's plugins, and what that depends on, each after what it needs itself: in
 * its `node_modules`, or in a folder beside its own. What is not there is left out, and so is all of it for a plugin of the product,
 * which has no `package.json`: the product brings the others.
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
  return parseManifest(JSON.parse(readFileSync(file, 'utf8')), file);
}
