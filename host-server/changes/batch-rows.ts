import type { Change, ValuesByColumn } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import type { KeyRange, LoggedRow } from './log-entry.ts';
import type { AlikeChanges, RowChange } from './row-change.ts';

/** Rows of one table and one kind of change that share an entry. */
export interface RowBatch {
  readonly op: Change['op'];
  /** Column ids, in the order of the cells. */
  readonly columns: readonly string[];
  readonly rows: readonly LoggedRow[];
  /** `rows` as JSON. */
  readonly rowsText: string;
}

/** What an entry may hold: readers take it whole into memory. */
export const mostRowsOfEntry = 500;
const mostCharacters = 256 * 1024;

/**
 * Puts changes into as few entries as may be, keeping their order: at most 500 rows or 256 KB each, unless a single row is
 * larger.
 */
export function batchRows(changes: readonly RowChange[]): readonly RowBatch[] {
  const batches: RowBatch[] = [];
  let batch: OpenBatch | undefined;
  for (const change of changes) {
    if (batch === undefined || !batch.takes(change)) {
      if (batch !== undefined) batches.push(batch.close());
      batch = new OpenBatch(change.op);
    }
    batch.add(change);
  }
  if (batch !== undefined) batches.push(batch.close());
  return batches;
}

/** Batches rows that all have the same columns, so that their cells need no mapping to columns. */
export function batchAlike({ op, columns, rows }: AlikeChanges): readonly RowBatch[] {
  const batches: RowBatch[] = [];
  for (let from = 0; from < rows.length; from += mostRowsOfEntry)
    batches.push(...fittingBatches({ op, columns, rows: rows.slice(from, from + mostRowsOfEntry) }));
  return batches;
}

/** One batch, or two halves of it where its text is too long. */
function fittingBatches({ op, columns, rows }: AlikeChanges): readonly RowBatch[] {
  const rowsText = JSON.stringify(rows);
  if (rowsText.length <= mostCharacters || rows.length <= 1) return [{ op, columns, rows, rowsText }];
  const middle = rows.length >> 1;
  return [rows.slice(0, middle), rows.slice(middle)].flatMap((half) =>
    fittingBatches({ op, columns, rows: half }),
  );
}

/** The range of the keys of inserted rows, where they are whole numbers that follow one another. */
export function countingRange({ op, rows }: Pick<RowBatch, 'op' | 'rows'>): KeyRange | undefined {
  if (op !== 'insert') return undefined;
  const first = wholeNumber(rows[0]?.[0]);
  if (first === undefined) return undefined;
  for (const [index, [key]] of rows.entries()) if (key !== String(first + index)) return undefined;
  return { first, last: first + rows.length - 1 };
}

/** A key as a number, where the number says the same as the text. */
export function wholeNumber(key: string | undefined): number | undefined {
  const number = Number(key);
  return Number.isSafeInteger(number) && String(number) === key ? number : undefined;
}

class OpenBatch {
  readonly #op: Change['op'];
  readonly #columns: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #rows: LoggedRow[] = [];
  readonly #texts: string[] = [];
  #characters = 0;

  constructor(op: Change['op']) {
    this.#op = op;
  }

  takes({ op }: RowChange): boolean {
    return op === this.#op && this.#rows.length < mostRowsOfEntry && this.#characters < mostCharacters;
  }

  add({ rowKey = '', before, after }: RowChange): void {
    const ids = Object.keys(after ?? before ?? {});
    const places = ids.map((id) => this.#placeOf(id));
    // The first row made the columns; others mostly have the same ones.
    const isWhole = places.length === this.#columns.length && places.every((place, index) => place === index);
    const row: LoggedRow = isWhole
      ? [rowKey, cellsOf(ids, before), cellsOf(ids, after)]
      : [rowKey, cellsOf(ids, before), cellsOf(ids, after), places];
    const text = JSON.stringify(row);
    this.#rows.push(row);
    this.#texts.push(text);
    this.#characters += text.length;
  }

  close(): RowBatch {
    // A column that came with a later row makes the rows before it incomplete.
    const rows = this.#rows;
    const width = this.#columns.length;
    const texts = this.#texts;
    for (const [index, [key, before, after, places]] of rows.entries()) {
      const cells = after ?? before ?? [];
      if (places !== undefined || cells.length === width) continue;
      const row: LoggedRow = [key, before, after, cells.map((_, place) => place)];
      rows[index] = row;
      texts[index] = JSON.stringify(row);
    }
    return { op: this.#op, columns: this.#columns, rows, rowsText: `[${texts.join(',')}]` };
  }

  #placeOf(id: string): number {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    this.#places.set(id, this.#columns.length);
    return this.#columns.push(id) - 1;
  }
}

function cellsOf(ids: readonly string[], values: ValuesByColumn | undefined): readonly CellValue[] | null {
  return values === undefined ? null : ids.map((id) => values[id] ?? null);
}
