import type { AccessScope } from '@trellis/sdk/server';
import type { RowChange } from '../changes/change-recorder.ts';
import type { Unit } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import { deleteIn, selectIn, updateIn } from '../query/select.ts';
import { assignments, deleteOne, updateOne } from './change-rows.ts';
import { rowErrors } from './row-errors.ts';
import type { OpenTable, RowReader } from './row-reader.ts';
import { deletionOf, differenceOf, keyOf, whereOf, type Cells } from './row-values.ts';
import type { ColumnPlan, Values } from './table-plan.ts';

/** Rows that are read and locked already, in the table that they are of. */
export interface LockedRows {
  readonly reader: RowReader;
  readonly unit: Unit;
  readonly open: OpenTable;
  readonly rows: readonly Cells[];
  readonly scope: AccessScope;
}

/** Sets the same values, none of them of the key, in all of the rows. */
export async function updateRows(locked: LockedRows, values: Values): Promise<readonly RowChange[]> {
  const { reader, unit, open, rows, scope } = locked;
  const key = countableKey(open, rows);
  const changes: (RowChange | undefined)[] = [];
  if (key === undefined) {
    for (const cells of rows)
      changes.push((await updateOne(reader, unit, open, whereOf(open, cells), values, scope))?.change);
    return changes.filter((change) => change !== undefined);
  }
  const context = { table: open.table, dialect: open.database.dialect };
  const columns = open.plan.columns.map((of) => of.column);
  for (const chunk of open.database.dialect.limits.chunkRows(1, rows)) {
    const keys = keysOf(open, key, chunk);
    const [updated, renewed] = await unit.batch([
      updateIn(context, assignments(open, values), key.column, keys),
      selectIn(context, columns, key.column, keys),
    ]);
    if (updated?.changes !== chunk.length) throw rowErrors.create('NOT_ONE_ROW');
    const after = new Map(renewed?.rows.map((cells) => [keyOf(open, cells), cells]));
    for (const before of chunk) {
      const cells = after.get(keyOf(open, before));
      if (cells === undefined) throw rowErrors.create('NOT_ONE_ROW');
      changes.push(differenceOf(open, before, cells));
    }
  }
  return changes.filter((change) => change !== undefined);
}

export async function deleteRows({
  reader,
  unit,
  open,
  rows,
  scope,
}: LockedRows): Promise<readonly RowChange[]> {
  const key = countableKey(open, rows);
  if (key === undefined) {
    const changes: RowChange[] = [];
    for (const cells of rows) {
      const change = await deleteOne(reader, unit, open, whereOf(open, cells), scope);
      if (change) changes.push(change);
    }
    return changes;
  }
  const context = { table: open.table, dialect: open.database.dialect };
  for (const chunk of open.database.dialect.limits.chunkRows(1, rows)) {
    // Fewer than were named are deleted where one row takes another with it; gone they are all.
    const { changes } = await unit.run(deleteIn(context, key.column, keysOf(open, key, chunk)));
    if (changes > chunk.length) throw rowErrors.create('NOT_ONE_ROW');
  }
  return rows.map((cells) => deletionOf(open, cells));
}

/** The one column of a key by which many rows can be named at once: numbers and texts, compared as they are stored. */
function countableKey({ plan }: OpenTable, rows: readonly Cells[]): ColumnPlan | undefined {
  const [only] = plan.key;
  if (only === undefined || plan.key.length > 1) return undefined;
  if (!['integer', 'bigint', 'string', 'text'].includes(only.column.storage)) return undefined;
  const index = plan.columns.indexOf(only);
  // SQLite lets keys be empty, and an empty one is in no list.
  return rows.some((cells) => cells[index] === null) ? undefined : only;
}

function keysOf({ plan }: OpenTable, key: ColumnPlan, rows: readonly Cells[]): readonly Binding[] {
  const index = plan.columns.indexOf(key);
  return rows.map((cells) => cells[index] as Binding);
}
