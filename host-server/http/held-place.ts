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
  #isOver = false;

  constructor(places: RequestPlaces, claimant: Claimant, kind: RouteDefinition['places']) {
    this.#places = places;
    this.#claimant = claimant;
    this.#kind = kind;
  }

  /** Takes the place in which the handler runs. All methods that take one throw TrellisError 503 `TOO_BUSY`. */
  enter(): void | Promise<void> {
    this.#leave();
    const leave = this.#places.enter(this.#claimant, this.#kind);
    if (typeof leave === 'function') this.#hold(leave);
    else return leave.then((entered) => this.#hold(entered));
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
    const arrived = await this.whileArriving(request);
    let read: T;
    try {
      read = await body();
    } finally {
      this.#leave();
    }
    try {
      await arrived();
    } catch (error) {
      await drop?.(read);
      throw error;
    }
    return read;
  }

  /** As `whileReading`, for a body that the handler itself reads as it arrives. Gives how to come back once all of it has. */
  async whileArriving(request: IncomingMessage): Promise<() => void | Promise<void>> {
    this.#leave();
    this.#hold(await this.#places.enterBody(this.#claimant, () => void request.destroy()));
    return () => this.enter();
  }

  /** Leaves for a place of streamed answers, which last as long as their reader reads. */
  async enterStream(): Promise<void> {
    this.#leave();
    this.#hold(await this.#places.enterStream(this.#claimant));
  }

  /** Room for an answer of so many bytes while it waits for its reader. */
  holdAnswer(bytes: number): Leave {
    return this.#places.holdAnswer(this.#claimant, bytes);
  }

  /** A body that nobody reads may still arrive after the call was answered. */
  #hold(leave: Leave): void {
    this.#leave();
    this.#leave = leave;
    if (this.#isOver) leave();
  }

  leave(): void {
    this.#isOver = true;
    this.#leave();
  }
}
