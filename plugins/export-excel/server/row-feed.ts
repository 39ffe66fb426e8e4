import type { Row } from '@trellis/sdk/shared';

/** Rows that arrive in batches, read in chunks of other sizes. */
export class RowFeed {
  readonly #batches: AsyncIterator<readonly Row[]>;
  #rest: readonly Row[] = [];
  #isOver = false;

  constructor(batches: AsyncIterable<readonly Row[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** At most `most` next rows, each converted. */
  async *take<Taken>(most: number, turn: (row: Row) => Taken): AsyncGenerator<readonly Taken[]> {
    for (let left = most; left > 0 && (await this.hasMore());) {
      const rows = this.#rest.slice(0, left);
      this.#rest = this.#rest.slice(left);
      left -= rows.length;
      yield rows.map(turn);
    }
  }

  async hasMore(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#isOver) {
      const next = await this.#batches.next();
      if (next.done === true) this.#isOver = true;
      else this.#rest = next.value;
    }
    return this.#rest.length > 0;
  }

  /** Ends the reading of rows that are no longer needed. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#batches.return?.();
  }
}
