import { finalOf } from './services.ts';

const mostNotifications = 1000;
/** Places that failed and are remembered as such. */
const mostFailing = 1000;
/** Places that are told at once. */
const toldAtOnce = 4;

/**
 * Tells several places of one notification, a few at a time. One that refuses or does not answer keeps no other from being told: those that
 * failed the last time come last, and of them first those that had the least time. Where the notification is sent again, those that were told already are not told once more. This is remembered
 * in memory alone: after a restart, and by another server, somebody may hear of it twice.
 * @public
 */
export class ToldPlaces {
  readonly #told = new Map<string, Set<string>>();
  /** The places that failed the last time, by which call it was. */
  readonly #failing = new Map<string, number>();
  #calls = 0;

  /**
   * @param id of the notification; without one nothing is remembered
   * @throws what the first place threw that could not be told, once all others were: one that may be told later comes before those that
   * refused for good, so that the notification is sent again
   */
  async tell(
    id: string | undefined,
    places: readonly string[],
    send: (place: string) => Promise<unknown>,
  ): Promise<void> {
    const told = (id === undefined ? undefined : this.#told.get(id)) ?? new Set<string>();
    const untold = [...new Set(places)].filter((place) => !told.has(place));
    // Whatever was told last may have had no time any more, because those before it did not answer.
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

  /** What is told everywhere is not sent again. */
  #keep(id: string, told: Set<string> | undefined): void {
    this.#told.delete(id);
    if (told !== undefined) this.#told.set(id, told);
    for (const oldest of this.#told.keys()) {
      if (this.#told.size <= mostNotifications) return;
      this.#told.delete(oldest);
    }
  }
}
