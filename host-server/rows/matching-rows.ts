import type { Cells } from '../databases/database.ts';
import { lockingRows, selectAll, selectIn, type CompiledQuery, type Conditions } from '../query/select.ts';
import type { Binding } from '../sql/session.ts';
import { CellBudget, rowsAtOnce } from './cell-budget.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions, readyFor, workOf } from './read-options.ts';
import { countableKey } from './row-keys.ts';
import type { TableMemory } from './table-memory.ts';
import type { ColumnCodec } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** Larger sets are changed without keeping each row as it was, and cannot be undone. */
const mostRemembered = 10_000;

/** Milliseconds that looking for rows to write may take, as for a list. */
const searchMs = 10_000;

/**
 * The keys of the rows that a query matches, read before the write where only one transaction writes at a time: a search keeps
 * nobody else from writing then. As on databases that lock rows, those are written that match at the beginning and still do when
 * their turn comes. Undefined where rows are locked, where they cannot be named by a key, and for more than are remembered.
 *
 * @throws DatabaseError of kind `timeout` for a search of more than ten seconds, `busy` when no reader is free.
 */
export async function matchingKeys(
  memory: TableMemory,
  open: OpenTable,
  query: CompiledQuery,
): Promise<readonly Binding[] | undefined> {
  const { plan, context, database, handle } = open;
  const key = countableKey(plan);
  if (key === undefined || context.dialect.statements.locksRows) return undefined;
  const work = await workOf(memory, open, query);
  const unordered = readyFor(work, { ...query, order: [] });
  const { rows } = await database.read(
    (unit) =>
      unit.rows(lockingRows(unordered, (asked) => selectAll(asked, [key.column]), mostRemembered + 1)),
    readOptions(handle.scope, work, { timeoutMs: searchMs }),
  );
  const keys = rows.map(([value]) => value as Binding);
  // SQLite lets keys be null, and no list contains null.
  return keys.length > mostRemembered || keys.includes(null) ? undefined : keys;
}

/**
 * All columns of the rows that a query matches, which stay locked. Undefined when they are too many, or hold too much, to be
 * remembered.
 *
 * @param candidates the keys among which they are, where these are known; each is asked again whether it matches
 */
export async function matchingRows(
  write: TableWrite,
  query: CompiledQuery,
  candidates?: readonly Binding[],
): Promise<readonly Cells[] | undefined> {
  const { plan, unit } = write;
  const key = countableKey(plan);
  if (key !== undefined && candidates !== undefined) return rowsOfKeys(write, key, candidates, query);
  const unordered = { ...query, order: [] };
  const first = key === undefined ? mostRemembered : rowsAtOnce;
  const { rows: few } = await unit.rows(
    lockingRows(unordered, (locked) => selectAll(locked, plan.stored), first + 1),
  );
  if (few.length <= first) return new CellBudget().take(few) ? few : undefined;
  if (key === undefined) return undefined;
  const named = lockingRows(unordered, (locked) => selectAll(locked, [key.column]), mostRemembered + 1);
  const keys = (await unit.rows(named)).rows.map(([value]) => value as Binding);
  if (keys.length > mostRemembered) return undefined;
  const found = await rowsOfKeys(write, key, keys);
  // SQLite lets keys be null, and no list contains null.
  return found?.length === keys.length ? found : undefined;
}

/** The rows, among those with the given keys, that meet the conditions; undefined when they hold more than memory has room for. */
async function rowsOfKeys(
  { plan, unit, context }: TableWrite,
  key: ColumnCodec,
  keys: readonly Binding[],
  { rule, predicate }: Conditions = {},
): Promise<readonly Cells[] | undefined> {
  const query = { ...context, rule, predicate };
  const budget = new CellBudget();
  const found: Cells[] = [];
  for (let from = 0; from < keys.length; from += rowsAtOnce) {
    const chunk = keys.slice(from, from + rowsAtOnce);
    const { rows } = await unit.rows(selectIn(query, plan.stored, key.column, chunk));
    if (!budget.take(rows)) return undefined;
    found.push(...rows);
  }
  return found;
}
