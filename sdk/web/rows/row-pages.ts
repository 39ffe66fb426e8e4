import type { RowValues } from './row-codec.ts';
import type { RowData } from './row-source.ts';

/** Pages of rows by their numbers, in the order of last use. */
export class RowPages {
  readonly #pageSize: number;
  readonly #pages = new Map<number, readonly RowData[]>();

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  get size(): number {
    return this.#pages.size;
  }

  keys(): IterableIterator<number> {
    return this.#pages.keys();
  }

  has(page: number): boolean {
    return this.#pages.has(page);
  }

  /** The number of loaded rows of a page; undefined if it is not loaded. */
  lengthOf(page: number): number | undefined {
    return this.#pages.get(page)?.length;
  }

  set(page: number, rows: readonly RowData[]): void {
    this.#pages.set(page, rows);
  }

  delete(page: number): void {
    this.#pages.delete(page);
  }

  clear(): void {
    this.#pages.clear();
  }

  /** Marks a page as used; false if it is not loaded. */
  touch(page: number): boolean {
    const rows = this.#pages.get(page);
    if (rows === undefined) return false;
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    return true;
  }

  rowAt(index: number): RowData | undefined {
    return this.#pages.get(Math.floor(index / this.#pageSize))?.[index % this.#pageSize];
  }

  indexOf(key: string): number | undefined {
    for (const [page, rows] of this.#pages) {
      const at = rows.findIndex((row) => row.key === key);
      if (at >= 0) return page * this.#pageSize + at;
    }
    return undefined;
  }

  /** Updates values of rows, by key; false if none of them is loaded. */
  patch(changes: ReadonlyMap<string, RowValues>): boolean {
    let changed = false;
    for (const [page, rows] of this.#pages) {
      if (!rows.some((row) => changes.has(row.key))) continue;
      changed = true;
      this.#pages.set(page, patched(rows, changes));
    }
    return changed;
  }

  /** Removes rows; later ones move up. Returns how many were loaded. */
  remove(keys: ReadonlySet<string>): number {
    const moved = new Map<number, RowData>();
    let removed = 0;
    for (const page of [...this.#pages.keys()].sort((a, b) => a - b))
      for (const [at, row] of (this.#pages.get(page) ?? []).entries())
        if (keys.has(row.key)) removed += 1;
        else moved.set(page * this.#pageSize + at - removed, row);
    if (removed > 0) this.#arrange(moved);
    return removed;
  }

  /** Inserts a row; the rows from there on move down. */
  insert(row: RowData, index: number): void {
    const moved = new Map<number, RowData>([[index, row]]);
    for (const [page, rows] of this.#pages)
      for (const [at, held] of rows.entries()) {
        const place = page * this.#pageSize + at;
        moved.set(place < index ? place : place + 1, held);
      }
    this.#arrange(moved);
  }

  /** Fills each page with the rows of its indexes, up to the first missing one. */
  #arrange(rows: ReadonlyMap<number, RowData>): void {
    for (const page of this.#pages.keys()) {
      const start = page * this.#pageSize;
      const found: RowData[] = [];
      for (let row = rows.get(start); row !== undefined; row = rows.get(start + found.length)) {
        found.push(row);
        if (found.length === this.#pageSize) break;
      }
      this.#pages.set(page, found);
    }
  }
}

/** The rows with updated values, by key. */
export function patched(
  rows: readonly RowData[],
  changes: ReadonlyMap<string, RowValues>,
): readonly RowData[] {
  return rows.map((row) => {
    const values = changes.get(row.key);
    return values === undefined ? row : { ...row, values: { ...row.values, ...values } };
  });
}
