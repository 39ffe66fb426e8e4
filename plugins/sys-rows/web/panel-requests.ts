import type { OpenedRow, RowPanel } from '@trellis/sdk/web';

export type RowRequest = OpenedRow & {
  /** True when an address named the row: it may be one that the view leaves out. */
  readonly isLinked?: boolean;
  /** The id of the pane that is shown; the fields where left out. */
  readonly pane?: string;
};

/** Whether the row that is drawn may be left; asks the person where something would be lost. */
export type MayLeave = () => Promise<boolean>;

/**
 * Takes requests from anywhere and shows the last one to whoever draws it; the focus goes back where it came from. Nothing takes
 * the place of a row before the panel that draws it agrees.
 */
export class PanelRequests implements RowPanel {
  /** The rows on the way to the one that is shown, which is the last. */
  #way: readonly RowRequest[] = [];
  #opener: Element | undefined;
  #mayLeave: MayLeave | undefined;
  /** What happens once the panel has answered: the last that was asked for. */
  #wanted: (() => void) | undefined;
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

  /** The drawn panel is asked before its row is left; returns the way back. */
  readonly guard = (mayLeave: MayLeave): (() => void) => {
    this.#mayLeave = mayLeave;
    return () => {
      if (this.#mayLeave === mayLeave) this.#mayLeave = undefined;
    };
  };

  open(request: RowRequest): void {
    if (this.current === undefined) this.#opener = document.activeElement ?? undefined;
    this.#leaveFor(request, () => this.#set(request.isDeeper === true ? [...this.#way, request] : [request]));
  }

  /** Shows another row in place of the one that is shown. */
  readonly move = (request: RowRequest): void =>
    this.#leaveFor(request, () => this.#set([...this.#way.slice(0, -1), request]));

  /** Shows a pane of the row that is shown, or its fields. */
  readonly showPane = (pane: string | undefined): void => {
    const { current } = this;
    if (current !== undefined) this.#set([...this.#way.slice(0, -1), { ...current, pane }]);
  };

  readonly back = (): void => {
    const way = this.#way.slice(0, -1);
    this.#leaveFor(way.at(-1), () => this.#set(way));
  };

  readonly close = (): void => this.#leaveFor(undefined, this.drop);

  /** Closes without a question, whatever was typed. */
  readonly drop = (): void => {
    const opener = this.#opener;
    const [{ onClosed, rowKey } = { onClosed: undefined, rowKey: undefined }] = this.#way;
    this.#opener = undefined;
    this.#set([]);
    if (onClosed !== undefined && rowKey !== undefined) return onClosed(rowKey);
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  };

  /** Goes on at once where the panel keeps its row, and otherwise as soon as the panel agrees. */
  #leaveFor(next: RowRequest | undefined, go: () => void): void {
    const { current } = this;
    const keepsRow = current !== undefined && next !== undefined && nameOfRow(current) === nameOfRow(next);
    if (this.#mayLeave === undefined || keepsRow) return go();
    const isAsking = this.#wanted !== undefined;
    this.#wanted = go;
    if (!isAsking) void this.#ask(this.#mayLeave, current);
  }

  async #ask(mayLeave: MayLeave, asked: RowRequest | undefined): Promise<void> {
    try {
      const goes = await mayLeave();
      // The person may have been signed out meanwhile.
      if (goes && this.current === asked) this.#wanted?.();
    } finally {
      this.#wanted = undefined;
    }
  }

  #set(way: readonly RowRequest[]): void {
    this.#way = way;
    for (const listener of this.#listeners) listener();
  }
}

/** The same for requests that mean the same row. */
export function nameOfRow({ table, rowKey = '' }: RowRequest): string {
  return `${table.id} ${rowKey}`;
}
