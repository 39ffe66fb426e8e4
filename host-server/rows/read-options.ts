import type { AccessScope } from '@trellis/sdk/server';
import type { ReadOptions, ReadWork } from '../databases/database.ts';
import { DatabaseError } from '../databases/index.ts';
import { selectSize, type CompiledQuery } from '../query/select.ts';
import type { OpenTable } from './open-table.ts';
import type { TableMemory } from './table-memory.ts';
import type { TablePlan } from './table-plan.ts';

/** Tables of so many rows are looked through in some milliseconds, whatever is asked of them. */
const smallTable = 20_000;

/** The share that a call takes its turn in: the person's, or the project's for visitors without an account. */
export function shareOf({ principal, projectId }: AccessScope): string {
  return principal.id === '' ? (projectId ?? '') : principal.id;
}

/** Milliseconds for counting up to `smallTable` rows, which usually takes a few. */
const measureMs = 1000;

/**
 * What a read of rows may ask of the database, so that searches through large tables queue among themselves. A view counts as
 * large until its rows were counted: how long that takes nobody knows.
 */
export async function workOf(
  memory: TableMemory,
  open: Pick<OpenTable, 'database' | 'handle'>,
  query: CompiledQuery,
): Promise<ReadWork> {
  const { order, table, rule, predicate } = query;
  const [first] = order === 'random' ? [] : order;
  const followsKey = order.length === 0 || (first !== undefined && first.column === table.primaryKey[0]);
  if (rule === undefined && predicate === undefined && followsKey) return 'page';
  const size = memory.size(table.id) ?? (await measuredSize(memory, open, query));
  return size <= smallTable ? 'page' : 'long';
}

/** What a read by whole keys may ask of the database. Decimals are compared by our rules, which no index knows, so such a read is long. */
export function workByKey({ key }: TablePlan): ReadWork {
  return key.some(({ column }) => column.storage === 'decimal') ? 'long' : 'page';
}

/** The query as it runs with this work: what may take long is ended when its caller goes away. */
export function readyFor(work: ReadWork, query: CompiledQuery): CompiledQuery {
  return work === 'long' || query.table.kind === 'view' ? { ...query, isSearch: true } : query;
}

/** How many rows a table has, counted only as far as it makes a difference; a table that is too busy to tell is large. */
async function measuredSize(
  memory: TableMemory,
  { database, handle }: Pick<OpenTable, 'database' | 'handle'>,
  query: CompiledQuery,
): Promise<number> {
  const { table, scope } = handle;
  if (table.kind === 'view') return Number.POSITIVE_INFINITY;
  const { query: statement, shape } = selectSize(query, smallTable + 1);
  try {
    const rows = await memory.count(table.id, shape, async () => {
      const options = readOptions(scope, 'page', { timeoutMs: measureMs });
      const counted = await database.read((unit) => unit.rows(statement), options);
      return Number(counted.rows[0]?.[0]);
    });
    memory.learnSize(table.id, rows);
    return rows;
  } catch (error) {
    if (error instanceof DatabaseError && (error.kind === 'busy' || error.kind === 'timeout'))
      return Number.POSITIVE_INFINITY;
    throw error;
  }
}

export function readOptions(
  scope: AccessScope,
  work: ReadWork,
  limits: Pick<ReadOptions, 'signal' | 'timeoutMs'>,
): ReadOptions {
  return { ...limits, work, share: shareOf(scope) };
}
