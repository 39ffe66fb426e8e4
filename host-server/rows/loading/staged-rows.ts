import type { Database } from '../../databases/database.ts';
import type { Unit } from '../../sql/unit.ts';
import { insertInto } from '../../query/insert.ts';
import { selectBytes } from '../../sql/long-texts.ts';

/** A row that waits to be published. */
export interface StagedRow {
  /** Its number in the load, from 1. */
  readonly n: number;
  /** JSON: values by column id. */
  readonly row: string;
}

/** The place and size of a staged row. */
interface Place {
  readonly n: number;
  /** Bytes of its JSON. */
  readonly bytes: number;
}

const columns = ['load_id', 'n', 'row_values', 'staged_at'];
/** The most rows and bytes of one transaction, so that the writer is never occupied for long. */
const rowsAtOnce = 2000;
const bytesAtOnce = 4_000_000;

/** Rows in `trellis_staged_row`: read from a source, checked, and not yet in their table. */
export class StagedRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds rows in short transactions. */
  async add(loadId: string, rows: readonly StagedRow[]): Promise<void> {
    const { dialect } = this.#database;
    const at = Date.now();
    const sized = rows.map((row) => ({ ...row, bytes: Buffer.byteLength(row.row) }));
    for (const part of inParts(sized))
      await this.#database.write(async (unit) => {
        for (const chunk of dialect.limits.chunkRows(columns.length, part)) {
          const cells = chunk.map(({ n, row }) => [loadId, n, row, at]);
          await unit.run(insertInto(dialect, 'trellis_staged_row', columns, cells));
        }
      });
  }

  /**
   * The rows that are still staged, in order, in parts that are each small enough for one transaction. The caller takes out a part
   * before it requests the next one.
   */
  async *parts(loadId: string): AsyncGenerator<readonly StagedRow[], void, undefined> {
    for await (const places of this.#places(loadId)) {
      const rows = await this.#at(loadId, places);
      // Another run of the same load may have taken them meanwhile.
      if (rows.length > 0) yield rows;
    }
  }

  /** Takes rows out in the transaction that publishes them; returns their number. */
  async take(unit: Unit, loadId: string, last: number): Promise<number> {
    const { changes } = await unit.run(
      unit.knex('trellis_staged_row').where({ load_id: loadId }).where('n', '<=', last).delete(),
    );
    return changes;
  }

  /** Deletes the remaining rows of a load, in short transactions. */
  async drop(loadId: string): Promise<void> {
    for await (const places of this.#places(loadId)) {
      const last = places.at(-1)?.n ?? 0;
      await this.#database.write((unit) => this.take(unit, loadId, last));
    }
  }

  /** Loads to which nothing has been added since a time. */
  async idleSince(before: number): Promise<readonly string[]> {
    const rows = await this.#database.read((unit) =>
      unit.all<{ load_id: string; newest: number | string }>(
        unit.knex('trellis_staged_row').groupBy('load_id').select('load_id').max({ newest: 'staged_at' }),
      ),
    );
    return rows.filter(({ newest }) => Number(newest) < before).map((row) => row.load_id);
  }

  /** The places of all rows of a load, without their values, in parts to read or delete together. */
  async *#places(loadId: string): AsyncGenerator<readonly Place[], void, undefined> {
    for (let last = 0; ;) {
      const after = last;
      const rows = await this.#database.read((unit) =>
        unit.all<{ n: number | string; bytes: number | string }>(
          unit
            .knex('trellis_staged_row')
            .where({ load_id: loadId })
            .where('n', '>', after)
            .orderBy('n')
            .limit(rowsAtOnce)
            .select('n', selectBytes(unit.knex, ['row_values'], 'bytes')),
        ),
      );
      const places = rows.map(({ n, bytes }) => ({ n: Number(n), bytes: Number(bytes) }));
      yield* inParts(places);
      last = places.at(-1)?.n ?? last;
      if (places.length < rowsAtOnce) return;
    }
  }

  async #at(loadId: string, places: readonly Place[]): Promise<readonly StagedRow[]> {
    const range: [number, number] = [places[0]?.n ?? 0, places.at(-1)?.n ?? 0];
    const rows = await this.#database.read((unit) =>
      unit.all<{ n: number | string; row_values: string }>(
        unit
          .knex('trellis_staged_row')
          .where({ load_id: loadId })
          .whereBetween('n', range)
          .orderBy('n')
          .select('n', 'row_values'),
      ),
    );
    return rows.map(({ n, row_values: row }) => ({ n: Number(n), row }));
  }
}

/** Rows in parts that are each small enough for one transaction, with at least one row. */
function inParts<Row extends Pick<Place, 'bytes'>>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes;
    const part = parts.at(-1);
    if (part === undefined || bytes > bytesAtOnce) {
      parts.push([row]);
      bytes = row.bytes;
    } else part.push(row);
  }
  return parts;
}
