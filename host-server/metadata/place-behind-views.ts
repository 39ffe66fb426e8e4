import type { Unit } from '../sql/unit.ts';

/**
 * The place after all views of a table, including the personal views of others: if a view took the place of one that its author
 * cannot see, both would have the same place for a person who sees both.
 */
export async function placeBehindViews(unit: Unit, tableId: string): Promise<number> {
  const row = await unit.first<{ last: number | string | null }>(
    unit.knex('trellis_view').where({ table_id: tableId }).max({ last: 'sort_order' }),
  );
  return Number(row?.last ?? 0) + 1;
}
