import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Milliseconds without a further change before it counts: editors write a file in several steps. */
const settled = 50;

/** What is built, packed, installed or hidden is no source. */
function isSource(name: string): boolean {
  return !/^(dist|node_modules|\..*)$|\.(tgz|key)$/.test(name);
}

/**
 * Calls whenever the sources of a plugin changed, until the signal aborts.
 *
 * Each folder is watched by itself: Node's recursive watch of Linux follows files, and loses one that an editor puts another in the
 * place of.
 */
export async function watchSources(root: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  const watched = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;

  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void watchNew(root);
      onChange();
    }, settled);
  }

  async function watchNew(folder: string): Promise<void> {
    if (signal.aborted) return;
    if (!watched.has(folder)) {
      const watcher = watch(folder, (_event, name) => {
        if (name === null || isSource(name)) changed();
      });
      // A folder that is removed is watched anew when it is there again.
      const forget = () => void watched.delete(folder);
      watcher.on('error', () => watcher.close()).on('close', forget);
      watched.set(folder, watcher);
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (entries.length === 0) return;
    const folders = entries.filter((entry) => entry.isDirectory() && isSource(entry.name));
    await Promise.all(folders.map(({ name }) => watchNew(join(folder, name))));
  }

  await watchNew(root);
  await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
  clearTimeout(timer);
  // They leave the map as they close, which a map allows while it is walked.
  for (const watcher of watched.values()) watcher.close();
}
