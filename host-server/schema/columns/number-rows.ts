import type { StorageKind } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import { updateEach } from '../../query/update-each.ts';
import type { Binding } from '../../sql/session.ts';
import type { Query, Unit } from '../../sql/unit.ts';
import { after } from './fill-column.ts';

/** A new column that numbers the rows that are there. */
export interface RowNumbering {
  /** Physical names, as the others. */
  readonly key: readonly string[];
  readonly column: string;
  readonly storage: StorageKind;
  readonly nativeType: string;
  /** The last number that was given, also to rows that are gone. */
  readonly given?: number | undefined;
}

interface NumberedTable {
  readonly database: Database;
  readonly tableName: string;
  readonly numbering: RowNumbering;
  readonly signal: AbortSignal;
}

const batch = 1000;
const rowsPerUpdate = 50;

/**
 * Numbers the rows of a table in the order of their keys while people go on adding some: `approach` in short transactions, `finish`
 * those that were added meanwhile, while nobody else writes. Either may be run again.
 */
export class RowNumbers {
  readonly #table: NumberedTable;

  constructor(table: NumberedTable) {
    this.#table = table;
  }

  async approach(): Promise<void> {
    const { database, signal } = this.#table;
    await this.#number({
      read: (query) => database.read((unit) => unit.rows(query)),
      write: (updates) => database.write((unit) => unit.batch(updates)),
      signal,
    });
  }

  async finish(unit: Unit): Promise<boolean> {
    const { signal } = this.#table;
    await this.#number({
      read: (query) => unit.rows(query),
      write: (updates) => unit.batch(updates),
      signal,
    });
    return true;
  }

  async #number({
    read,
    write,
    signal,
  }: {
    readonly read: (query: Query) => Promise<{ readonly rows: readonly (readonly unknown[])[] }>;
    readonly write: (updates: readonly Query[]) => Promise<unknown>;
    readonly signal: AbortSignal;
  }): Promise<void> {
    const { database, tableName, numbering } = this.#table;
    const { dialect } = database;
    const name = (of: string) => dialect.identifiers.knexName(of);
    const key = numbering.key.map(name);
    const table = () => database.builder(name(tableName));
    const { rows: greatest } = await read(table().max({ greatest: name(numbering.column) }));
    let next = Math.max(Number(greatest[0]?.[0] ?? 0), numbering.given ?? 0);
    let last: readonly unknown[] | undefined;
    for (;;) {
      signal.throwIfAborted();
      const page = table()
        .select(key)
        .whereNull(name(numbering.column))
        .orderBy([...key])
        .limit(batch);
      if (last) void page.where(after(key, last));
      const { rows } = await read(page);
      const numbered = rows.map((row) => {
        next += 1;
        return { key: row as readonly Binding[], value: next };
      });
      const written = {
        table: tableName,
        column: numbering.column,
        type: { kind: numbering.storage, native: numbering.nativeType },
        key: numbering.key,
      };
      const updates: Query[] = [];
      for (let start = 0; start < numbered.length; start += rowsPerUpdate)
        updates.push(updateEach(dialect, written, numbered.slice(start, start + rowsPerUpdate)));
      if (updates.length > 0) await write(updates);
      last = rows.at(-1);
      if (rows.length < batch) return;
    }
  }
}

/** For a column whose values others may write from now on: its numbers are counted on from the greatest one that it holds then. */
export async function forgetNumbers(unit: Unit, columnId: string): Promise<void> {
  await unit.run(unit.knex('trellis_row_counter').where({ column_id: columnId }).delete());
}

/** The last number that a column gave; undefined where it gave none, or where they are not counted. */
export async function lastNumber(unit: Unit, columnId: string): Promise<number | undefined> {
  const row = await unit.first<{ last: number | string }>(
    unit.knex('trellis_row_counter').where({ column_id: columnId }).select('last'),
  );
  return row && Number(row.last);
}

/** Counts on behind the numbers that rows hold, and never behind fewer than were given before. */
export async function passNumbers(
  unit: Unit,
  columnId: string,
  held: { readonly tableName: string; readonly column: string },
): Promise<void> {
  const rows = await unit.first<{ greatest: number | string | null }>(
    unit.knex(held.tableName).max({ greatest: held.column }),
  );
  const greatest = Number(rows?.greatest ?? 0);
  await unit.run(
    unit
      .knex('trellis_row_counter')
      .where({ column_id: columnId })
      .where('last', '<', greatest)
      .update({ last: greatest }),
  );
}
