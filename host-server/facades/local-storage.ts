import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, StorageAdapter } from '@trellis/sdk/server';
import { isFullDisk, storageFull } from '../runtime/full-disk.ts';
import { fileErrors } from './file-errors.ts';

/** No file takes so long to arrive. Milliseconds. */
const abandonedAfter = 60 * 60 * 1000;

/** Removes what servers that were killed have left unfinished. */
async function sweep(folder: string): Promise<void> {
  const before = Date.now() - abandonedAfter;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another server may have finished or removed it.
    const isOld = await stat(path).then(
      (found) => found.isFile() && found.mtimeMs < before,
      () => false,
    );
    if (isOld) await rm(path, { force: true });
  }
}

/** Moves unfinished files of earlier versions, which kept them beside finished ones, to the folder that is swept. */
async function collectParts(folder: string, waiting: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for await (const { name, parentPath } of await opendir(folder, { recursive: true })) {
    if (name.endsWith('.part')) await rename(join(parentPath, name), join(waiting, name));
  }
}

/** Files in a folder of this server. Always there, and written to when nothing else is configured. */
export function createLocalStorage(folder: string): StorageAdapter {
  const pathOf = (key: string) => join(folder, key);
  // Where bytes wait to be whole: one folder, so that those of a server that was killed are found again. It is inside of the other, which
  // may be a disk of its own: files cannot be renamed from one disk to another.
  const waiting = join(folder, '.unfinished');
  let sweeping: Promise<void> | undefined;

  async function clean(isNew: boolean): Promise<void> {
    try {
      if (isNew) await collectParts(folder, waiting);
      await sweep(waiting);
    } catch {
      // What cannot be swept takes room on the disk, and must not keep anybody from adding files.
    }
  }

  async function makeWaiting(): Promise<void> {
    const isNew = (await mkdir(waiting, { recursive: true })) !== undefined;
    await (sweeping ??= clean(isNew));
  }

  async function read(key: string, signal: AbortSignal, part?: ByteRange): Promise<Readable> {
    // Opened first, so that a file that is not there is known before the answer begins.
    try {
      const handle = await open(pathOf(key));
      return createReadStream('', { fd: handle, signal, ...part });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw fileErrors.create('FILE_UNKNOWN');
      throw error;
    }
  }

  return {
    id: 'local',
    label: 'The folder of this server',
    order: 1000,
    isConfigured: () => true,
    async put(key, content, _facts, { signal }) {
      const path = pathOf(key);
      const unfinished = join(waiting, key.replaceAll('/', ''));
      try {
        await Promise.all([mkdir(dirname(path), { recursive: true }), makeWaiting()]);
        await pipeline(content, createWriteStream(unfinished, { flush: true }), { signal });
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw isFullDisk(error) ? storageFull(error) : error;
      }
    },
    get: (key, { signal }) => read(key, signal),
    getPart: (key, part, { signal }) => read(key, signal, part),
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
