import type { ProjectEntity } from '@trellis/sdk/shared';
import type { TableDialogs } from '@trellis/sdk/web';

type ColumnsRequest = Parameters<TableDialogs['addColumnsFor']>[0];
type AddedColumns = Awaited<ReturnType<TableDialogs['addColumnsFor']>>;
type ColumnRequest = Parameters<TableDialogs['openColumnPanel']>[0];

/** What should be open: at most one dialog at a time. */
export type DialogRequest =
  | { readonly kind: 'createTable'; readonly project: ProjectEntity }
  | { readonly kind: 'trash' | 'sync'; readonly project: ProjectEntity }
  | ({ readonly kind: 'column' } & ColumnRequest)
  | ({ readonly kind: 'addColumns'; readonly onAnswer: (added: AddedColumns) => void } & ColumnsRequest);

/** Takes requests from anywhere and shows the last one to whoever draws it. */
export class DialogRequests implements TableDialogs {
  #current: DialogRequest | undefined;
  #opener: Element | null = null;
  readonly #listeners = new Set<() => void>();

  get current(): DialogRequest | undefined {
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  createTable(project: ProjectEntity): void {
    this.#open({ kind: 'createTable', project });
  }

  openTrash(project: ProjectEntity): void {
    this.#open({ kind: 'trash', project });
  }

  openSync(project: ProjectEntity): void {
    this.#open({ kind: 'sync', project });
  }

  openColumnPanel(options: ColumnRequest): void {
    this.#open({ kind: 'column', ...options });
  }

  addColumnsFor(options: ColumnsRequest): Promise<AddedColumns> {
    return new Promise((resolve) => {
      const onAnswer = (added: AddedColumns): void => {
        if (this.#current === request) this.close();
        resolve(added);
      };
      const request = { kind: 'addColumns', ...options, onAnswer } as const;
      this.#open(request);
    });
  }

  /** Closes what is open and gives the focus back to where it was. */
  readonly close = (): void => {
    const anchor = this.#current?.kind === 'column' ? this.#current.anchor : undefined;
    this.#set(undefined);
    // What opened it may be gone, such as the entry of a menu.
    const target = this.#opener?.isConnected === true ? this.#opener : anchor;
    if (target instanceof HTMLElement) target.focus();
  };

  #open(request: DialogRequest): void {
    this.#opener = document.activeElement === document.body ? null : document.activeElement;
    this.#set(request);
  }

  #set(request: DialogRequest | undefined): void {
    const before = this.#current;
    this.#current = request;
    for (const listener of this.#listeners) listener();
    // Whoever opens another dialog over the question has left it unanswered.
    if (before?.kind === 'addColumns' && request !== undefined) before.onAnswer('cancelled');
  }
}
