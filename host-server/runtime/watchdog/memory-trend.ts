/** The part of the limit above which the speed of growth counts. */
const grown = 0.5;

/** The memory in use from one check to the next. */
export class MemoryTrend {
  readonly #limit: number;
  #used: number | undefined;
  #growth = 0;

  /** @param limit the available bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records a measurement. The first one says nothing about growth. */
  add(used: number): void {
    this.#growth = Math.max(0, used - (this.#used ?? used));
    this.#used = used;
  }

  /** Whether the bytes exceed that part of the limit, or exceed half of it while two more steps like the last would fill the rest. */
  isNearFull(bytes: number, part: number): boolean {
    if (bytes >= this.#limit * part) return true;
    return bytes >= this.#limit * grown && bytes + 2 * this.#growth >= this.#limit;
  }
}
