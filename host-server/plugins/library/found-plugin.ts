import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson, parseManifest, type KnownPlugin, type PluginManifest } from '@trellis/core';
import type { ServerPlugin } from '@trellis/sdk/server';
import type { PluginHalf } from '@trellis/sdk/shared';
import type { Consent } from './consent.ts';

/** A plugin's folder, with what can be known of it without running it. */
export interface FoundPlugin {
  readonly id: string;
  readonly origin: 'built-in' | 'installed';
  readonly folder: string;
  readonly manifest?: PluginManifest;
  readonly problem?: string;
  /** What was built of an installed plugin. */
  readonly halves?: readonly PluginHalf[];
  /** The server half of a plugin that was handed in and has no module. */
  readonly server?: ServerPlugin;
  /** The versions of an installed plugin that have a manifest, the newest first. */
  readonly versions?: readonly string[];
  /** What somebody agreed to. */
  readonly consent?: Consent;
  /** Somebody copied it into its folder: the product did not show what it asks for. */
  readonly isCopied?: boolean;
  /** The version that ran before manifests listed hooks, and goes on with those that it taps. */
  readonly unlistedHooks?: string;
  /** This version ran when a server ended in the middle of a version change, so that end is not blamed on it. */
  readonly isRestored?: boolean;
  /** What was passed over in its folder, a sentence each. */
  readonly notes?: readonly string[];
  /** Another build of the same version has another one. */
  readonly build?: string;
}

/** Reads the manifest in a folder; undefined when there is none. @param name of the file, for messages. */
export async function readPlugin(
  found: Pick<FoundPlugin, 'id' | 'folder' | 'origin'>,
  name: string,
): Promise<FoundPlugin | undefined> {
  const { id, folder } = found;
  try {
    const manifest = parseManifest(
      parseJson(await readFile(join(folder, 'plugin.json'), 'utf8'), name),
      name,
    );
    if (manifest.id === id)
      return { ...found, manifest, ...(found.origin === 'installed' && { halves: await halvesIn(folder) }) };
    return {
      ...found,
      problem: `${name} says '${manifest.id}', its folder is called '${id}'; they must be the same.`,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return { ...found, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The halves of a folder that were built. */
async function halvesIn(folder: string): Promise<readonly PluginHalf[]> {
  const all = ['server', 'web'] as const;
  const isThere = all.map((half) =>
    access(join(folder, 'dist', half, 'index.js')).then(
      () => true,
      () => false,
    ),
  );
  const built = await Promise.all(isThere);
  return all.filter((_, index) => built[index]);
}

/** As the plugin manager wants it, with what was decided before. */
export function toKnownPlugin(
  found: FoundPlugin,
  decided?: { readonly state: KnownPlugin['persisted']; readonly reason: string | undefined },
): KnownPlugin {
  const { id, origin, manifest, problem } = found;
  return { id, origin, manifest, problem, persisted: decided?.state, persistedReason: decided?.reason };
}

/** Whether it lies in the data folder, and neither came with the product nor was handed in. */
export function isInFolder({ origin, folder }: FoundPlugin): boolean {
  return origin === 'installed' && folder !== '';
}
