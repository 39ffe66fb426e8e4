import type { Metadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';
import type { OpenTable } from './open-table.ts';
import type { ColumnCodec, Values } from './table-plan.ts';

/**
 * Gives rows that are about to be added their numbers, if a column of the table numbers them. The numbers are taken in a separate
 * transaction before the one that adds the rows: concurrent inserts do not wait for each other, and the numbers of refused rows are
 * not used again.
 */
export async function numbered(
  metadata: Metadata,
  open: OpenTable,
  rows: readonly Values[],
): Promise<readonly Values[]> {
  const of = open.plan.numbered;
  if (of === undefined || rows.length === 0) return rows;
  const last = await lineOf(metadata, of.column.id).take({ open, of, count: rows.length });
  return rows.map((values, index) => new Map([...values, [of, last - rows.length + index + 1]]));
}

interface Taking {
  readonly open: OpenTable;
  readonly of: ColumnCodec;
  readonly count: number;
}

const lines = new WeakMap<Metadata, Map<string, NumberLine>>();

function lineOf(metadata: Metadata, columnId: string): NumberLine {
  const ofColumns = lines.get(metadata) ?? new Map<string, NumberLine>();
  lines.set(metadata, ofColumns);
  const line = ofColumns.get(columnId) ?? new NumberLine(metadata, () => ofColumns.delete(columnId));
  ofColumns.set(columnId, line);
  return line;
}

interface Waiting extends Taking {
  readonly resolve: (last: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes the numbers of one column. Requests that arrive during a transaction share the next one: each transaction locks the
 * counter's row until its commit, and a hundred in sequence would exceed the database's lock timeout.
 */
class NumberLine {
  readonly #metadata: Metadata;
  readonly #didEnd: () => void;
  #waiting: Waiting[] = [];
  #isTaking = false;

  constructor(metadata: Metadata, didEnd: () => void) {
    this.#metadata = metadata;
    this.#didEnd = didEnd;
  }

  /** The last of the numbers that were taken. */
  take(taking: Taking): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...taking, resolve, reject });
      if (!this.#isTaking) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isTaking = true;
    for (let all = this.#next(); all.length > 0; all = this.#next()) {
      const [{ open, of }] = all as readonly [Waiting];
      const count = all.reduce((sum, one) => sum + one.count, 0);
      try {
        let last = (await takeNumbers(this.#metadata, { open, of, count })) - count;
        for (const one of all) one.resolve((last += one.count));
      } catch (error) {
        for (const { reject } of all) reject(error);
      }
    }
    this.#isTaking = false;
    this.#didEnd();
  }

  #next(): readonly Waiting[] {
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }
}

/** The last of the numbers that were taken. */
async function takeNumbers(metadata: Metadata, { open, of, count }: Taking): Promise<number> {
  const { database } = metadata;
  const { id } = of.column;
  const taking = () => database.write((unit) => countOn(unit, id, count), { retry: true });
  const taken = await taking();
  if (taken !== undefined) return taken;
  // Another server may start counting at the same time, from the same number. In a separate transaction: on MySQL, transactions
  // that find the row share a lock on it, and then none of them could update it.
  const first = { column_id: id, last: await greatestNumber(open, of) };
  await database.write(
    (unit) => unit.run(unit.knex('trellis_row_counter').insert(first).onConflict('column_id').ignore()),
    { retry: true },
  );
  return (await taking()) ?? takeNumbers(metadata, { open, of, count });
}

/** Undefined if the column has given no number yet. */
async function countOn(unit: Unit, columnId: string, count: number): Promise<number | undefined> {
  const counter = () => unit.knex('trellis_row_counter').where({ column_id: columnId });
  const { changes } = await unit.run(counter().increment('last', count));
  if (changes === 0) return undefined;
  const row = await unit.first<{ last: number | string }>(counter().select('last'));
  return Number(row?.last);
}

/** The greatest number in the existing rows, which were numbered when the column was added. */
async function greatestNumber({ database, plan }: OpenTable, { column }: ColumnCodec): Promise<number> {
  const { identifiers } = database.dialect;
  const query = database
    .builder(identifiers.knexTable(plan.table.tableName))
    .max({ greatest: identifiers.knexName(column.columnName) });
  const { rows } = await database.read((unit) => unit.rows(query), { work: 'long' });
  return Number(rows[0]?.[0] ?? 0);
}
