import type { Disposable } from './disposable.ts';
import { markDisposed, trackDisposable } from './leak-tracker.ts';
import { onUnexpectedError } from './unexpected-error.ts';

/** Owns disposables and disposes them together, in reverse order of their addition. */
export class DisposableStore implements Disposable {
  #items = new Set<Disposable>();
  #disposed = false;
  #outcome: Promise<void> | undefined;

  constructor() {
    trackDisposable(this);
  }

  /** The number of items it owns now. */
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
   * Disposes all items in reverse order of their addition, one after another. An error does not stop the others.
   *
   * @throws AggregateError with all errors.
   */
  dispose(): Promise<void> {
    // The flag is set before the first item is disposed, since that item may call this method again.
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
        // Only promises are awaited, so that plain registrations are disposed in one turn.
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
