import type { Unit } from '../../sql/unit.ts';

/**
 * Forgets the last number of a column whose values others may write from now on. Numbering continues from the greatest value that
 * it then holds.
 */
export async function forgetNumbers(unit: Unit, columnId: string): Promise<void> {
  await unit.run(unit.knex('trellis_row_counter').where({ column_id: columnId }).delete());
}

/** The last number that a column gave; undefined when it gave none, or when its numbers are not counted. */
export async function lastNumber(unit: Unit, columnId: string): Promise<number | undefined> {
  const row = await unit.first<{ last: number | string }>(
    unit.knex('trellis_row_counter').where({ column_id: columnId }).select('last'),
  );
  return row && Number(row.last);
}

/** Moves the counter to the greatest number that rows hold, but never back. */
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
