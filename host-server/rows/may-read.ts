import type { AccessScope, ColumnSchema, LinkSchema } from '@trellis/sdk/server';
import { endsOf } from '../query/compile-related.ts';

/** Whether a column is not hidden from the caller. */
export function mayRead(scope: AccessScope, { tableId, id }: Pick<ColumnSchema, 'tableId' | 'id'>): boolean {
  const readable = scope.readableColumns(tableId);
  return readable === 'all' || readable.has(id);
}

/** Whether the caller may know all columns that a link goes by and may read the table that it leads to. */
export function mayFollow(scope: AccessScope, link: LinkSchema): boolean {
  return scope.can(undefined, 'read') && endsOf(link).every((end) => mayRead(scope, end));
}
