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
  const file = join(folder, 'server/index.ts');
  if (!existsSync(file)) return defineServerPlugin({ setup() {} });
  const { default: half } = (await import(pathToFileURL(file).href)) as { readonly default: ServerPlugin };
  return half;
}
