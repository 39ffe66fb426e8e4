import type { HeldMemory } from '@trellis/sdk/server';
import type { HeldBytes } from './watchdog-data.ts';

/** Milliseconds for which a measurement is good: each collects garbage, which delays everybody. */
const freshFor = 60_000;

/** The last measurement of the memory that plugins hold, shared by all who ask. */
export class MeasuredMemory {
  readonly #measure: () => Promise<HeldBytes | undefined>;
  #measured: Promise<HeldMemory | undefined> | undefined;
  #until = 0;

  constructor(measure: () => Promise<HeldBytes | undefined>) {
    this.#measure = measure;
  }

  read(): Promise<HeldMemory | undefined> {
    const now = performance.now();
    if (this.#measured === undefined || now >= this.#until) {
      this.#until = now + freshFor;
      this.#measured = this.#measureNow();
    }
    return this.#measured;
  }

  async #measureNow(): Promise<HeldMemory | undefined> {
    const bytes = await this.#measure();
    return bytes && { at: new Date().toISOString(), bytes: Object.fromEntries(bytes) };
  }
}
