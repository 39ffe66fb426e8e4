import { AsyncLocalStorage } from 'node:async_hooks';
import { PluginMeter, type MeteredWork } from './plugin-meter.ts';

const storage = new AsyncLocalStorage<string>();

/**
 * Plugins from elsewhere. What comes with the product needs no name in its late errors: from the first named work on, Node keeps
 * books about every promise of the process, which takes about a fifth of a small request.
 */
const named = new Set<string>();

const meter = new PluginMeter();

/** Has the work of these plugins run in their names. */
export function nameWorkOf(pluginIds: Iterable<string>): void {
  for (const id of pluginIds) named.add(id);
}

/** Runs work in the name of its plugin, so that logs and late errors can say whose it is. */
export function asPlugin<T>(pluginId: string, work: () => T): T {
  const current = currentPlugin();
  const isNamed = named.has(pluginId);
  // Work that a named plugin causes in another one is not its own.
  if (!isNamed && current === undefined) return work();
  const inItsName = () => storage.run(pluginId, work);
  return isNamed && current !== pluginId ? meter.measure(pluginId, inItsName) : inItsName();
}

/** What a named plugin was called for; undefined where it was not. */
export function workOf(pluginId: string): MeteredWork | undefined {
  return meter.of(pluginId);
}

/** The plugin in whose name this runs, if any. */
export function currentPlugin(): string | undefined {
  return storage.getStore();
}
