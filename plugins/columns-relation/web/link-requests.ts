import type { OpenedCell } from '@trellis/sdk/web';

/** Takes requests to change the links of a cell, and shows the last one to whoever draws it. */
export class LinkRequests {
  #current: OpenedCell | undefined;
  readonly #listeners = new Set<() => void>();

  get current(): OpenedCell | undefined {
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly open = (cell: OpenedCell): void => this.#set(cell);

  readonly close = (): void => this.#set(undefined);

  #set(cell: OpenedCell | undefined): void {
    this.#current = cell;
    for (const listener of this.#listeners) listener();
  }
}
