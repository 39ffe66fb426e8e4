import type { Database } from '../../databases/database.ts';
import type { Unit } from '../../sql/unit.ts';
import { insertInto } from '../../query/insert.ts';

/** A row that waits to be published. */
export interface StagedRow {
  /** Its number in the load, from 1. */
  readonly n: number;
  /** JSON: values by column id. */
  readonly row: string;
}

const columns = ['load_id', 'n', 'row_values', 'staged_at'];
const deletedAtOnce = 2000;

/** Rows in `trellis_staged_row`: read from a source, checked, and not yet in their table. */
export class StagedRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds rows in one short transaction. */
  async add(loadId: string, rows: readonly StagedRow[]): Promise<void> {
    const { dialect } = this.#database;
    const at = Date.now();
    await this.#database.write(async (unit) => {
      for (const chunk of dialect.limits.chunkRows(columns.length, rows)) {
        const cells = chunk.map(({ n, row }) => [loadId, n, row, at]);
        await unit.run(insertInto(dialect, 'trellis_staged_row', columns, cells));
      }
    });
  }

  /** The first rows that are still there, in their order. */
  async next(loadId: string, most: number): Promise<readonly StagedRow[]> {
    const rows = await this.#database.read((unit) =>
      unit.all<{ n: number | string; row_values: string }>(
        unit.knex('trellis_staged_row').where({ load_id: loadId }).orderBy('n').limit(most),
      ),
    );
    return rows.map(({ n, row_values: row }) => ({ n: Number(n), row }));
  }

  /** Takes rows out in the transaction that publishes them; gives how many there were. */
  async take(unit: Unit, loadId: string, last: number): Promise<number> {
    const { changes } = await unit.run(
      unit.knex('trellis_staged_row').where({ load_id: loadId }).where('n', '<=', last).delete(),
    );
    return changes;
  }

  /** Deletes what is left of a load, in short transactions. */
  async drop(loadId: string): Promise<void> {
    for (;;) {
      const rows = await this.next(loadId, deletedAtOnce);
      const last = rows.at(-1)?.n;
      if (last === undefined) return;
      await this.#database.write((unit) => this.take(unit, loadId, last));
    }
  }

  /** Loads to which nothing was added since a time. */
  async idleSince(before: number): Promise<readonly string[]> {
    const rows = await this.#database.read((unit) =>
      unit.all<{ load_id: string; newest: number | string }>(
        unit.knex('trellis_staged_row').groupBy('load_id').select('load_id').max({ newest: 'staged_at' }),
      ),
    );
    return rows.filter(({ newest }) => Number(newest) < before).map((row) => row.load_id);
  }
}
