import type { ColumnSchema, RowReads, TableHandle } from '@trellis/sdk/server';
import { mayRead } from '@trellis/sdk/server';
import { rowsOfRequest, rowsOfRun } from '../../shared/index.ts';

/** Characters of JSON with which a reading ends. Most views are read at once. */
const mostHeld = 8 * 1024 * 1024;

/** Rows that were read together, by the requests that send them. */
export interface HeldRows {
  /** Each a JSON array. */
  readonly requests: readonly string[];
  readonly count: number;
  /** Whether there may be more behind them. */
  readonly isCut: boolean;
}

/**
 * Reads the rows of a view a part at a time. Nothing of the database is held between two parts, so that nobody who changes the table waits
 * for a receiver. A row comes once, wherever it stands by the next part; in a table without a key the rows are counted instead.
 */
export class RowParts {
  readonly #rows: Pick<RowReads, 'stream' | 'keyOf'>;
  readonly #given = new Set<string>();
  #count = 0;

  constructor(rows: Pick<RowReads, 'stream' | 'keyOf'>) {
    this.#rows = rows;
  }

  /** The next part. @param handle opened anew for each, since the table may have changed */
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

/** What the view shows of its rows, as far as the scope may read it. */
function shownColumns({ scope, table, view }: TableHandle): readonly ColumnSchema[] {
  const shown = view?.columns.filter(({ show }) => show).map(({ columnId }) => columnId);
  return table.columns.filter(
    (column) => mayRead(scope, column) && (shown?.includes(column.id) ?? !column.system),
  );
}

/** The key by which rows are told apart; empty where there is none that may be read. */
function keyColumns({ scope, table }: TableHandle): readonly ColumnSchema[] {
  return table.primaryKey.every((column) => mayRead(scope, column)) ? table.primaryKey : [];
}
