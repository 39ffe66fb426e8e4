import { url as debuggerUrl } from 'node:inspector';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { HeldMemory } from '@trellis/sdk/server';
import { MeasuredMemory } from './measured-memory.ts';
import { measureRequest, type HeldBytes, type PluginFolders, type WatchdogData } from './watchdog-data.ts';

export interface WatchdogOptions {
  /** Seconds that the main thread may hang; 0 for no limit. */
  readonly limitSeconds: number;
  readonly noteFile: string;
  readonly folders: PluginFolders;
}

export interface Watchdog {
  /** What plugins hold in memory; undefined where nobody watches. */
  heldMemory(): Promise<HeldMemory | undefined>;
  /** Ends the watch, which would otherwise make Node report at its end that it waits for the debugger to disconnect. */
  stop(): Promise<void>;
}

/** Milliseconds between two beats of the main thread. */
const pulse = 500;

/**
 * Ends this process when its main thread hangs for too long: an endless loop in a plugin would otherwise block the server for
 * everybody, even for signals. Also ends it when a plugin fills the memory, before V8 ends it without naming the plugin. Does
 * nothing while a debugger is attached, which stops the thread on purpose.
 */
export function startWatchdog({ limitSeconds, noteFile, folders }: WatchdogOptions): Watchdog {
  if (limitSeconds === 0 || debuggerUrl() !== undefined)
    return { heldMemory: () => Promise.resolve(undefined), stop: () => Promise.resolve() };
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), pulse).unref();
  const heapLimit = getHeapStatistics().heap_size_limit;
  const workerData: WatchdogData = { beats, limitSeconds, heapLimit, noteFile, folders };
  // In the bundle the file is beside this module.
  const worker = new Worker(new URL('./watchdog.worker.mjs', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  worker.on('error', (error) => process.stderr.write(`The watchdog has ended: ${error.message}\n`));
  worker.unref();
  const measured = new MeasuredMemory(() => measureIn(worker));
  return {
    heldMemory: () => measured.read(),
    async stop() {
      await worker.terminate();
    },
  };
}

/** Asks the watchdog's thread. @returns undefined where it has ended or cannot measure */
function measureIn(worker: Worker): Promise<HeldBytes | undefined> {
  return new Promise((resolve) => {
    const settle = (held: HeldBytes | undefined) => {
      worker.off('message', settle).off('exit', end);
      worker.unref();
      resolve(held);
    };
    const end = () => settle(undefined);
    worker.on('message', settle).on('exit', end);
    worker.postMessage(measureRequest);
  });
}
