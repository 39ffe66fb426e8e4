import type { ColumnSchema, TableSchema } from '@trellis/sdk/server';

/**
 * The column that orders rows when nothing sorts them: the order that people gave them, else the counting key, else the time of
 * creation. Undefined when only the key is left.
 */
export function defaultOrder(
  table: Pick<TableSchema, 'primaryKey' | 'columnByName' | 'rowOrder'>,
): ColumnSchema | undefined {
  if (table.rowOrder !== undefined) return table.rowOrder;
  const [first, ...others] = table.primaryKey;
  const isCounting =
    first !== undefined &&
    others.length === 0 &&
    (first.autoIncrement || first.storage === 'integer' || first.storage === 'bigint');
  return isCounting ? first : table.columnByName.get('created_at');
}
