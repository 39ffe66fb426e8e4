import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseJson, parseManifest, type PluginManifest } from '@trellis/core';
import { neededPlugins } from '../build/archive/needed-plugins.ts';
import { defineServerPlugin, type ServerPlugin } from '../server/index.ts';
import type { TestPlugin } from './test-server.ts';

/** The manifest of a folder. @throws TrellisError as the host would refuse it */
export function readManifestOf(folder: string): PluginManifest {
  const text = readFileSync(join(folder, 'plugin.json'), 'utf8');
  const name = `${basename(folder)}/plugin.json`;
  return parseManifest(parseJson(text, name), name);
}

/** A folder's server half; an empty one if the plugin has only a web half. */
export async function readServerHalf(folder: string, built?: 'dist'): Promise<ServerPlugin> {
  return (await readHalf<ServerPlugin>(folder, 'server', built)) ?? defineServerPlugin({ setup() {} });
}

/**
 * A half's export; undefined if the folder does not have the half.
 *
 * @param built where a half may be without its sources, as in a plugin's archive
 */
export async function readHalf<Half>(
  folder: string,
  half: 'server' | 'web',
  built?: 'dist',
): Promise<Half | undefined> {
  const places = [join(folder, half), ...(built === undefined ? [] : [join(folder, built, half)])];
  const file = places
    .flatMap((place) => ['index.ts', 'index.tsx', 'index.js', 'index.jsx'].map((name) => join(place, name)))
    .find(existsSync);
  if (file === undefined) return undefined;
  const module = (await import(pathToFileURL(file).href)) as { readonly default: Half };
  return module.default;
}

/** Other authors' plugins that a plugin's folder depends on, enabled by default: they run with it in tests. */
export function readNeededPlugins(folder: string): Promise<readonly TestPlugin[]> {
  return Promise.all(
    neededPlugins(folder).map(async (needed) => ({
      manifest: { ...needed.manifest, enabledByDefault: true },
      server: await readServerHalf(needed.folder, 'dist'),
    })),
  );
}
