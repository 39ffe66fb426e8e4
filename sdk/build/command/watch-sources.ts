import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Milliseconds without a further change before a change counts: editors write a file in several steps. */
const settled = 50;

/** Built, packed, installed and hidden files are not sources. */
function isSource(name: string): boolean {
  return !/^(dist|node_modules|\..*)$|\.(tgz|key)$/.test(name);
}

/**
 * Calls back with the changed sources of a plugin, until the signal aborts or they can no longer be watched.
 *
 * Each folder is watched separately: Node's recursive watch on Linux follows files, and loses one that an editor replaces.
 */
export async function watchSources(
  root: string,
  onChange: (changed: ReadonlySet<string>) => void,
  signal: AbortSignal,
): Promise<void> {
  const watched = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let fail = (_error: unknown): void => undefined;

  let changes = new Set<string>();

  function changed(file: string): void {
    changes.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      watchNew(root).catch(fail);
      const told = changes;
      changes = new Set();
      onChange(told);
    }, settled);
  }

  /** A renamed entry may be another folder than the watched one, so it is watched again. */
  function forget(path: string): void {
    for (const [folder, watcher] of watched)
      if (folder === path || folder.startsWith(path + sep)) {
        watched.delete(folder);
        watcher.close();
      }
  }

  /** @throws Error if no more folders can be watched; a missing folder is ignored. */
  function begin(folder: string): void {
    try {
      const watcher = watch(folder, (event, name) => {
        if (event === 'rename' && name !== null) forget(join(folder, name));
        if (name === null || isSource(name)) changed(join(folder, name ?? ''));
      });
      watcher.on('error', () => forget(folder));
      watched.set(folder, watcher);
    } catch (error) {
      if (folder === root || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  async function watchNew(folder: string): Promise<void> {
    if (signal.aborted) return;
    if (!watched.has(folder)) begin(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (entries.length === 0) return;
    const folders = entries.filter((entry) => entry.isDirectory() && isSource(entry.name));
    await Promise.all(folders.map(({ name }) => watchNew(join(folder, name))));
  }

  try {
    await watchNew(root);
    await new Promise<void>((done, reject) => {
      fail = reject;
      signal.addEventListener('abort', () => done(), { once: true });
    });
  } finally {
    clearTimeout(timer);
    for (const watcher of watched.values()) watcher.close();
  }
}
