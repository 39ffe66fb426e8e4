import { DatabaseError } from '../../sql/database-error.ts';
import type { SharedOptions } from '../database.ts';
import { FairLine, HOST_SHARE, type FairLineLimits } from './fair-line.ts';

export interface SemaphoreLimits extends FairLineLimits {
  /** How long a caller waits for a place before it is told that the database is busy. */
  readonly waitMs: number;
  /** Places that one share may hold at a time; the host may hold all. Default: all. */
  readonly held?: number;
}

/** What most lines allow: a short wait, and no share that fills the line alone. */
export const SHORT_WAIT: SemaphoreLimits = { most: 1000, perShare: 500, waitMs: 2000 };

interface Waiter {
  readonly share: string;
  enter(): void;
  refuse(error: DatabaseError): void;
}

/** Gives a place back; a second call does nothing. */
export type GiveBack = () => void;

/** Lets at most `places` holders in at once; the rest wait in a bounded line in which shares take turns. */
export class Semaphore {
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #mostHeld: number;
  readonly #line: FairLine<Waiter>;
  readonly #waitMs: number;

  constructor(places: number, limits: SemaphoreLimits) {
    this.#free = places;
    this.#waitMs = limits.waitMs;
    this.#mostHeld = limits.held ?? places;
    this.#line = new FairLine(limits);
  }

  /** Rejects with kind `busy` when the line is full or the turn does not come in time, and when the caller's limits are hit. */
  async acquire(options: SharedOptions = {}): Promise<GiveBack> {
    if (options.signal?.aborted === true)
      throw new DatabaseError('cancelled', { cause: options.signal.reason });
    const { share = HOST_SHARE } = options;
    if (this.#free > 0 && this.#mayHold(share)) this.#take(share);
    else await this.#wait({ ...options, share });
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(share);
      isHeld = false;
    };
  }

  /** Tells everybody in the line that they need not wait. */
  refuseAll(error: DatabaseError): void {
    for (const waiter of this.#line.clear()) waiter.refuse(error);
  }

  #mayHold(share: string): boolean {
    return share === HOST_SHARE || (this.#held.get(share) ?? 0) < this.#mostHeld;
  }

  #take(share: string): void {
    this.#free -= 1;
    this.#held.set(share, (this.#held.get(share) ?? 0) + 1);
  }

  #wait({
    share,
    signal,
    timeoutMs = Number.POSITIVE_INFINITY,
  }: SharedOptions & { share: string }): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        share,
        enter: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const giveUp = (kind: 'busy' | 'cancelled' | 'timeout') => {
        if (this.#line.remove(waiter, share)) waiter.refuse(new DatabaseError(kind));
      };
      const onAbort = () => giveUp('cancelled');
      this.#line.add(waiter, share);
      const timer = setTimeout(
        () => giveUp(timeoutMs < this.#waitMs ? 'timeout' : 'busy'),
        Math.min(timeoutMs, this.#waitMs),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #giveBack(share: string): void {
    this.#free += 1;
    const held = (this.#held.get(share) ?? 1) - 1;
    if (held === 0) this.#held.delete(share);
    else this.#held.set(share, held);
    const waiter = this.#line.take((waiting) => this.#mayHold(waiting));
    if (waiter === undefined) return;
    this.#take(waiter.share);
    waiter.enter();
  }
}
