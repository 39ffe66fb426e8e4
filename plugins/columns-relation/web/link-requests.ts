import type { OpenedCell } from '@trellis/sdk/web';
import { TypedAhead } from './typed-ahead.ts';

/** Takes requests to change the links of a cell, and shows the last one to whoever draws it. */
export class LinkRequests {
  #current: OpenedCell | undefined;
  #typed: TypedAhead | undefined;
  readonly #listeners = new Set<() => void>();

  get current(): OpenedCell | undefined {
    return this.#current;
  }

  /** What was typed to open the cell, and is typed until its dialog is there. */
  get typed(): TypedAhead | undefined {
    return this.#typed;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly open = (cell: OpenedCell): void => this.#set(cell);

  readonly close = (): void => this.#set(undefined);

  #set(cell: OpenedCell | undefined): void {
    this.#current = cell;
    this.#typed?.end();
    this.#typed = cell?.typedText === undefined ? undefined : new TypedAhead(cell.typedText);
    for (const listener of this.#listeners) listener();
  }
}
