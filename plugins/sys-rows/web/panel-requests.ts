import type { RowPanel } from '@trellis/sdk/web';

export type RowRequest = Parameters<RowPanel['open']>[0] & {
  /** True when an address named the row: it may be one that the view leaves out. */
  readonly isLinked?: boolean;
};

/** Takes requests from anywhere and shows the last one to whoever draws it; the focus goes back where it came from. */
export class PanelRequests implements RowPanel {
  #current: RowRequest | undefined;
  #opener: Element | undefined;
  readonly #listeners = new Set<() => void>();

  get current(): RowRequest | undefined {
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  open(request: RowRequest): void {
    if (this.#current === undefined) this.#opener = document.activeElement ?? undefined;
    this.#set(request);
  }

  readonly close = (): void => {
    const opener = this.#opener;
    this.#opener = undefined;
    this.#set(undefined);
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  };

  #set(request: RowRequest | undefined): void {
    this.#current = request;
    for (const listener of this.#listeners) listener();
  }
}
