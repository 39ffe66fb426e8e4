/** Counts changes and notifies listeners, in the form of a store for React. */
export class ChangeCount {
  #version = 0;
  readonly #listeners = new Set<() => void>();

  /** Differs after each change. */
  get version(): number {
    return this.#version;
  }

  /** Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  announce(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
