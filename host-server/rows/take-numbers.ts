import type { Metadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';
import type { OpenTable } from './open-table.ts';
import type { ColumnCodec, Values } from './table-plan.ts';

/**
 * Gives rows that are about to be added their numbers, where a column of the table numbers them. The numbers are taken in a
 * transaction of their own, before the one that adds the rows: rows that are added at the same moment do not wait for each other,
 * and the numbers of rows that are refused are not given again.
 */
export async function numbered(
  metadata: Metadata,
  open: OpenTable,
  rows: readonly Values[],
): Promise<readonly Values[]> {
  const of = open.plan.numbered;
  if (of === undefined || rows.length === 0) return rows;
  const last = await takeNumbers(metadata, { open, of, count: rows.length });
  return rows.map((values, index) => new Map([...values, [of, last - rows.length + index + 1]]));
}

interface Taking {
  readonly open: OpenTable;
  readonly of: ColumnCodec;
  readonly count: number;
}

/** The last of the numbers that were taken. */
async function takeNumbers({ database }: Metadata, { open, of, count }: Taking): Promise<number> {
  const { id } = of.column;
  const taken = await database.write((unit) => countOn(unit, id, count), { retry: true });
  if (taken !== undefined) return taken;
  const greatest = await greatestNumber(open, of);
  return database.write(
    async (unit) => {
      // Another server may begin to count at the same moment, from the same number.
      const first = { column_id: id, last: greatest };
      await unit.run(unit.knex('trellis_row_counter').insert(first).onConflict('column_id').ignore());
      return (await countOn(unit, id, count)) ?? greatest + count;
    },
    { retry: true },
  );
}

/** Undefined where the column has given no number yet. */
async function countOn(unit: Unit, columnId: string, count: number): Promise<number | undefined> {
  const counter = () => unit.knex('trellis_row_counter').where({ column_id: columnId });
  const { changes } = await unit.run(counter().increment('last', count));
  if (changes === 0) return undefined;
  const row = await unit.first<{ last: number | string }>(counter().select('last'));
  return Number(row?.last);
}

/** What the rows hold that are there: those that were numbered when the column was added. */
async function greatestNumber({ database, plan }: OpenTable, { column }: ColumnCodec): Promise<number> {
  const { identifiers } = database.dialect;
  const query = database
    .builder(identifiers.knexName(plan.table.tableName))
    .max({ greatest: identifiers.knexName(column.columnName) });
  const { rows } = await database.read((unit) => unit.rows(query), { work: 'long' });
  return Number(rows[0]?.[0] ?? 0);
}
