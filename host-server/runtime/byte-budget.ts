import { placeErrors, type Leave } from './places.ts';

/** How many bytes may be held at the same time, and how many of these by one holder. */
export interface ByteLimits {
  readonly all: number;
  readonly each: number;
}

/** A bounded number of bytes in memory, of which every holder has a share. Nobody waits: who holds memory may hold it for long. */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** @throws TrellisError 503 `TOO_BUSY` when the bytes would be too many. */
  take(key: string, bytes: number): Leave {
    const own = this.#heldBy.get(key) ?? 0;
    if (this.#held + bytes > this.#limits.all || own + bytes > this.#limits.each)
      throw placeErrors.create('TOO_BUSY');
    this.#add(key, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#add(key, -bytes);
      isHeld = false;
    };
  }

  #add(key: string, bytes: number): void {
    this.#held += bytes;
    const own = (this.#heldBy.get(key) ?? 0) + bytes;
    if (own > 0) this.#heldBy.set(key, own);
    else this.#heldBy.delete(key);
  }
}
