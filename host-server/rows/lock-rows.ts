import type { RowKey } from '@trellis/sdk/shared';
import { lockingRows, selectIn, selectWhere } from '../query/select.ts';
import { columnsOf, whereOfKey } from './row-keys.ts';
import type { TableWrite } from './table-write.ts';

/**
 * Locks the rows of a call in the order of their keys, before it goes through them in the caller's order: two calls that name
 * the same rows in different orders would otherwise wait for each other until the database ends one of them.
 */
export async function lockAll(write: TableWrite, keys: readonly (RowKey | undefined)[]): Promise<void> {
  const { plan, context, unit } = write;
  const { primaryKey } = plan.table;
  const [only] = plan.key;
  if (keys.length < 2 || only === undefined || !context.dialect.statements.locksRows) return;
  const named = [...new Set(keys.filter((key) => key !== undefined))].toSorted(byKey);
  const wheres = named.flatMap((key) => {
    const where = whereOfKey(plan, key);
    return where === undefined ? [] : [columnsOf(where)];
  });
  if (plan.key.length > 1) {
    await unit.batch(
      wheres.map((where) => lockingRows(context, (locked) => selectWhere(locked, primaryKey, where))),
    );
    return;
  }
  const values = wheres.map((where) => where[0]?.[1] ?? null);
  for (const chunk of write.limits.chunkRows(1, values)) {
    await unit.run(lockingRows(context, (locked) => selectIn(locked, primaryKey, only.column, chunk)));
  }
}

/** Orders numeric keys by size, as databases do. Other keys only need an order that is the same in every call. */
function byKey(left: RowKey, right: RowKey): number {
  return left.length - right.length || (left < right ? -1 : Number(left > right));
}
