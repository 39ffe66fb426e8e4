import type { FunctionSql } from '../dialects/functions/default.ts';
import type { CompileContext } from './compile-context.ts';

/** The comparison of the values that link rows, and of the keys of rows in external databases. */
export function keysOf({ dialect: { functions } }: CompileContext): NonNullable<FunctionSql['ofKeys']> {
  return functions.ofKeys ?? functions;
}

/**
 * Whether the table is in an external database, which decides which texts are the same key. Trellis's own tables compare every
 * letter exactly.
 */
export function hasKeysOfOthers({
  reach,
  table,
}: Pick<CompileContext, 'table'> & { readonly reach: Pick<CompileContext['reach'], 'snapshot'> }): boolean {
  return reach.snapshot.bases.get(table.baseId)?.own !== true;
}
