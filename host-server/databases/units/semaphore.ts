import { DatabaseError } from '../../sql/database-error.ts';
import type { SharedOptions } from '../database.ts';
import { FairLine, HOST_SHARE, type FairLineLimits } from './fair-line.ts';

export interface SemaphoreLimits extends FairLineLimits {
  /** How long a caller waits for a place before it is told that the database is busy. */
  readonly waitMs: number;
}

/** What most lines allow: a short wait, and no share that fills the line alone. */
export const SHORT_WAIT: SemaphoreLimits = { most: 1000, perShare: 500, waitMs: 2000 };

interface Waiter {
  enter(): void;
  refuse(error: DatabaseError): void;
}

/** Gives a place back; a second call does nothing. */
export type GiveBack = () => void;

/** Lets at most `places` holders in at once; the rest wait in a bounded line in which shares take turns. */
export class Semaphore {
  #free: number;
  readonly #line: FairLine<Waiter>;
  readonly #waitMs: number;

  constructor(places: number, limits: SemaphoreLimits) {
    this.#free = places;
    this.#waitMs = limits.waitMs;
    this.#line = new FairLine(limits);
  }

  /** Rejects with kind `busy` when the line is full or the turn does not come in time, and when the caller's limits are hit. */
  async acquire(options: SharedOptions = {}): Promise<GiveBack> {
    if (options.signal?.aborted === true)
      throw new DatabaseError('cancelled', { cause: options.signal.reason });
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(options);
    let isHeld = true;
    return () => {
      if (isHeld) this.#passOn();
      isHeld = false;
    };
  }

  /** Tells everybody in the line that they need not wait. */
  refuseAll(error: DatabaseError): void {
    for (const waiter of this.#line.clear()) waiter.refuse(error);
  }

  #wait({ share = HOST_SHARE, signal, timeoutMs = Number.POSITIVE_INFINITY }: SharedOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
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

  #passOn(): void {
    const waiter = this.#line.take();
    if (waiter === undefined) this.#free += 1;
    else waiter.enter();
  }
}
