import type { IncomingMessage } from 'node:http';
import type { RouteDefinition } from '@trellis/sdk/server';
import type { Leave } from '../runtime/places.ts';
import type { Claimant, RequestPlaces } from './request-places.ts';

/** The place that a call holds; it goes from one kind to the next as the call goes on. */
export class HeldPlace {
  readonly #places: RequestPlaces;
  readonly #claimant: Claimant;
  readonly #kind: RouteDefinition['places'];
  #leave: Leave = () => undefined;

  constructor(places: RequestPlaces, claimant: Claimant, kind: RouteDefinition['places']) {
    this.#places = places;
    this.#claimant = claimant;
    this.#kind = kind;
  }

  /** Takes the place in which the handler runs. All methods that take one throw TrellisError 503 `TOO_BUSY`. */
  enter(): void | Promise<void> {
    const leave = this.#places.enter(this.#claimant, this.#kind);
    if (typeof leave === 'function') this.#leave = leave;
    else return this.#waitFor(leave);
  }

  /**
   * Leaves for as long as a body takes to arrive, which its sender decides, and comes back.
   *
   * @param drop gives up what was read, where there is no place to come back to.
   */
  async whileReading<T>(
    request: IncomingMessage,
    body: () => Promise<T>,
    drop?: (read: T) => Promise<void>,
  ): Promise<T> {
    this.#leave();
    this.#leave = await this.#places.enterBody(this.#claimant, () => void request.destroy());
    let read: T;
    try {
      read = await body();
    } finally {
      this.#leave();
    }
    try {
      await this.enter();
    } catch (error) {
      await drop?.(read);
      throw error;
    }
    return read;
  }

  /** Leaves for a place of streamed answers, which last as long as their reader reads. */
  async enterStream(): Promise<void> {
    this.#leave();
    this.#leave = await this.#places.enterStream(this.#claimant);
  }

  /** Room for an answer of so many bytes while it waits for its reader. */
  holdAnswer(bytes: number): Leave {
    return this.#places.holdAnswer(this.#claimant, bytes);
  }

  async #waitFor(place: Promise<Leave>): Promise<void> {
    this.#leave = await place;
  }

  leave(): void {
    this.#leave();
  }
}
