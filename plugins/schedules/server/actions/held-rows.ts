import type { ColumnSchema, RowReads, TableHandle } from '@trellis/sdk/server';
import { mayRead } from '@trellis/sdk/server';
import { rowsOfRequest, rowsOfRun } from '../../shared/index.ts';

/** Characters of JSON after which a reading ends. Most views are read at once. */
const mostHeld = 8 * 1024 * 1024;

/** Rows that were read together, split by requests. */
export interface HeldRows {
  /** Each a JSON array. */
  readonly requests: readonly string[];
  readonly count: number;
  /** Whether there may be more rows. */
  readonly isCut: boolean;
}

/**
 * Reads the rows of a view in parts. Between two parts it holds nothing in the database, so that changes of the table never wait
 * for a receiver. Each row comes once, even if its place changes between parts; in a table without a key, rows are counted instead.
 */
export class RowParts {
  readonly #rows: Pick<RowReads, 'stream' | 'keyOf'>;
  readonly #given = new Set<string>();
  #count = 0;

  constructor(rows: Pick<RowReads, 'stream' | 'keyOf'>) {
    this.#rows = rows;
  }

  /** The next part. @param handle opened again for each, since the table may have changed */
  async next(handle: TableHandle, signal: AbortSignal): Promise<HeldRows> {
    const titles = shownColumns(handle).map(({ title }) => title);
    const keys = keyColumns(handle).map(({ title }) => title);
    const fields = [...new Set([...titles, ...keys])];
    const { batches } = await this.#rows.stream(handle, { fields }, signal);
    const parts: string[][] = [];
    let [held, count, passed, isCut] = [0, 0, 0, false];
    reading: for await (const batch of batches) {
      for (const row of batch) {
        const key = keys.length === 0 ? undefined : this.#rows.keyOf(handle.table, row);
        passed += 1;
        if (key === undefined ? passed <= this.#count : this.#given.has(key)) continue;
        if (this.#count + count === rowsOfRun) break reading;
        if (held >= mostHeld) {
          isCut = true;
          break reading;
        }
        const text = JSON.stringify(Object.fromEntries(titles.map((title) => [title, row[title] ?? null])));
        if (count % rowsOfRequest === 0) parts.push([]);
        parts.at(-1)?.push(text);
        if (key !== undefined) this.#given.add(key);
        held += text.length;
        count += 1;
      }
    }
    this.#count += count;
    return { requests: parts.map((texts) => `[${texts.join(',')}]`), count, isCut };
  }
}

/** The columns that the view shows, as far as the scope may read them. */
function shownColumns({ scope, table, view }: TableHandle): readonly ColumnSchema[] {
  const shown = view?.columns.filter(({ show }) => show).map(({ columnId }) => columnId);
  return table.columns.filter(
    (column) => mayRead(scope, column) && (shown?.includes(column.id) ?? !column.system),
  );
}

/** The key that identifies rows; empty if there is no readable one. */
function keyColumns({ scope, table }: TableHandle): readonly ColumnSchema[] {
  return table.primaryKey.every((column) => mayRead(scope, column)) ? table.primaryKey : [];
}
