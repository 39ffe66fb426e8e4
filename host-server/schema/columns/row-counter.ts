import type { Unit } from '../../sql/unit.ts';

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
