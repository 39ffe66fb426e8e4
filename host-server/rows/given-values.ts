import type { CellValue } from '@trellis/sdk/shared';
import type { ColumnCodec, TablePlan } from './table-plan.ts';

/**
 * The values that somebody gives for one row, in the order of the columns. A bulk write has thousands of rows, of each of which a map
 * would take several times the memory.
 */
export class GivenValues implements ReadonlyMap<ColumnCodec, CellValue> {
  readonly #columns: readonly ColumnCodec[];
  /** By the places of the columns; undefined where nothing is given. */
  readonly #cells: (CellValue | undefined)[] = [];
  #size = 0;

  constructor({ columns }: Pick<TablePlan, 'columns'>) {
    this.#columns = columns;
  }

  get size(): number {
    return this.#size;
  }

  get(of: ColumnCodec): CellValue | undefined {
    return this.#columns[of.place] === of ? this.#cells[of.place] : undefined;
  }

  has(of: ColumnCodec): boolean {
    return this.get(of) !== undefined;
  }

  /** Sets a value. Only the code that reads the input calls this; afterwards the values stay as they are. */
  give(of: ColumnCodec, value: CellValue): void {
    if (!this.has(of)) this.#size += 1;
    while (this.#cells.length < of.place) this.#cells.push(undefined);
    this.#cells[of.place] = value;
  }

  *entries(): MapIterator<[ColumnCodec, CellValue]> {
    for (const [place, value] of this.#cells.entries()) {
      const of = this.#columns[place];
      if (of !== undefined && value !== undefined) yield [of, value];
    }
  }

  [Symbol.iterator](): MapIterator<[ColumnCodec, CellValue]> {
    return this.entries();
  }

  *keys(): MapIterator<ColumnCodec> {
    for (const [of] of this) yield of;
  }

  *values(): MapIterator<CellValue> {
    for (const [, value] of this) yield value;
  }

  forEach(
    told: (value: CellValue, of: ColumnCodec, values: ReadonlyMap<ColumnCodec, CellValue>) => void,
  ): void {
    for (const [of, value] of this) told(value, of, this);
  }
}
