import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Milliseconds without a further change before it counts: editors write a file in several steps. */
const settled = 50;

/** What is built, packed, installed or hidden is no source. */
function isSource(name: string): boolean {
  return !/^(dist|node_modules|\..*)$|\.(tgz|key)$/.test(name);
}

/**
 * Calls with the files whenever sources of a plugin changed, until the signal aborts or they cannot be watched any more.
 *
 * Each folder is watched by itself: Node's recursive watch of Linux follows files, and loses one that an editor puts another in the
 * place of.
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

  /** What came or went may be another folder than the one that is watched: it is watched anew. */
  function forget(path: string): void {
    for (const [folder, watcher] of watched)
      if (folder === path || folder.startsWith(path + sep)) {
        watched.delete(folder);
        watcher.close();
      }
  }

  /** @throws Error where no more folders can be watched; one that is gone is none. */
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
