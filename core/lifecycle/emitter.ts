import { toDisposable, type Disposable } from './disposable.ts';
import { onUnexpectedError } from './unexpected-error.ts';

/** An event to listen to. Calling it adds a listener and returns a disposable that removes it. @public */
export type Event<T> = (listener: (event: T) => void) => Disposable;

export interface EmitterOptions {
  /** Receives the errors of listeners. Default: {@link onUnexpectedError}. */
  readonly onError?: (error: unknown) => void;
}

/** The firing side of an {@link Event}. Listeners are called in the order in which they were added. */
export class Emitter<T> implements Disposable {
  #listeners: ReadonlySet<{ readonly call: (event: T) => void }> = new Set();
  #disposed = false;
  readonly #onError: (error: unknown) => void;

  constructor(options: EmitterOptions = {}) {
    this.#onError = options.onError ?? onUnexpectedError;
  }

  /** The same function may be added twice, as two listeners. After `dispose` nothing is added. */
  readonly event: Event<T> = (listener) => {
    const registration = { call: listener };
    if (!this.#disposed) this.#listeners = new Set(this.#listeners).add(registration);
    return toDisposable(() => {
      const rest = new Set(this.#listeners);
      rest.delete(registration);
      this.#listeners = rest;
    });
  };

  /** The number of listeners now. */
  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Calls every listener. An error of a listener does not stop the others. A listener that is removed meanwhile is skipped; one
   * that is added meanwhile gets only the next event.
   */
  fire(event: T): void {
    for (const registration of this.#listeners) {
      if (!this.#listeners.has(registration)) continue;
      try {
        registration.call(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** Removes all listeners for good. */
  dispose(): void {
    this.#disposed = true;
    this.#listeners = new Set();
  }
}
