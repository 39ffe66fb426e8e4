import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from './is-running.ts';

/** Contains the id of the process that works on the folder. Hidden files are neither watched nor packed. */
const marker = '.trellis-dev';

/**
 * Works on a plugin's folder as its only `dev` command: two would build into the same `dist`.
 *
 * @throws Error that names the process which already works on the folder
 */
export async function aloneIn(folder: string, work: () => Promise<void>): Promise<void> {
  const file = join(folder, marker);
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  if (holder !== process.pid && isRunning(holder))
    throw new Error(
      `Another 'trellis-plugin dev' works on ${folder}, as process ${holder}: end that one first. If there is none, remove ${marker}.`,
    );
  await rm(file, { force: true });
  await writeFile(file, String(process.pid), { flag: 'wx' });
  try {
    await work();
  } finally {
    await rm(file, { force: true });
  }
}
