import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from './is-running.ts';

/** Holds the id of the process that works on the folder. Hidden files are neither watched nor packed. */
const marker = '.trellis-dev';

/**
 * Works on a plugin's folder as the only `dev` there: two of them would build into each other's `dist`.
 *
 * @throws Error that names the process which works on the folder already
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
