import { formatRowKey, parseRowKey, type RowKey } from '@trellis/sdk/shared';
import type { Unit } from '../../sql/unit.ts';

/** How foreign keys of tables name the rows of another table. */
interface NamesInLinks {
  /** The tables with these foreign keys; undefined for all tables that no other item lists. */
  readonly holderIds: readonly string[] | undefined;
  /** The name of a row in them, from its key. */
  readonly nameOf: (key: RowKey) => RowKey;
}

interface LinkRow {
  readonly table_id: string;
  readonly to_column_ids: string;
}

/**
 * How the rows of a table are named in `trellis_log_link`: by their keys, but for foreign keys of several columns in the order of
 * their columns.
 */
export async function namesInLinks(unit: Unit, tableId: string): Promise<readonly NamesInLinks[]> {
  const byKey = (nameOf: NamesInLinks['nameOf']) => [{ holderIds: undefined, nameOf }];
  const columns = await unit.all<{ readonly id: string }>(
    unit
      .knex('trellis_column')
      .where({ table_id: tableId, primary_key: true })
      .orderBy('key_position')
      .select('id'),
  );
  if (columns.length < 2) return byKey((key) => key);
  const links = await unit.all<LinkRow>(
    unit
      .knex('trellis_link')
      .where({ kind: 'belongsTo', to_table_id: tableId })
      .select('table_id', 'to_column_ids'),
  );
  const places = new Map(columns.map(({ id }, place) => [id, place]));
  const holders = new Map<string, { readonly order: readonly number[]; readonly ids: Set<string> }>();
  for (const { table_id: holder, to_column_ids: ids } of links) {
    const order = (JSON.parse(ids) as readonly string[]).map((id) => places.get(id) ?? -1);
    const isKey = order.length === columns.length && !order.includes(-1);
    if (!isKey || order.every((place, at) => place === at)) continue;
    const known = holders.get(order.join()) ?? { order, ids: new Set() };
    holders.set(order.join(), known);
    known.ids.add(holder);
  }
  const others = [...holders.values()].map(({ order, ids }) => ({
    holderIds: [...ids],
    nameOf: (key: RowKey) => {
      const parts = parseRowKey(key, columns.length) ?? [];
      return formatRowKey(order.map((place) => parts[place] ?? ''));
    },
  }));
  return [...byKey((key) => key), ...others];
}
