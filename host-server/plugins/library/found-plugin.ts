import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson, parseManifest, type KnownPlugin, type PluginManifest } from '@trellis/core';
import type { ServerPlugin } from '@trellis/sdk/server';
import type { PluginHalf } from '@trellis/sdk/shared';
import type { Consent } from './consent.ts';

/** A plugin's folder, with the facts that are known without running it. */
export interface FoundPlugin {
  readonly id: string;
  readonly origin: 'built-in' | 'installed';
  readonly folder: string;
  readonly manifest?: PluginManifest;
  readonly problem?: string;
  /** The halves of an installed plugin that are built. */
  readonly halves?: readonly PluginHalf[];
  /** The server half of a plugin that was handed in and has no module. */
  readonly server?: ServerPlugin;
  /** The versions of an installed plugin that have a manifest, the newest first. */
  readonly versions?: readonly string[];
  /** What somebody agreed to. */
  readonly consent?: Consent;
  /** The raw key that signed this version, in base64; absent if it is unsigned, or was copied. */
  readonly signer?: string;
  /** True if somebody copied it into its folder, so that the product did not show what it asks for. */
  readonly isCopied?: boolean;
  /** The version that ran before manifests listed hooks, which may still tap the hooks that it does not list. */
  readonly unlistedHooks?: string;
  /** True if this version ran when a server ended during a version change, so that the end is not blamed on it. */
  readonly isRestored?: boolean;
  /** What was ignored in its folder, a sentence each. */
  readonly notes?: readonly string[];
  /** Identifies the build; another build of the same version has another one. */
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

/** The plugin in the form of the plugin manager, with earlier decisions. */
export function toKnownPlugin(
  found: FoundPlugin,
  decided?: { readonly state: KnownPlugin['persisted']; readonly reason: string | undefined },
): KnownPlugin {
  const { id, origin, manifest, problem } = found;
  return { id, origin, manifest, problem, persisted: decided?.state, persistedReason: decided?.reason };
}

/** Whether it is in the data folder, and neither came with the product nor was handed in. */
export function isInFolder({ origin, folder }: FoundPlugin): boolean {
  return origin === 'installed' && folder !== '';
}
