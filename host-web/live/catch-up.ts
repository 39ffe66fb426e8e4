import type { Clock, Disposable } from '@trellis/core';
import type { LiveCache } from './live-cache.ts';

/** Milliseconds to wait for the live channel before reading again. If it cannot connect, everything is read without it. */
const longestWait = 1500;

export interface CatchUpParts {
  readonly live: { readonly connected: boolean; readonly isStarted: boolean };
  readonly liveCache: Pick<LiveCache, 'readAgainFrom' | 'readFailed'>;
  readonly clock: Clock;
}

/**
 * Reads possibly outdated data again, once for each gap in which no changes were reported, even if several parts of the page notice
 * the gap's end.
 *
 * Data that is read before the live channel connects may become outdated at once. So the gap ends with the connection of the
 * channel, if it can connect.
 */
export class CatchUp implements Disposable {
  readonly #parts: CatchUpParts;
  /** When everything was last read again, in milliseconds. */
  #readAt = -Infinity;
  #stop: () => void = () => undefined;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  /** The live channel has connected, or the person's rights have changed: reads everything again. */
  now(): void {
    this.#stop();
    this.#readAt = this.#parts.clock.now();
    this.#parts.liveCache.readAgainFrom(this.#readAt);
  }

  /** Changes were missed: reads everything again when the live channel connects, or at once if there is none. */
  soon(): void {
    const { live, clock } = this.#parts;
    this.#stop();
    if (live.connected || !live.isStarted) this.now();
    else this.#stop = clock.after(longestWait, () => this.now());
  }

  /** The server answers again; it was away since `lostAt` (milliseconds since the epoch). */
  afterLoss(lostAt: number): void {
    const { live, liveCache } = this.#parts;
    // The channel reconnected first, so everything is current except what failed since.
    if (live.connected && this.#readAt >= lostAt) liveCache.readFailed();
    else this.soon();
  }

  dispose(): void {
    this.#stop();
  }
}
