/** Milliseconds for handling the items of a failed batch one by one: callers wait no longer than 30 seconds. */
const longestSingly = 15_000;

interface Waiting<Item> {
  readonly item: Item;
  readonly done: () => void;
  readonly failed: (reason: unknown) => void;
}

/** Handles items together that arrive while others are handled, so that many of them need few statements. @public */
export class Batcher<Item> {
  readonly #handle: (items: readonly Item[]) => Promise<ReadonlyMap<Item, unknown>>;
  #waiting: Waiting<Item>[] = [];
  #isRunning = false;

  /**
   * @param handle returns errors by item. If it throws for several, each is handled again by itself, so that only the faulty one
   *   fails; if a database does not answer, all of them fail.
   */
  constructor(handle: (items: readonly Item[]) => Promise<ReadonlyMap<Item, unknown>>) {
    this.#handle = handle;
  }

  add(item: Item): Promise<void> {
    return new Promise<void>((done, failed) => {
      this.#waiting.push({ item, done, failed });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Items of the same turn join the batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#settle(batch);
    }
    this.#isRunning = false;
  }

  async #settle(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      const failures = await this.#handle(batch.map(({ item }) => item));
      for (const { item, done, failed } of batch) {
        if (failures.has(item)) failed(failures.get(item));
        else done();
      }
    } catch (error) {
      await this.#settleSingly(batch, error);
    }
  }

  async #settleSingly(batch: readonly Waiting<Item>[], error: unknown): Promise<void> {
    const isOfOne =
      batch.length > 1 && (error as { readonly code?: unknown } | null)?.code !== 'DATABASE_UNREACHABLE';
    const until = performance.now() + longestSingly;
    for (const waiting of batch) {
      if (isOfOne && performance.now() < until) await this.#settle([waiting]);
      else waiting.failed(error);
    }
  }
}
