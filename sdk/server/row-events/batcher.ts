/** Handles items together that come while others are handled, so that many of them cost few statements. @public */
export class Batcher<Item> {
  readonly #handle: (items: readonly Item[]) => Promise<ReadonlyMap<Item, unknown>>;
  #waiting: {
    readonly item: Item;
    readonly done: () => void;
    readonly failed: (reason: unknown) => void;
  }[] = [];
  #isRunning = false;

  /** @param handle gives what went wrong, by the item; what it throws goes wrong for all of them */
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
    // What comes in the same turn goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const failures = await this.#handle(batch.map(({ item }) => item));
        for (const { item, done, failed } of batch) {
          if (failures.has(item)) failed(failures.get(item));
          else done();
        }
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#isRunning = false;
  }
}
