import { ChangeCount } from './change-count.ts';
import type { RowValues } from './row-codec.ts';
import type { RowData, RowSource } from './row-source.ts';

/** Rows in memory, such as the preview of an import. @public */
export class MemoryRows implements RowSource {
  error: Error | undefined;
  #rows: readonly RowData[];
  readonly #changes = new ChangeCount();
  readonly subscribe = this.#changes.subscribe;

  constructor(rows: readonly RowData[]) {
    this.#rows = rows;
  }

  get rows(): readonly RowData[] {
    return this.#rows;
  }

  /** Replaces the rows. */
  set rows(rows: readonly RowData[]) {
    this.#rows = rows;
    this.#changes.announce();
  }

  get count(): number | undefined {
    return this.#rows.length;
  }

  get atLeast(): number {
    return this.#rows.length;
  }

  get version(): number {
    return this.#changes.version;
  }

  rowAt(index: number): RowData | undefined {
    return this.#rows[index];
  }

  indexOf(key: string): number | undefined {
    const at = this.#rows.findIndex((row) => row.key === key);
    return at < 0 ? undefined : at;
  }

  /** It is unknown why a row is no longer among them. */
  wasDeleted(): boolean {
    return false;
  }

  ensure(): void {}

  load(): Promise<void> {
    return Promise.resolve();
  }

  retry(): void {}

  /** Changes values of one row. */
  put(index: number, values: RowValues): void {
    const row = this.#rows[index];
    if (row === undefined) throw new Error(`There is no row ${index}`);
    this.rows = this.#rows.with(index, { ...row, values: { ...row.values, ...values } });
  }
}
