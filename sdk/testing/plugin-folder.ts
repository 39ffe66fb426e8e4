import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseManifest, type PluginManifest } from '@trellis/core';
import { defineServerPlugin, type ServerPlugin } from '../server/index.ts';

/** The manifest of a folder. @throws TrellisError as the host would refuse it */
export function readManifestOf(folder: string): PluginManifest {
  const text = readFileSync(join(folder, 'plugin.json'), 'utf8');
  return parseManifest(JSON.parse(text), `${basename(folder)}/plugin.json`);
}

/** The server half of a folder; an empty one where the plugin lives in the page alone. */
export async function readServerHalf(folder: string): Promise<ServerPlugin> {
  return (await readHalf<ServerPlugin>(folder, 'server')) ?? defineServerPlugin({ setup() {} });
}

/** What a half exports; undefined for one that the folder has not. */
export async function readHalf<Half>(folder: string, half: 'server' | 'web'): Promise<Half | undefined> {
  const file = ['index.ts', 'index.tsx', 'index.js', 'index.jsx']
    .map((name) => join(folder, half, name))
    .find(existsSync);
  if (file === undefined) return undefined;
  const module = (await import(pathToFileURL(file).href)) as { readonly default: Half };
  return module.default;
}
