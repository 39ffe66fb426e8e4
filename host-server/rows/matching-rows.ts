import { lockingRows, selectAll, selectIn, type CompiledQuery } from '../query/select.ts';
import type { Binding } from '../sql/session.ts';
import { CellBudget, rowsAtOnce } from './cell-budget.ts';
import { countableKey } from './row-keys.ts';
import type { Cells } from './row-values.ts';
import type { TableWrite } from './table-write.ts';

/** Larger sets are changed without remembering each row, and cannot be taken back. */
const mostRemembered = 10_000;

/**
 * All columns of the rows that a query matches, which stay locked. Undefined when they are too many, or hold too much, to be
 * remembered.
 */
export async function matchingRows(
  write: TableWrite,
  query: CompiledQuery,
): Promise<readonly Cells[] | undefined> {
  const { plan, unit, context } = write;
  const columns = plan.columns.map(({ column }) => column);
  const unordered = { ...query, order: [] };
  const key = countableKey(plan);
  const budget = new CellBudget();
  const first = key === undefined ? mostRemembered : rowsAtOnce;
  const { rows: few } = await unit.rows(lockingRows(context, selectAll(unordered, columns), first + 1));
  if (few.length <= first) return budget.take(few) ? few : undefined;
  if (key === undefined) return undefined;
  const named = lockingRows(context, selectAll(unordered, [key.column]), mostRemembered + 1);
  const keys = (await unit.rows(named)).rows.map(([value]) => value as Binding);
  if (keys.length > mostRemembered) return undefined;
  const found: Cells[] = [];
  for (let from = 0; from < keys.length; from += rowsAtOnce) {
    const chunk = keys.slice(from, from + rowsAtOnce);
    const { rows } = await unit.rows(selectIn(context, columns, key.column, chunk));
    if (!budget.take(rows)) return undefined;
    found.push(...rows);
  }
  // SQLite lets keys be empty, and an empty one is in no list.
  return found.length === keys.length ? found : undefined;
}
