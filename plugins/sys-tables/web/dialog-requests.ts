import type { ProjectEntity } from '@trellis/sdk/shared';
import type { TableDialogs } from '@trellis/sdk/web';

type ColumnRequest = Parameters<TableDialogs['openColumnPanel']>[0];

/** What should be open: at most one dialog at a time. */
export type DialogRequest =
  | { readonly kind: 'createTable'; readonly project: ProjectEntity }
  | ({ readonly kind: 'column' } & ColumnRequest);

/** Takes requests from anywhere and shows the last one to whoever draws it. */
export class DialogRequests implements TableDialogs {
  #current: DialogRequest | undefined;
  readonly #listeners = new Set<() => void>();

  get current(): DialogRequest | undefined {
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  createTable(project: ProjectEntity): void {
    this.#set({ kind: 'createTable', project });
  }

  openColumnPanel(options: ColumnRequest): void {
    this.#set({ kind: 'column', ...options });
  }

  readonly close = (): void => {
    this.#set(undefined);
  };

  #set(request: DialogRequest | undefined): void {
    this.#current = request;
    for (const listener of this.#listeners) listener();
  }
}
