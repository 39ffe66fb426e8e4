import { httpErrors } from './http-errors.ts';

/** Requests that are worked on at the same time. */
const mostInFlight = 500;
/** Bodies that the server waits for at the same time, from everybody and from one address. */
const mostBodies = 2000;
const mostBodiesOfOne = 100;

/**
 * Counts the requests that are under way, and turns away what would be too many.
 *
 * A request whose body is still coming takes no place among those that are worked on: its client decides how long it takes, and a
 * few hundred slow ones would shut everybody out. They are counted apart, by address.
 */
export class Admission {
  #inFlight = 0;
  #bodies = 0;
  readonly #bodiesOf = new Map<string, number>();

  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Takes a place until the returned function is called.
   *
   * @throws TrellisError `TOO_BUSY` when all places are taken.
   */
  enter(): () => void {
    if (this.#inFlight >= mostInFlight) throw httpErrors.create('TOO_BUSY');
    this.#inFlight += 1;
    return () => {
      this.#inFlight -= 1;
    };
  }

  /**
   * Reads the body of a request that has a place, which it leaves meanwhile. What has been read whole is not turned away.
   *
   * @throws TrellisError `TOO_BUSY`, and what reading throws.
   */
  async whileReading<T>(address: string, read: () => Promise<T>): Promise<T> {
    const own = this.#bodiesOf.get(address) ?? 0;
    if (this.#bodies >= mostBodies || own >= mostBodiesOfOne) throw httpErrors.create('TOO_BUSY');
    this.#bodies += 1;
    this.#bodiesOf.set(address, own + 1);
    this.#inFlight -= 1;
    try {
      return await read();
    } finally {
      this.#inFlight += 1;
      this.#bodies -= 1;
      const left = (this.#bodiesOf.get(address) ?? 1) - 1;
      if (left > 0) this.#bodiesOf.set(address, left);
      else this.#bodiesOf.delete(address);
    }
  }
}
