import { Session } from 'node:inspector/promises';
import { bytesByPlugin } from './bytes-by-plugin.ts';
import { MemoryTrend } from './memory-trend.ts';
import type { PluginFolders } from './watchdog-data.ts';

/** A nearly full memory, and the plugin that holds much of it. */
export interface FullMemory {
  readonly plugin: string;
  readonly used: number;
  readonly limit: number;
}

/** Parts of the limit. From `watched` on the heap itself is measured; a plugin that holds less than `held` is not blamed. */
const parts = { watched: 0.4, full: 0.8, stillFull: 0.7, held: 0.3 };
/** The most sampled calls of a full heap: the profile contains each, and is sent as one text. */
const samplesAtMost = 16_384;
/** The least average number of bytes between two sampled allocations. Sampling them costs almost nothing. */
const shortestInterval = 256 * 1024;
/** Milliseconds between two profiles of a large heap, each of which delays everybody. */
const rest = 10_000;

/**
 * Watches from another thread how much memory is left for the main thread's JavaScript, and who holds it. When memory runs out, V8
 * ends the process without telling the cause, and the next start might end the same way.
 */
export class MemoryWatch {
  readonly #limit: number;
  readonly #folders: PluginFolders;
  /** Allocations are sampled from the beginning: nobody can tell later who made the earlier ones. */
  readonly #sampling: Promise<Session>;
  #isLooking = false;
  #trend: MemoryTrend;
  #restsUntil = 0;

  /** @param limit the most bytes of the heap */
  constructor(limit: number, folders: PluginFolders) {
    this.#limit = limit;
    this.#folders = folders;
    this.#trend = new MemoryTrend(limit);
    this.#sampling = beginSampling(limit);
    // Whoever looks or measures meets the error.
    this.#sampling.catch(() => {});
  }

  /** Call repeatedly. @returns the plugin that fills the memory, once little is left */
  async look(): Promise<FullMemory | undefined> {
    if (this.#isLooking) return undefined;
    this.#isLooking = true;
    try {
      // The memory of the whole process is measured without a message to the main thread.
      if (process.memoryUsage.rss() >= this.#limit * parts.watched) return await this.#lookCloser();
      this.#trend = new MemoryTrend(this.#limit);
      return undefined;
    } finally {
      this.#isLooking = false;
    }
  }

  /** Estimates the bytes in use by each plugin. Garbage is collected first, which delays everybody. */
  async measure(): Promise<ReadonlyMap<string, number>> {
    const session = await this.#sampling;
    const { profile } = await session.post('HeapProfiler.getSamplingProfile');
    return bytesByPlugin(profile.head, this.#folders);
  }

  async #lookCloser(): Promise<FullMemory | undefined> {
    const session = await this.#sampling;
    const used = await usedIn(session);
    this.#trend.add(used);
    if (!this.#trend.isNearFull(used, parts.full) || Date.now() < this.#restsUntil) return undefined;
    const bytes = await this.measure();
    const inUse = await usedIn(session);
    const [heaviest] = [...bytes].toSorted(([, one], [, other]) => other - one);
    if (
      this.#trend.isNearFull(inUse, parts.stillFull) &&
      heaviest !== undefined &&
      heaviest[1] >= this.#limit * parts.held
    )
      return { plugin: heaviest[0], used: inUse, limit: this.#limit };
    this.#restsUntil = Date.now() + rest;
    return undefined;
  }
}

async function beginSampling(limit: number): Promise<Session> {
  const session = new Session();
  session.connectToMainThread();
  const samplingInterval = Math.max(shortestInterval, Math.ceil(limit / samplesAtMost));
  await session.post('HeapProfiler.startSampling', { samplingInterval });
  return session;
}

async function usedIn(session: Session): Promise<number> {
  // Node's types lack the answer.
  const usage: unknown = await session.post('Runtime.getHeapUsage');
  return (usage as { readonly usedSize: number }).usedSize;
}
