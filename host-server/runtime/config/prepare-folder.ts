import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFullDisk } from '../full-disk.ts';

const pieceBytes = 64 * 1024;

/**
 * Makes a folder that only the owner of the process can use, and tests whether it can be written.
 *
 * @param room the bytes that must fit into it
 * @throws Error naming the folder, the variable that chooses another one, and what to do.
 */
export async function prepareFolder(folder: string, variable: string, room = 1): Promise<void> {
  const probe = join(folder, `.writable-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await writeFile(probe, zeros(room));
    } finally {
      // A full disk still has room for an empty file, so an empty one would prove nothing.
      await rm(probe, { force: true });
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const problem = isFullDisk(error)
      ? `The disk of the folder ${folder} is full (${code}); make room on it`
      : `The folder ${folder} cannot be written (${code}); make it writable`;
    throw new Error(`${problem}, or set ${variable} to another one.`, { cause: error });
  }
}

/** In small pieces: after freeing a large one, the C library would keep other blocks of that size in the process. */
function* zeros(bytes: number): Generator<Uint8Array> {
  const piece = new Uint8Array(Math.min(bytes, pieceBytes));
  for (let left = bytes; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}
