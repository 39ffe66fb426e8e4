import { url as debuggerUrl } from 'node:inspector';
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
 * for everybody, signals included. Not while a debugger is attached, which makes it stand still on purpose.
 */
export function startWatchdog({ limitSeconds, noteFile, folders }: WatchdogOptions): void {
  if (limitSeconds === 0 || debuggerUrl() !== undefined) return;
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), pulse).unref();
  const workerData: WatchdogData = { beats, limitSeconds, noteFile, folders };
  // Stands beside this module in the bundle.
  const worker = new Worker(new URL('./watchdog.worker.mjs', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  worker.on('error', (error) => process.stderr.write(`The watchdog has ended: ${error.message}\n`));
  worker.unref();
}
