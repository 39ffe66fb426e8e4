import type { Cells } from '../databases/database.ts';
import type { RowChange } from '../changes/row-change.ts';
import { selectIn } from '../query/select.ts';
import { deleteIn, updateIn } from '../query/write.ts';
import type { Binding } from '../sql/session.ts';
import { rowErrors } from './row-errors.ts';
import { countableKey, keyOf, whereOfCells } from './row-keys.ts';
import { deletionOf, differenceOf } from './row-values.ts';
import type { ColumnCodec, TablePlan, Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** Sets the same values, none of them of the key, in rows that are locked already. */
export async function updateRows(
  write: TableWrite,
  rows: readonly Cells[],
  values: Values,
): Promise<readonly RowChange[]> {
  const { plan, context, unit } = write;
  const key = sharedKey(plan, rows);
  const changes: (RowChange | undefined)[] = [];
  if (key === undefined) {
    for (const cells of rows) changes.push((await write.update(whereOfCells(plan, cells), values))?.change);
    return changes.filter((change) => change !== undefined);
  }
  for (const chunk of write.limits.chunkRows(1, rows)) {
    const keys = keysOf(plan, key, chunk);
    const [updated, renewed] = await unit.batch([
      updateIn(context, write.assignments(values), key.column, keys),
      selectIn(context, plan.stored, key.column, keys),
    ]);
    if (updated?.changes !== chunk.length) throw rowErrors.create('NOT_ONE_ROW');
    const after = new Map(renewed?.rows.map((cells) => [keyOf(plan, cells), cells]));
    for (const before of chunk) {
      const cells = after.get(keyOf(plan, before));
      if (cells === undefined) throw rowErrors.create('NOT_ONE_ROW');
      changes.push(differenceOf(plan, before, cells));
    }
  }
  return changes.filter((change) => change !== undefined);
}

/** Deletes rows that are locked already. */
export async function deleteRows(write: TableWrite, rows: readonly Cells[]): Promise<readonly RowChange[]> {
  const { plan, context, unit } = write;
  const key = sharedKey(plan, rows);
  if (key === undefined) {
    const changes: RowChange[] = [];
    for (const cells of rows) {
      const change = await write.delete(whereOfCells(plan, cells));
      if (change) changes.push(change);
    }
    return changes;
  }
  for (const chunk of write.limits.chunkRows(1, rows)) {
    // The statement may count fewer rows than it named, because deleting one row cascades to another. All of them are gone.
    const { changes } = await unit.run(deleteIn(context, key.column, keysOf(plan, key, chunk)));
    if (changes > chunk.length) throw rowErrors.create('NOT_ONE_ROW');
  }
  return rows.map((cells) => deletionOf(plan, cells));
}

/** The key column by which one `in` list can name these rows. Undefined when a key is empty, which SQLite allows: no list contains null. */
function sharedKey(plan: TablePlan, rows: readonly Cells[]): ColumnCodec | undefined {
  const [index = 0] = plan.keyIndexes;
  return rows.some((cells) => cells[index] === null) ? undefined : countableKey(plan);
}

function keysOf(plan: TablePlan, key: ColumnCodec, rows: readonly Cells[]): readonly Binding[] {
  const index = plan.columns.indexOf(key);
  return rows.map((cells) => cells[index] as Binding);
}
