import { defineErrors } from '@trellis/core';

export const placeErrors = defineErrors({
  TOO_BUSY: { status: 503, message: 'The server is busy. Please try again in a moment.' },
});

/** How many places there are, and who may wait for one. */
export interface PlaceLimits {
  /** Places that are taken at the same time. */
  readonly all: number;
  /** Of these, by one holder. */
  readonly each: number;
  /** Who comes when no place is free waits in a line of the holder's own. */
  readonly waiting: {
    readonly all: number;
    readonly each: number;
    /** Milliseconds, after which a waiting one is turned away. */
    readonly time: number;
  };
}

/** Gives a place back; a second call does nothing. */
export type Leave = () => void;

interface Waiter {
  readonly holder: Holder;
  readonly admit: (leave: Leave) => void;
  readonly timer: NodeJS.Timeout;
}

const fewHolders = 1000;

/** What one holder has. */
interface Holder {
  readonly key: string;
  taken: number;
  readonly line: Waiter[];
}

/**
 * A bounded number of places, of which every holder has a share.
 *
 * A holder is whoever must not take everything: a person, or the network of an address. Places that become free go round among
 * the holders who wait, one each, so that a long line of one holder does not delay another.
 */
export class Places {
  readonly #limits: PlaceLimits;
  /** Holders who have or had something. */
  readonly #holders = new Map<string, Holder>();
  /** How many holders there may be until those who have nothing are forgotten. */
  #mostHolders = fewHolders;
  /** Holders who wait and have not used up their share, the next one first. */
  readonly #turns = new Set<Holder>();
  #taken = 0;
  #waiting = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Places that are taken now. */
  get taken(): number {
    return this.#taken;
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a place; undefined when the holder would have to wait. */
  tryEnter(key: string): Leave | undefined {
    const holder = this.#holderOf(key);
    // Whoever waits comes first: places are only free here while nobody waits for them.
    return this.#taken < this.#limits.all && holder.taken < this.#limits.each
      ? this.#take(holder)
      : undefined;
  }

  /**
   * Takes a place, or waits for one.
   *
   * @throws TrellisError 503 `TOO_BUSY` when the line is full; the promise rejects with it when the waiting takes too long.
   */
  enter(key: string): Leave | Promise<Leave> {
    return this.tryEnter(key) ?? this.#wait(key);
  }

  #wait(key: string): Promise<Leave> {
    const { waiting } = this.#limits;
    const holder = this.#holderOf(key);
    if (this.#waiting >= waiting.all || holder.line.length >= waiting.each)
      throw placeErrors.create('TOO_BUSY');
    this.#waiting += 1;
    return new Promise((admit, refuse) => {
      const waiter: Waiter = {
        holder,
        admit,
        timer: setTimeout(() => {
          this.#forget(waiter);
          refuse(placeErrors.create('TOO_BUSY'));
        }, waiting.time).unref(),
      };
      holder.line.push(waiter);
      if (holder.taken < this.#limits.each) this.#turns.add(holder);
    });
  }

  #take(holder: Holder): Leave {
    this.#taken += 1;
    holder.taken += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      holder.taken -= 1;
      if (holder.line.length > 0) this.#turns.add(holder);
      this.#admitNext();
    };
  }

  /** Gives a free place to the holder whose turn it is. */
  #admitNext(): void {
    const [holder] = this.#turns;
    const waiter = holder?.line.shift();
    if (waiter === undefined) return;
    clearTimeout(waiter.timer);
    this.#waiting -= 1;
    const leave = this.#take(waiter.holder);
    this.#turns.delete(waiter.holder);
    if (waiter.holder.line.length > 0 && waiter.holder.taken < this.#limits.each)
      this.#turns.add(waiter.holder);
    waiter.admit(leave);
  }

  #forget(waiter: Waiter): void {
    const { holder } = waiter;
    holder.line.splice(holder.line.indexOf(waiter), 1);
    this.#waiting -= 1;
    if (holder.line.length === 0) this.#turns.delete(holder);
  }

  #holderOf(key: string): Holder {
    const known = this.#holders.get(key);
    if (known !== undefined) return known;
    if (this.#holders.size >= this.#mostHolders) this.#forgetIdle();
    const holder = { key, taken: 0, line: [] };
    this.#holders.set(key, holder);
    return holder;
  }

  /** Not after each call: the tables of a map whose entries come and go refer to each other and to what they held. */
  #forgetIdle(): void {
    for (const { key, taken, line } of this.#holders.values())
      if (taken === 0 && line.length === 0) this.#holders.delete(key);
    this.#mostHolders = Math.max(fewHolders, 2 * this.#holders.size);
  }
}
