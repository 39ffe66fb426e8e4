import { AsyncLocalStorage } from 'node:async_hooks';
import { PluginMeter, type MeteredWork } from './plugin-meter.ts';

/** What a plugin does from its setup until it is switched off. */
type PluginRun = Pick<AbortSignal, 'aborted'>;

interface NamedWork {
  readonly pluginId: string;
  readonly run: PluginRun | undefined;
}

const storage = new AsyncLocalStorage<NamedWork>();

/** The latest run of each plugin. */
const runs = new Map<string, PluginRun>();

/**
 * The plugins that are not part of the product. The product's own are not named: from the first named work on, Node tracks every
 * promise of the process, which takes about a fifth of a small request.
 */
const named = new Set<string>();

const meter = new PluginMeter();

/** Makes work of these plugins run under their names. */
export function nameWorkOf(pluginIds: Iterable<string>): void {
  for (const id of pluginIds) named.add(id);
}

/** Attributes what a plugin does from now on to this run of it. */
export function beginRun(pluginId: string, run: PluginRun): void {
  runs.set(pluginId, run);
}

/** Runs work under its plugin's name, so that logs and late errors can be attributed. */
export function asPlugin<T>(pluginId: string, work: () => T): T {
  const current = currentPlugin();
  const isNamed = named.has(pluginId);
  // Work that a named plugin causes in another one does not belong to it.
  if (!isNamed && current === undefined) return work();
  const latest = runs.get(pluginId);
  // The module of the next run is loaded before that run begins.
  const run = latest?.aborted === true ? undefined : latest;
  const inItsName = () => storage.run({ pluginId, run }, work);
  return isNamed && current !== pluginId ? meter.measure(pluginId, inItsName) : inItsName();
}

/** The calls of a named plugin; undefined if it was not called. */
export function workOf(pluginId: string): MeteredWork | undefined {
  return meter.of(pluginId);
}

/** The plugin under whose name this code runs, if any. */
export function currentPlugin(): string | undefined {
  return storage.getStore()?.pluginId;
}

/** Whether this code belongs to a run of its plugin that is over, such as a timer that was not ended. */
export function isLeftOver(): boolean {
  return storage.getStore()?.run?.aborted === true;
}
