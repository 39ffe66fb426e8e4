import type { AccessScope } from './access.ts';
import type { ColumnSchema } from './schema.ts';

/** Whether a column is not hidden from the caller. @public */
export function mayRead(scope: AccessScope, { tableId, id }: Pick<ColumnSchema, 'tableId' | 'id'>): boolean {
  const readable = scope.readableColumns(tableId);
  return readable === 'all' || readable.has(id);
}
