import { url as debuggerUrl } from 'node:inspector';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { PluginFolders, WatchdogData } from './watchdog-data.ts';

export interface WatchdogOptions {
  /** Seconds that the main thread may stand still; 0 for as long as it likes. */
  readonly limitSeconds: number;
  readonly noteFile: string;
  readonly folders: PluginFolders;
}

/** Milliseconds between two beats of the main thread. */
const pulse = 500;

/**
 * Ends this process when its main thread stands still for too long: an endless loop in a plugin would otherwise stop the server
 * for everybody, signals included. And when a plugin fills its memory, which V8 would end it for without a name. Not while a debugger
 * is attached, which makes it stand still on purpose.
 *
 * @returns ends the watch: Node says at the end of a process that it waits for those who look into it
 */
export function startWatchdog({ limitSeconds, noteFile, folders }: WatchdogOptions): () => Promise<void> {
  if (limitSeconds === 0 || debuggerUrl() !== undefined) return () => Promise.resolve();
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), pulse).unref();
  const heapLimit = getHeapStatistics().heap_size_limit;
  const workerData: WatchdogData = { beats, limitSeconds, heapLimit, noteFile, folders };
  // Stands beside this module in the bundle.
  const worker = new Worker(new URL('./watchdog.worker.mjs', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  worker.on('error', (error) => process.stderr.write(`The watchdog has ended: ${error.message}\n`));
  worker.unref();
  return async () => void (await worker.terminate());
}
