import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from './is-running.ts';

const prefix = '.trellis-check-';

/** Folders within plugins', whose files find packages as the plugins' do. */
export class CheckFolders {
  readonly #made = new Map<string, string>();

  /** The name of the folder within a plugin's, which is empty at first. Those of checks that were killed are removed. */
  async nameIn(folder: string): Promise<string> {
    const name = `${prefix}${process.pid}`;
    if (this.#made.has(folder)) return name;
    await removeForsaken(folder);
    this.#made.set(folder, join(folder, name));
    await mkdir(join(folder, name), { recursive: true });
    return name;
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#made.values()].map((path) => rm(path, { recursive: true, force: true })));
  }
}

async function removeForsaken(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  const isForsaken = (pid: number) => pid === process.pid || !isRunning(pid);
  const forsaken = names.filter((name) => isForsaken(Number(name.slice(prefix.length))));
  await Promise.all(forsaken.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
