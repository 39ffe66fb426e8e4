import type { Disposable } from './disposable.ts';
import { markDisposed, trackDisposable } from './leak-tracker.ts';
import { onUnexpectedError } from './unexpected-error.ts';

/** Owns disposables and disposes them together, the last one added first. */
export class DisposableStore implements Disposable {
  #items = new Set<Disposable>();
  #disposed = false;
  #outcome: Promise<void> | undefined;

  constructor() {
    trackDisposable(this);
  }

  /** How many items it owns now. */
  get size(): number {
    return this.#items.size;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  /**
   * Takes ownership of an item.
   *
   * @throws Error when the store is already disposed; the item is disposed first, so that it does not leak.
   */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) {
      void settle(item).catch(onUnexpectedError);
      throw new Error(
        'Nothing can be added to a disposed store; the item that was offered has been disposed.',
      );
    }
    this.#items.add(item);
    return item;
  }

  /** Gives up ownership of an item without disposing it. */
  release(item: Disposable): void {
    this.#items.delete(item);
  }

  /**
   * Disposes all items, the last one added first, each after the one before it has finished. All are attempted.
   *
   * @throws AggregateError with every error that was met.
   */
  dispose(): Promise<void> {
    // The flag is set before the first item runs, since that item may come back here.
    this.#disposed = true;
    this.#outcome ??= this.#disposeAll();
    return this.#outcome;
  }

  async #disposeAll(): Promise<void> {
    const items = [...this.#items].reverse();
    this.#items.clear();
    markDisposed(this);
    const errors: unknown[] = [];
    for (const item of items) {
      try {
        // Awaiting only what is asynchronous keeps the disposal of plain registrations in one turn.
        const pending = item.dispose();
        if (pending !== undefined) await pending;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, `${errors.length} of ${items.length} disposals failed.`);
    }
  }
}

async function settle(item: Disposable): Promise<void> {
  await item.dispose();
}
