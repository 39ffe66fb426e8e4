import type { AccessScope } from '@trellis/sdk/server';
import type { ReadOptions, ReadWork } from '../databases/database.ts';
import type { CompiledQuery } from '../query/select.ts';
import type { TableMemory } from './table-memory.ts';

/** Tables of so many rows are looked through in some milliseconds, whatever is asked of them. */
const smallTable = 20_000;

/** Whose turn a call takes where calls wait: a person's, or, for visitors without an account, the project's. */
export function shareOf({ principal, projectId }: AccessScope): string {
  return principal.id === '' ? (projectId ?? '') : principal.id;
}

/**
 * What a read of rows may ask of the database, so that searches through large tables queue among themselves. A table whose
 * size is not known yet counts as large.
 */
export function workOf(memory: TableMemory, query: CompiledQuery): ReadWork {
  const { order, table, rule, predicate } = query;
  const [first] = order === 'random' ? [] : order;
  const followsKey = order.length === 0 || (first !== undefined && first.column === table.primaryKey[0]);
  if (rule === undefined && predicate === undefined && followsKey) return 'page';
  return (memory.size(table.id) ?? Number.POSITIVE_INFINITY) <= smallTable ? 'page' : 'long';
}

export function readOptions(
  scope: AccessScope,
  work: ReadWork,
  limits: Pick<ReadOptions, 'signal' | 'timeoutMs'>,
): ReadOptions {
  return { ...limits, work, share: shareOf(scope) };
}
