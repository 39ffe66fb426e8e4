import type { AccessScope } from './access.ts';
import type { ColumnSchema } from './schema.ts';

/** Whether a column is not hidden from the caller. @public */
export function mayRead(scope: AccessScope, { tableId, id }: Pick<ColumnSchema, 'tableId' | 'id'>): boolean {
  const readable = scope.readableColumns(tableId);
  return readable === 'all' || readable.has(id);
}

/** Whether what can be read may be made of the cells of a column: see `ColumnNarrowing.computable`. @public */
export function mayCompute(
  scope: AccessScope,
  { tableId, id }: Pick<ColumnSchema, 'tableId' | 'id'>,
): boolean {
  const computable = scope.computableColumns(tableId);
  return computable === 'all' || computable.has(id);
}
