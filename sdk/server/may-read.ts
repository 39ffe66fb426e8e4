import type { AccessScope } from './access.ts';
import type { ColumnSchema } from './schema.ts';

/** Whether the caller may see a column. @public */
export function mayRead(scope: AccessScope, { tableId, id }: Pick<ColumnSchema, 'tableId' | 'id'>): boolean {
  const readable = scope.readableColumns(tableId);
  return readable === 'all' || readable.has(id);
}

/** Whether readable values may be computed from the cells of a column: see `ColumnNarrowing.computable`. @public */
export function mayCompute(
  scope: AccessScope,
  { tableId, id }: Pick<ColumnSchema, 'tableId' | 'id'>,
): boolean {
  const computable = scope.computableColumns(tableId);
  return computable === 'all' || computable.has(id);
}
