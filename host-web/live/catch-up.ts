import type { Clock, Disposable } from '@trellis/core';
import type { LiveCache } from './live-cache.ts';

/** Milliseconds that reading again waits for the live channel. Where that cannot connect, everything is read without it. */
const longestWait = 1500;

export interface CatchUpParts {
  readonly live: { readonly connected: boolean; readonly isStarted: boolean };
  readonly liveCache: Pick<LiveCache, 'readAgainFrom' | 'readFailed'>;
  readonly clock: Clock;
}

/**
 * Reads again what may be old, once for each gap in which nobody told of changes, however many parts of the page notice that it is over.
 *
 * What is read before the live channel is there may be old again by then. So the gap ends with the channel, where there is one.
 */
export class CatchUp implements Disposable {
  readonly #parts: CatchUpParts;
  /** When everything was read again last, in milliseconds. */
  #readAt = -Infinity;
  #stop: () => void = () => undefined;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  /** The live channel is there, or what somebody may see has changed: everything is read again. */
  now(): void {
    this.#stop();
    this.#readAt = this.#parts.clock.now();
    this.#parts.liveCache.readAgainFrom(this.#readAt);
  }

  /** Changes were not heard of: everything is read again with the live channel, or at once where there is none. */
  soon(): void {
    const { live, clock } = this.#parts;
    this.#stop();
    if (live.connected || !live.isStarted) this.now();
    else this.#stop = clock.after(longestWait, () => this.now());
  }

  /** The server answers again that was away since `lostAt` (milliseconds since the epoch). */
  afterLoss(lostAt: number): void {
    const { live, liveCache } = this.#parts;
    // The channel was faster, and all but what failed since is true.
    if (live.connected && this.#readAt >= lostAt) liveCache.readFailed();
    else this.soon();
  }

  dispose(): void {
    this.#stop();
  }
}
