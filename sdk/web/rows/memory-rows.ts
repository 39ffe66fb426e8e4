import type { RowValues } from './row-codec.ts';
import type { RowData, RowSource } from './row-source.ts';

/** Rows that are all there, such as the preview of an import. @public */
export class MemoryRows implements RowSource {
  error: Error | undefined;
  #rows: readonly RowData[];
  #version = 0;
  readonly #listeners = new Set<() => void>();

  constructor(rows: readonly RowData[]) {
    this.#rows = rows;
  }

  get rows(): readonly RowData[] {
    return this.#rows;
  }

  /** Shows other rows. */
  set rows(rows: readonly RowData[]) {
    this.#rows = rows;
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  get count(): number | undefined {
    return this.#rows.length;
  }

  get atLeast(): number {
    return this.#rows.length;
  }

  get version(): number {
    return this.#version;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  rowAt(index: number): RowData | undefined {
    return this.#rows[index];
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
