/** Counts changes and tells of them, in the form that React reads stores in. */
export class ChangeCount {
  #version = 0;
  readonly #listeners = new Set<() => void>();

  /** Another number after each change. */
  get version(): number {
    return this.#version;
  }

  /** Returns the way back. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  announce(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
