/** The part of the limit from which on it counts how fast memory fills. */
const grown = 0.5;

/** How much memory is in use from one look to the next. */
export class MemoryTrend {
  readonly #limit: number;
  #used: number | undefined;
  #growth = 0;

  /** @param limit bytes that there are */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes down what a look has found. The first one says nothing of growth. */
  add(used: number): void {
    this.#growth = Math.max(0, used - (this.#used ?? used));
    this.#used = used;
  }

  /** Whether so many bytes are that part of the limit, or more than half of it while two more looks like the last would fill the rest. */
  isNearFull(bytes: number, part: number): boolean {
    if (bytes >= this.#limit * part) return true;
    return bytes >= this.#limit * grown && bytes + 2 * this.#growth >= this.#limit;
  }
}
