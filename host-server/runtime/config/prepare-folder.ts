import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fullDisk = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Makes a folder for the owner of the process alone, and tries whether it can be written.
 *
 * @throws Error naming the folder, the variable that chooses another one, and what to do.
 */
export async function prepareFolder(folder: string, variable: string): Promise<void> {
  const probe = join(folder, `.writable-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'x');
    await rm(probe);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const problem = fullDisk.has(code)
      ? `The disk of the folder ${folder} is full (${code}); make room on it`
      : `The folder ${folder} cannot be written (${code}); make it writable`;
    throw new Error(`${problem}, or set ${variable} to another one.`, { cause: error });
  }
}
