import type { OpenedRow, RowPanel } from '@trellis/sdk/web';

export type RowRequest = OpenedRow & {
  /** True if an address named the row, which the view may therefore not show. */
  readonly isLinked?: boolean;
  /** The id of the shown pane; default: the fields. */
  readonly pane?: string;
};

/** Resolves to whether the drawn row may be left; asks the person if something would be lost. */
export type MayLeave = () => Promise<boolean>;

/**
 * Accepts requests to open rows and holds the last one for the panel; afterwards the focus returns to its origin. A row is replaced
 * only after its panel agrees.
 */
export class PanelRequests implements RowPanel {
  /** The chain of opened rows; the last one is shown. */
  #way: readonly RowRequest[] = [];
  #opener: Element | undefined;
  #mayLeave: MayLeave | undefined;
  /** The last requested action, which runs when the panel has agreed. */
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

  /** Registers the drawn panel's check before its row is left; returns how to remove it. */
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

  /** Replaces the shown row by another one. */
  readonly move = (request: RowRequest): void =>
    this.#leaveFor(request, () => this.#set([...this.#way.slice(0, -1), request]));

  /** Shows a pane of the current row, or its fields. */
  readonly showPane = (pane: string | undefined): void => {
    const { current } = this;
    if (current !== undefined) this.#set([...this.#way.slice(0, -1), { ...current, pane }]);
  };

  readonly back = (): void => {
    const way = this.#way.slice(0, -1);
    this.#leaveFor(way.at(-1), () => this.#set(way));
  };

  readonly close = (): void => this.#leaveFor(undefined, this.drop);

  /** Closes without asking, even if there are edits. */
  readonly drop = (): void => {
    const opener = this.#opener;
    const [{ onClosed, rowKey } = { onClosed: undefined, rowKey: undefined }] = this.#way;
    this.#opener = undefined;
    this.#set([]);
    if (onClosed !== undefined && rowKey !== undefined) return onClosed(rowKey);
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  };

  /** Continues at once if the panel keeps its row, otherwise when the panel agrees. */
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

/** Equal for requests for the same row. */
export function nameOfRow({ table, rowKey = '' }: RowRequest): string {
  return `${table.id} ${rowKey}`;
}
