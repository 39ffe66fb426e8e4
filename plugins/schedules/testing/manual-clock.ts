import type { ScheduleClock } from '../server/clock.ts';

/** A clock that moves only when a test says so. */
export class ManualClock implements ScheduleClock {
  #now: number;
  readonly #waiting = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(now: string) {
    this.#now = Date.parse(now);
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const entry = { at: this.#now + milliseconds, run };
    this.#waiting.add(entry);
    return () => void this.#waiting.delete(entry);
  }

  /** Moves to a moment; what was due until then happens. */
  advanceTo(moment: string): void {
    this.#now = Date.parse(moment);
    for (const entry of [...this.#waiting].filter(({ at }) => at <= this.#now)) {
      this.#waiting.delete(entry);
      entry.run();
    }
  }
}
