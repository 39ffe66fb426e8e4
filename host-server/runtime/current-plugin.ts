import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs work in the name of a plugin, so that logs and late errors can say whose it is. */
export function asPlugin<T>(pluginId: string, work: () => T): T {
  return storage.run(pluginId, work);
}

/** The plugin in whose name this runs, if any. */
export function currentPlugin(): string | undefined {
  return storage.getStore();
}
