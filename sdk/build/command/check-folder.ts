import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from './is-running.ts';

const prefix = '.trellis-check-';

/**
 * Calls `work` with the name of a folder within the plugin's, whose files find packages as the plugin's do. The folder is removed
 * afterwards, and so are those of checks that were killed.
 */
export async function inCheckFolder<T>(folder: string, work: (name: string) => Promise<T>): Promise<T> {
  await removeForsaken(folder);
  const name = `${prefix}${process.pid}`;
  await mkdir(join(folder, name), { recursive: true });
  try {
    return await work(name);
  } finally {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function removeForsaken(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  const isForsaken = (pid: number) => pid === process.pid || !isRunning(pid);
  const forsaken = names.filter((name) => isForsaken(Number(name.slice(prefix.length))));
  await Promise.all(forsaken.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
