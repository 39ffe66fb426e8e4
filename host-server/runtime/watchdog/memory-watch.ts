import { Session } from 'node:inspector/promises';
import { bytesByPlugin } from './bytes-by-plugin.ts';
import { MemoryTrend } from './memory-trend.ts';
import type { PluginFolders } from './watchdog-data.ts';

/** Memory that is about to run out, and the plugin that holds much of it. */
export interface FullMemory {
  readonly plugin: string;
  readonly used: number;
  readonly limit: number;
}

/** Parts of the limit. From `watched` on it is noted who asks for memory, which costs next to nothing; nobody is accused below `held`. */
const parts = { watched: 0.4, full: 0.8, stillFull: 0.7, held: 0.3 };
/** Calls that are noted of a full heap, at most: each is told of in the profile, which is sent as one text. */
const samplesAtMost = 16_384;
/** Bytes that are asked for between two of the calls that are noted, on the average and at least. */
const shortestInterval = 256 * 1024;
/** Milliseconds between two looks at all of a large heap, each of which keeps everybody waiting. */
const rest = 10_000;

/**
 * Looks from another thread how much memory the main thread's JavaScript has left. V8 ends a process that runs out of it without a
 * word of whose fault that was, and the next start would run into the same.
 */
export class MemoryWatch {
  readonly #limit: number;
  readonly #folders: PluginFolders;
  #session: Session | undefined;
  #isLooking = false;
  #trend: MemoryTrend;
  #restsUntil = 0;

  /** @param limit bytes that the heap may have */
  constructor(limit: number, folders: PluginFolders) {
    this.#limit = limit;
    this.#folders = folders;
    this.#trend = new MemoryTrend(limit);
  }

  /** To be called again and again. @returns the plugin that fills the memory, once little is left of it */
  async look(): Promise<FullMemory | undefined> {
    if (this.#isLooking) return undefined;
    this.#isLooking = true;
    try {
      // Of the whole process, which is asked of nobody.
      if (process.memoryUsage.rss() >= this.#limit * parts.watched) return await this.#lookCloser();
      this.#session?.disconnect();
      this.#session = undefined;
      this.#trend = new MemoryTrend(this.#limit);
      return undefined;
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookCloser(): Promise<FullMemory | undefined> {
    const session = (this.#session ??= await this.#begin());
    const used = await usedIn(session);
    this.#trend.add(used);
    if (!this.#trend.isNearFull(used, parts.full) || Date.now() < this.#restsUntil) return undefined;
    // This collects first: what is told is in use.
    const { profile } = await session.post('HeapProfiler.getSamplingProfile');
    const inUse = await usedIn(session);
    const [heaviest] = [...bytesByPlugin(profile.head, this.#folders)].toSorted(
      ([, one], [, other]) => other - one,
    );
    if (
      this.#trend.isNearFull(inUse, parts.stillFull) &&
      heaviest !== undefined &&
      heaviest[1] >= this.#limit * parts.held
    )
      return { plugin: heaviest[0], used: inUse, limit: this.#limit };
    this.#restsUntil = Date.now() + rest;
    return undefined;
  }

  async #begin(): Promise<Session> {
    const session = new Session();
    session.connectToMainThread();
    const samplingInterval = Math.max(shortestInterval, Math.ceil(this.#limit / samplesAtMost));
    await session.post('HeapProfiler.startSampling', { samplingInterval });
    return session;
  }
}

async function usedIn(session: Session): Promise<number> {
  // Its answer is missing in Node's types.
  const usage: unknown = await session.post('Runtime.getHeapUsage');
  return (usage as { readonly usedSize: number }).usedSize;
}
