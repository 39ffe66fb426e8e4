import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, StorageAdapter } from '@trellis/sdk/server';
import { fileErrors } from './file-errors.ts';

/** Files in a folder of this server. Always there, and written to when nothing else is configured. */
export function createLocalStorage(folder: string): StorageAdapter {
  const pathOf = (key: string) => join(folder, key);

  async function read(key: string, part?: ByteRange): Promise<Readable> {
    // Opened first, so that a file that is not there is known before the answer begins.
    try {
      const handle = await open(pathOf(key));
      return createReadStream('', { fd: handle, ...part });
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
      const unfinished = `${path}.part`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await pipeline(content, createWriteStream(unfinished, { flush: true }), { signal });
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    get: (key) => read(key),
    getPart: (key, part) => read(key, part),
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
