import { finalOf } from './services.ts';

const mostNotifications = 1000;
/** The most failed places that are remembered. */
const mostFailing = 1000;
/** Places that are sent to at once. */
const toldAtOnce = 4;

/**
 * Sends one notification to several places, a few at a time. A place that refuses or does not answer does not block the others:
 * places that failed last time come last, and of them first those that had the least time. When the notification is sent again,
 * places that received it are skipped. This is remembered in memory only: after a restart, or from another server, a place may
 * receive it twice.
 * @public
 */
export class ToldPlaces {
  readonly #told = new Map<string, Set<string>>();
  /** The places that failed last time, with the number of that call. */
  readonly #failing = new Map<string, number>();
  #calls = 0;

  /**
   * @param id of the notification; without one nothing is remembered
   * @throws the error of the first failed place, after all others were tried: one that may succeed later comes before final
   *   refusals, so that the notification is sent again
   */
  async tell(
    id: string | undefined,
    places: readonly string[],
    send: (place: string) => Promise<unknown>,
  ): Promise<void> {
    const told = (id === undefined ? undefined : this.#told.get(id)) ?? new Set<string>();
    const untold = [...new Set(places)].filter((place) => !told.has(place));
    // The latest failure may only have been out of time, because earlier places did not answer.
    const last = this.#calls + 1;
    const rankOf = (place: string) => last - (this.#failing.get(place) ?? last);
    const waiting = untold.toSorted((a, b) => rankOf(a) - rankOf(b)).values();
    const failed = new Map<string, unknown>();
    const tellOthers = async () => {
      for (const place of waiting) {
        const call = (this.#calls += 1);
        try {
          await send(place);
          told.add(place);
          this.#failing.delete(place);
        } catch (error) {
          failed.set(place, error);
          this.#noteFailing(place, call);
        }
      }
    };
    await Promise.all(Array.from({ length: toldAtOnce }, tellOthers));
    if (id !== undefined) this.#keep(id, failed.size === 0 ? undefined : told);
    const failures = untold.filter((place) => failed.has(place)).map((place) => failed.get(place));
    if (failures.length > 0) throw failures.find((error) => finalOf(error) === undefined) ?? failures[0];
  }

  #noteFailing(place: string, call: number): void {
    this.#failing.delete(place);
    this.#failing.set(place, call);
    const [oldest] = this.#failing.keys();
    if (this.#failing.size > mostFailing && oldest !== undefined) this.#failing.delete(oldest);
  }

  /** A notification that reached all places is not sent again. */
  #keep(id: string, told: Set<string> | undefined): void {
    this.#told.delete(id);
    if (told !== undefined) this.#told.set(id, told);
    for (const oldest of this.#told.keys()) {
      if (this.#told.size <= mostNotifications) return;
      this.#told.delete(oldest);
    }
  }
}
