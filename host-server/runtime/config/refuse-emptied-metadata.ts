import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serversFolderOf } from '../../databases/index.ts';
import type { Config } from './config.ts';

/**
 * Refuses to start as a new server where one has worked before. With an empty metadata file, the next person who signs up would
 * become the super admin of all remaining data. Opening such a file would also delete its write-ahead log.
 *
 * The secret is made after the metadata, so a server that was killed in its very first start is not refused.
 *
 * @throws Error naming the file and the two ways to go on.
 */
export async function refuseEmptiedMetadata({ database, dataDir }: Config): Promise<void> {
  if (!('file' in database) || (await sizeOf(database.file)) !== 0) return;
  const trace = await traceOfUse(dataDir, serversFolderOf(database.file));
  if (trace === undefined) return;
  throw new Error(
    `The metadata file ${database.file} is empty, but ${trace} shows that this server has been used. ` +
      'Put the file back from a backup; or, to begin anew, move the data folder away.',
  );
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The secret, or a folder with files; the folder `locks` does not count, since it exists as soon as a first start begins. */
async function traceOfUse(dataDir: string, locks: string): Promise<string | undefined> {
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name);
    if (entry.name === 'secret') return path;
    if (entry.isDirectory() && resolve(path) !== resolve(locks) && (await readdir(path)).length > 0)
      return path;
  }
  return undefined;
}
