import { existsSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packedPaths, type PluginManifest } from '@trellis/core';
import type { ArchiveFiles } from './write-archive.ts';

/** Whether an icon is a file of the plugin: it may also be the name of one of the product's icons, which a folder can have too. */
async function isPicture(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

/**
 * The files of a built plugin that belong in its archive, by archive path.
 *
 * @throws Error for a link, because its target does not belong to the plugin
 */
export async function pluginFiles(root: string, { icon }: PluginManifest): Promise<ArchiveFiles> {
  const files = new Map<string, Uint8Array>();

  async function add(path: string): Promise<void> {
    const file = join(root, path);
    const found = await lstat(file);
    if (found.isSymbolicLink())
      throw new Error(`'${path}' is a link, which cannot be packed; put the file in its place.`);
    if (!found.isDirectory()) {
      files.set(path, await readFile(file));
      return;
    }
    for (const name of await readdir(file)) await add(`${path}/${name}`);
  }

  for (const path of packedPaths) if (existsSync(join(root, path))) await add(path);
  if (icon !== undefined && (await isPicture(join(root, icon)))) await add(icon);
  return files;
}
