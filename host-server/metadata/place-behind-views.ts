import type { Unit } from '../sql/unit.ts';

/**
 * The place behind all views of a table, those that others have for themselves among them: a view that stood at the place of one that its
 * maker does not see would stand at the same place for whoever sees both.
 */
export async function placeBehindViews(unit: Unit, tableId: string): Promise<number> {
  const row = await unit.first<{ last: number | string | null }>(
    unit.knex('trellis_view').where({ table_id: tableId }).max({ last: 'sort_order' }),
  );
  return Number(row?.last ?? 0) + 1;
}
