/** Whether the palette is open. */
export class PaletteState {
  #isOpen = false;
  readonly #listeners = new Set<() => void>();

  readonly isOpen = (): boolean => this.#isOpen;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly open = (): void => this.#set(true);

  readonly close = (): void => this.#set(false);

  #set(isOpen: boolean): void {
    this.#isOpen = isOpen;
    for (const listener of this.#listeners) listener();
  }
}
