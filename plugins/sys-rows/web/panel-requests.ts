import type { RowPanel } from '@trellis/sdk/web';

export type RowRequest = Parameters<RowPanel['open']>[0] & {
  /** True when an address named the row: it may be one that the view leaves out. */
  readonly isLinked?: boolean;
};

/** Takes requests from anywhere and shows the last one to whoever draws it; the focus goes back where it came from. */
export class PanelRequests implements RowPanel {
  /** The rows on the way to the one that is shown, which is the last. */
  #way: readonly RowRequest[] = [];
  #opener: Element | undefined;
  readonly #listeners = new Set<() => void>();

  get current(): RowRequest | undefined {
    return this.#way.at(-1);
  }

  /** The row from which the others were opened: the panel belongs to its table. */
  get first(): RowRequest | undefined {
    return this.#way[0];
  }

  /** Whether there is a row to go back to. */
  get isDeep(): boolean {
    return this.#way.length > 1;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  open(request: RowRequest): void {
    if (this.current === undefined) this.#opener = document.activeElement ?? undefined;
    this.#set(request.isDeeper === true ? [...this.#way, request] : [request]);
  }

  /** Shows another row in place of the one that is shown. */
  readonly move = (request: RowRequest): void => this.#set([...this.#way.slice(0, -1), request]);

  readonly back = (): void => this.#set(this.#way.slice(0, -1));

  readonly close = (): void => {
    const opener = this.#opener;
    const [{ onClosed, rowKey } = { onClosed: undefined, rowKey: undefined }] = this.#way;
    this.#opener = undefined;
    this.#set([]);
    if (onClosed !== undefined && rowKey !== undefined) return onClosed(rowKey);
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  };

  #set(way: readonly RowRequest[]): void {
    this.#way = way;
    for (const listener of this.#listeners) listener();
  }
}
