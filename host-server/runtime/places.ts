import { defineErrors } from '@trellis/core';
import { HOST_SHARE } from '../databases/units/fair-line.ts';
import { Semaphore, type GiveBack } from '../databases/units/semaphore.ts';

export const placeErrors = defineErrors({
  TOO_BUSY: { status: 503, message: 'The server is busy. Please try again in a moment.' },
});

/** How many places there are, and who may wait for one. */
export interface PlaceLimits {
  /** Places that are taken at the same time. */
  readonly all: number;
  /** Of these, by one holder. */
  readonly each: number;
  /** When no place is free, a caller waits in a line of its holder. */
  readonly waiting: {
    readonly all: number;
    readonly each: number;
    /** Milliseconds, after which a waiting one is turned away. */
    readonly time: number;
  };
}

/** Gives a place back; a second call does nothing. */
export type Leave = GiveBack;

/**
 * A bounded number of places for requests, of which every holder has a share.
 *
 * A holder is whoever must not take everything: a person, or the network of an address. Places that become free go round among
 * the holders who wait, one each, so that a long line of one holder does not delay another.
 */
export class Places {
  readonly #places: Semaphore;

  constructor({ all, each, waiting }: PlaceLimits) {
    this.#places = new Semaphore(all, {
      held: each,
      most: waiting.all,
      perShare: waiting.each,
      waitMs: waiting.time,
      busy: () => placeErrors.create('TOO_BUSY'),
    });
  }

  /** Places that are taken now. */
  get taken(): number {
    return this.#places.taken;
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.#places.waiting;
  }

  /** Takes a place; undefined when the holder would have to wait. */
  tryEnter(key: string): Leave | undefined {
    return this.#places.tryEnter(shareOf(key));
  }

  /**
   * Takes a place, or waits for one.
   *
   * @throws TrellisError 503 `TOO_BUSY` when the line is full; the promise rejects with it when the waiting takes too long.
   */
  enter(key: string): Leave | Promise<Leave> {
    return this.#places.enter(shareOf(key));
  }
}

/** A connection that is gone has no address, and is not the host, which may hold every place. */
function shareOf(key: string): string {
  return key === HOST_SHARE ? 'nobody' : key;
}
