import type { RowPanel } from '@trellis/sdk/web';

export type RowRequest = Parameters<RowPanel['open']>[0];

/** Takes requests from anywhere and shows the last one to whoever draws it. */
export class PanelRequests implements RowPanel {
  #current: RowRequest | undefined;
  readonly #listeners = new Set<() => void>();

  get current(): RowRequest | undefined {
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  open(request: RowRequest): void {
    this.#set(request);
  }

  readonly close = (): void => {
    this.#set(undefined);
  };

  #set(request: RowRequest | undefined): void {
    this.#current = request;
    for (const listener of this.#listeners) listener();
  }
}
