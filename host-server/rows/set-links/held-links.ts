import { selectHolding } from '../../query/partitions.ts';
import { columnIn } from '../../query/compile-related.ts';
import type { Cells } from '../../databases/database.ts';
import type { Binding } from '../../sql/session.ts';
import type { SqlFragment } from '../../sql/fragment.ts';
import type { Unit } from '../../sql/unit.ts';
import { lockNamed } from '../change-named.ts';
import { keysOfEnds, linkedKey } from '../keys-of-ends.ts';
import { lockAll } from '../lock-rows.ts';
import type { OpenTable } from '../open-table.ts';
import { readOptions } from '../read-options.ts';
import { rowErrors } from '../row-errors.ts';
import { keyOf, whereOfKey } from '../row-keys.ts';
import { TableWrite } from '../table-write.ts';
import type { CallLimits } from './call-limits.ts';
import { bindingsIn } from './link-values.ts';
import type { NamedRow } from './named-rows.ts';

/** The most links that one call may remove. */
const most = 10_000;
/** Cells whose links are read by one statement. */
const atOnce = 500;

/** The cells of some rows when the plan was made. */
interface Seen {
  readonly columnIds: readonly string[];
  readonly ends: readonly (readonly Binding[])[];
  readonly rows: readonly NamedRow[];
  readonly held: ReadonlyMap<string, readonly Cells[]>;
}

export function holdsStill(own: OpenTable, holder: OpenTable, { columnIds, ends, rows, held }: Seen) {
  const keysOf = (links: ReadonlyMap<string, readonly Cells[]>) =>
    [...links.values()]
      .flatMap((rows) => rows.map((cells) => linkOfCells(holder, columnIds, cells)))
      .toSorted();
  return async (unit: Unit): Promise<boolean> => {
    const write = new TableWrite(own, unit);
    await lockAll(
      write,
      rows.map(({ key }) => key),
    );
    const named = rows.flatMap(({ key }) => {
      const where = whereOfKey(own.plan, key);
      return where === undefined ? [] : [{ where, isKey: true }];
    });
    await lockNamed(write, named);
    const now = await holding(holder, columnIds, ends, (statement) => unit.rows(statement));
    return JSON.stringify(keysOf(now)) === JSON.stringify(keysOf(held));
  };
}

/** A row that holds a link, together with the linked row, as text. */
function linkOfCells(holder: OpenTable, columnIds: readonly string[], cells: Cells): string {
  return JSON.stringify([keyOf(holder.plan, cells), linkedKey(bindingsIn(holder, cells, columnIds))]);
}

/** Reads cells: within a transaction, or over a connection of the pool. */
type ReadCells = (statement: SqlFragment) => ReturnType<Unit['rows']>;

/** Reads outside a transaction, within the call's limits. */
export function readingOf({ database, handle }: OpenTable, limits: CallLimits): ReadCells {
  return (statement) =>
    database.read((unit) => unit.rows(statement), readOptions(handle.scope, 'page', limits()));
}

/**
 * The rows of a table that hold links of some rows, by the linking values.
 *
 * @throws TrellisError 413 if there are more than one call may change.
 */
export async function holding(
  { plan, context, handle }: OpenTable,
  columnIds: readonly string[],
  keys: readonly (readonly Binding[])[],
  read: ReadCells,
): Promise<ReadonlyMap<string, readonly Cells[]>> {
  const ends = columnIds.map((id) => columnIn(plan.table, id));
  const whole = keys.filter((key) => !key.includes(null));
  const found = new Map<string, Cells[]>();
  let left = most;
  for (let from = 0; from < whole.length; from += atOnce) {
    const part = whole.slice(from, from + atOnce);
    const statement = selectHolding(context, plan.stored, {
      ends,
      keys: part,
      rule: handle.scope.rowPredicate(plan.table.id),
      limit: left + 1,
    });
    const { rows } = await read(statement);
    left -= rows.length;
    if (left < 0) throw rowErrors.create('TOO_MANY_LINKS', { limit: most });
    const endOf = (cells: Cells) => bindingsIn({ plan }, cells, columnIds);
    const asked = { keys: part, ends: rows.map(endOf), areUnique: true, areOfKeys: true };
    const named = await keysOfEnds({ near: context, nearIds: columnIds }, asked, read);
    for (const cells of rows) {
      for (const key of named.get(linkedKey(endOf(cells))) ?? []) {
        const held = found.get(key);
        if (held === undefined) found.set(key, [cells]);
        else held.push(cells);
      }
    }
  }
  return found;
}
