import { placeErrors, type Leave } from './places.ts';

/** The most bytes that may be held at the same time, and by one holder. */
export interface ByteLimits {
  readonly all: number;
  readonly each: number;
}

/** A bounded number of bytes in memory, with a share for each holder. Nobody waits, since memory may be held for long. */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** @throws TrellisError 503 `TOO_BUSY` when it would be too many bytes */
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
