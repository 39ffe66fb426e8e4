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
  refuse(error: Error): void;
}

const fewShares = 1000;

/** Gives a place back; a second call does nothing. */
export type GiveBack = () => void;

/** Lets at most `places` holders in at once; the rest wait in a bounded line in which shares take turns. */
export class Semaphore {
  readonly #places: number;
  #taken = 0;
  /** How many places each share holds, of those that have or had one. */
  readonly #held = new Map<string, number>();
  /** How many shares may be known until those that hold nothing are forgotten. */
  #mostShares = fewShares;
  readonly #mostHeld: number;
  readonly #line: FairLine<Waiter>;
  readonly #waitMs: number;

  constructor(places: number, limits: SemaphoreLimits) {
    this.#places = places;
    this.#waitMs = limits.waitMs;
    this.#mostHeld = limits.held ?? places;
    this.#line = new FairLine(limits);
  }

  /** Places that are taken now. */
  get taken(): number {
    return this.#taken;
  }

  /** Callers that wait now. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Rejects with kind `busy` when the line is full or the turn does not come in time, and when the caller's limits are hit. */
  async acquire(options: SharedOptions = {}): Promise<GiveBack> {
    if (options.signal?.aborted === true)
      throw new DatabaseError('cancelled', { cause: options.signal.reason });
    const { share = HOST_SHARE } = options;
    return this.enter(share, options);
  }

  /** Takes a place; undefined when the share would have to wait. */
  tryEnter(share: string): GiveBack | undefined {
    // Callers in the line come first: a place is free here only while nobody in the line may take it.
    return this.#taken < this.#places && this.#mayHold(share) ? this.#take(share) : undefined;
  }

  /** As `acquire`, at once where a place is free. Throws where there is no room to wait. */
  enter(share: string, options: Omit<SharedOptions, 'share'> = {}): GiveBack | Promise<GiveBack> {
    return this.tryEnter(share) ?? this.#wait(share, options);
  }

  /** Tells everybody in the line that they need not wait. */
  refuseAll(error: Error): void {
    for (const waiter of this.#line.clear()) waiter.refuse(error);
  }

  #mayHold(share: string): boolean {
    return share === HOST_SHARE || (this.#held.get(share) ?? 0) < this.#mostHeld;
  }

  #take(share: string): GiveBack {
    const held = this.#held.get(share);
    if (held === undefined && this.#held.size >= this.#mostShares) this.#forgetIdle();
    this.#held.set(share, (held ?? 0) + 1);
    this.#taken += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(share);
      isHeld = false;
    };
  }

  #wait(
    share: string,
    { signal, timeoutMs = Number.POSITIVE_INFINITY }: Omit<SharedOptions, 'share'>,
  ): Promise<GiveBack> {
    this.#line.assertRoom(share);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        share,
        enter: () => {
          leave();
          resolve(this.#take(share));
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const giveUp = (error: Error) => {
        if (this.#line.remove(waiter, share)) waiter.refuse(error);
      };
      const onAbort = () => giveUp(new DatabaseError('cancelled'));
      this.#line.add(waiter, share);
      const timer = setTimeout(
        () => giveUp(timeoutMs < this.#waitMs ? new DatabaseError('timeout') : this.#line.busy()),
        Math.min(timeoutMs, this.#waitMs),
      ).unref();
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #giveBack(share: string): void {
    this.#taken -= 1;
    this.#held.set(share, (this.#held.get(share) ?? 1) - 1);
    this.#line.take((waiting) => this.#mayHold(waiting))?.enter();
  }

  /** Not after each call: the tables of a map whose entries come and go refer to each other and to what they held. */
  #forgetIdle(): void {
    for (const [share, held] of this.#held) if (held === 0) this.#held.delete(share);
    this.#mostShares = Math.max(fewShares, 2 * this.#held.size);
  }
}
