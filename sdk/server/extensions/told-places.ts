import { finalOf } from './services.ts';

const mostNotifications = 1000;

/**
 * Tells several places of one notification. One that refuses keeps no other from being told, and where the notification is sent again, those
 * that were told already are not told once more. This is remembered in memory alone: after a restart, and by another server, somebody may hear
 * of it twice.
 * @public
 */
export class ToldPlaces {
  readonly #told = new Map<string, Set<string>>();

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
    const failures: unknown[] = [];
    for (const place of new Set(places)) {
      if (told.has(place)) continue;
      try {
        await send(place);
        told.add(place);
      } catch (error) {
        failures.push(error);
      }
    }
    if (id !== undefined) this.#keep(id, failures.length === 0 ? undefined : told);
    if (failures.length > 0) throw failures.find((error) => finalOf(error) === undefined) ?? failures[0];
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
