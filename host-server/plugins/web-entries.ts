import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginStatus } from '@trellis/core';
import type { WebPluginEntry } from '@trellis/sdk/server';
import type { FoundPlugin } from './discover.ts';
import { webFolder, type ModuleLocations } from './locate-modules.ts';

/** Where the page's build put the web halves of built-in plugins, by id. */
export type WebManifest = Readonly<
  Record<string, { readonly url: string; readonly css?: readonly string[] }>
>;

export async function readWebManifest(locations: ModuleLocations): Promise<WebManifest> {
  try {
    return JSON.parse(await readFile(join(webFolder(locations), 'plugins.json'), 'utf8')) as WebManifest;
  } catch (error) {
    // Tests of the server alone run without a built page.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** None for a plugin that is not there. */
export function toWebEntry(
  status: PluginStatus,
  found: readonly FoundPlugin[],
  web: WebManifest,
): readonly WebPluginEntry[] {
  const { id, manifest } = status;
  const plugin = found.find((of) => of.id === id);
  if (manifest === undefined || plugin === undefined) return [];
  const {
    name,
    version,
    category,
    description,
    dependencies,
    optionalDependencies,
    contributes,
    sdk,
    engines,
  } = manifest;
  const shared = {
    id,
    manifest: {
      id,
      name,
      version,
      category,
      description,
      dependencies,
      optionalDependencies,
      contributes,
      sdk,
      engines,
    },
  };
  if (plugin.origin === 'built-in') {
    return [{ ...shared, url: web[id]?.url ?? null, css: web[id]?.css ?? [] }];
  }
  const base = `/ext/${id}/${version}/`;
  const folder = join(plugin.folder, 'dist', 'web');
  return [
    {
      ...shared,
      url: existsSync(join(folder, 'index.js')) ? `${base}index.js` : null,
      css: existsSync(join(folder, 'index.css')) ? [`${base}index.css`] : [],
    },
  ];
}
