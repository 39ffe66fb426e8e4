import type { Leave } from './places.ts';

/** How many may be arriving at the same time, and how many of these from one holder. */
export interface ArrivalLimits {
  readonly all: number;
  readonly each: number;
}

interface Arrival {
  readonly key: string;
  cut(): void;
}

/**
 * Places for unfinished arrivals of strangers: half-sent bodies, and connections on which nobody has signed in.
 *
 * Nobody waits for such a place. An honest arrival takes moments, so when a share is used up, the arrival that has taken longest
 * is cut off.
 */
export class Arrivals {
  readonly #limits: ArrivalLimits;
  /** The oldest first. */
  readonly #arriving = new Set<Arrival>();
  readonly #countOf = new Map<string, number>();

  constructor(limits: ArrivalLimits) {
    this.#limits = limits;
  }

  /** @param cut ends the arrival when it has to make room */
  enter(key: string, cut: () => void): Leave {
    const own = this.#countOf.get(key) ?? 0;
    if (own >= this.#limits.each) this.#cutOldest((arrival) => arrival.key === key);
    else if (this.#arriving.size >= this.#limits.all) this.#cutOldest(() => true);
    const arrival: Arrival = { key, cut };
    this.#arriving.add(arrival);
    this.#countOf.set(key, (this.#countOf.get(key) ?? 0) + 1);
    return () => this.#remove(arrival);
  }

  #cutOldest(isMeant: (arrival: Arrival) => boolean): void {
    for (const arrival of this.#arriving) {
      if (!isMeant(arrival)) continue;
      this.#remove(arrival);
      arrival.cut();
      return;
    }
  }

  #remove(arrival: Arrival): void {
    if (!this.#arriving.delete(arrival)) return;
    const left = (this.#countOf.get(arrival.key) ?? 1) - 1;
    if (left > 0) this.#countOf.set(arrival.key, left);
    else this.#countOf.delete(arrival.key);
  }
}
