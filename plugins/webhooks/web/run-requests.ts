import type { RowKey, TableEntity } from '@trellis/sdk/shared';

/** A row for which somebody wants to pick a webhook. */
export interface PickedRow {
  readonly table: TableEntity;
  readonly rowKey: RowKey;
}

/** Takes the row from its menu and shows it to whoever draws the dialog. */
export class RunRequests {
  #current: PickedRow | undefined;
  readonly #listeners = new Set<() => void>();

  get current(): PickedRow | undefined {
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly open = ({ table, rowKey }: PickedRow): void => this.#set({ table, rowKey });

  readonly close = (): void => this.#set(undefined);

  #set(row: PickedRow | undefined): void {
    this.#current = row;
    for (const listener of this.#listeners) listener();
  }
}
