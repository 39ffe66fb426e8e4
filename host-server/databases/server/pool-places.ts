import type { ReadOptions } from '../database.ts';
import { Semaphore, SHORT_WAIT, type GiveBack } from '../units/semaphore.ts';

/** Connections that are reserved for the host's own reads and writes, in a pool that is large enough. */
const RESERVED = 2;
/** Pages and writes are short and shares take turns, so their queue moves. Milliseconds. */
const PAGE_WAIT_MS = 10_000;
/**
 * The most places for pages that one share leaves to the others: its pages may be slow, and then nothing moves until they are
 * cancelled. In a small pool it leaves fewer: a page reads its rows and their count side by side.
 */
const LEFT_TO_OTHERS = 2;

/**
 * Divides the connections of a pool: long reads take at most half of them, and long reads, pages and the writes of people together
 * leave two free, so that a person can sign in while others search or paste.
 */
export class PoolPlaces {
  readonly #pages: Semaphore;
  readonly #longs: Semaphore;

  /** @param connections the pool's most connections */
  constructor(connections: number) {
    const pages = Math.max(1, connections - RESERVED);
    const held = pages - Math.min(LEFT_TO_OTHERS, Math.floor(pages / 3));
    this.#pages = new Semaphore(pages, { ...SHORT_WAIT, waitMs: PAGE_WAIT_MS, held });
    const longs = Math.max(1, Math.floor(connections / 2));
    this.#longs = new Semaphore(longs, { ...SHORT_WAIT, held: Math.max(1, longs - 1) });
  }

  async enter({ work = 'point', share, signal }: ReadOptions): Promise<GiveBack> {
    if (work === 'point') return () => {};
    if (work === 'page') return this.#pages.acquire({ share, signal });
    const leaveLongs = await this.#longs.acquire({ share, signal });
    try {
      const leavePages = await this.#pages.acquire({ share, signal });
      return () => {
        leavePages();
        leaveLongs();
      };
    } catch (error) {
      leaveLongs();
      throw error;
    }
  }
}
