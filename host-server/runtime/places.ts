import { defineErrors } from '@trellis/core';
import { HOST_SHARE } from '../databases/units/fair-line.ts';
import { Semaphore, type GiveBack } from '../databases/units/semaphore.ts';

export const placeErrors = defineErrors({
  TOO_BUSY: { status: 503, message: 'The server is busy. Please try again in a moment.' },
});

/** The number of places, and who may wait for one. */
export interface PlaceLimits {
  /** The most places that are taken at the same time. */
  readonly all: number;
  /** The most places of one holder. */
  readonly each: number;
  /** When no place is free, a caller waits in its holder's line. */
  readonly waiting: {
    readonly all: number;
    readonly each: number;
    /** Milliseconds after which a waiting caller is rejected. */
    readonly time: number;
  };
}

/** Returns a place; a second call does nothing. */
export type Leave = GiveBack;

/**
 * A bounded number of places for requests, of which every holder has a share.
 *
 * A holder is a person, or the network of an address. Free places go to the waiting holders in turn, so that a long line of one
 * holder does not delay another.
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

/** The share of a connection. One that is gone has no address, and must not be counted as the host, which may hold every place. */
function shareOf(key: string): string {
  return key === HOST_SHARE ? 'nobody' : key;
}
