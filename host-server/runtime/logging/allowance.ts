export interface AllowanceOptions {
  /** How often each may within `windowMs`. */
  readonly most: number;
  readonly windowMs: number;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** Bounds how often each of several parties does something, so that one of them leaves room for the others. */
export class Allowance {
  readonly #options: AllowanceOptions;
  readonly #used = new Map<string, { since: number; count: number }>();

  constructor(options: AllowanceOptions) {
    this.#options = options;
  }

  /** Undefined if the party has to leave it; else how often it had to since the last time that it could. */
  take(party: string): number | undefined {
    const { most, windowMs, now = Date.now } = this.#options;
    const time = now();
    const used = this.#used.get(party);
    if (used === undefined || time - used.since >= windowMs) {
      this.#used.set(party, { since: time, count: 1 });
      return Math.max(0, (used?.count ?? 0) - most);
    }
    used.count += 1;
    return used.count > most ? undefined : 0;
  }
}
