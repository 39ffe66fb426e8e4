import type { FunctionSql } from '../dialects/functions/default.ts';
import type { CompileContext } from './compile-context.ts';

/** How values are compared by which rows are linked, and keys by which rows of databases of others are named. */
export function keysOf({ dialect: { functions } }: CompileContext): NonNullable<FunctionSql['ofKeys']> {
  return functions.ofKeys ?? functions;
}

/** Whether a database of others says which texts are the same key. Our own tables are told to compare each letter. */
export function hasKeysOfOthers({
  reach,
  table,
}: Pick<CompileContext, 'table'> & { readonly reach: Pick<CompileContext['reach'], 'snapshot'> }): boolean {
  return reach.snapshot.bases.get(table.baseId)?.own !== true;
}
