import type { ColumnEntity, TableEntity } from '../../shared/index.ts';
import type { WebColumnType } from '../extensions/index.ts';

/** Whether rows can be sorted by a column. If the plugin of its type is off, stored columns can. @public */
export function isSortable(
  column: ColumnEntity,
  table: TableEntity,
  types: readonly WebColumnType[],
): boolean {
  const type = types.find(({ id }) => id === column.uidt);
  if (type === undefined) return column.virtual !== true;
  return type.hasOrder !== false && (type.isSortable?.(column, table) ?? true);
}
