import { mayRead, type Change } from '@trellis/sdk/server';
import type { RowChange } from '../changes/row-change.ts';
import { DatabaseError } from '../databases/index.ts';
import { insertOne } from './insert-rows.ts';
import type { OpenTable } from './open-table.ts';
import { placedByKey } from './row-order.ts';
import { rowErrors } from './row-errors.ts';
import { whereOfKey } from './row-keys.ts';
import { isAsLeft, restoredValues } from './row-values.ts';
import type { Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** The operation that undoes one. */
export const inverse = { insert: 'delete', update: 'update', delete: 'insert' } as const;

/** A change with the values to restore in its row. */
export interface Reversal {
  readonly change: Change;
  readonly values: Values;
}

/**
 * Undo writes columns like any other write. A change is undone whole or not at all, so nothing is left out.
 *
 * @throws TrellisError 403 when it would write a cell of a column that the caller may not write.
 */
export function assertMayRestore({ handle, plan }: OpenTable, changes: readonly Change[]): void {
  const writable = handle.scope.writableColumns(handle.table.id);
  if (writable === 'all') return;
  for (const { before } of changes) {
    for (const codec of restoredValues(plan, before ?? {}).keys()) {
      if (codec === plan.rowOrder) continue;
      const { id, title, primaryKey } = codec.column;
      if (primaryKey || writable.has(id)) continue;
      if (mayRead(handle.scope, codec.column)) throw rowErrors.create('UNDO_FORBIDDEN', { column: title });
      throw rowErrors.create('UNDO_OUT_OF_SIGHT');
    }
  }
}

/** @throws TrellisError 409 when the row is no longer as the change left it. */
export async function revertChange(write: TableWrite, { change, values }: Reversal): Promise<RowChange> {
  const where = change.rowKey === undefined ? undefined : whereOfKey(write.plan, change.rowKey);
  if (where === undefined) throw rowErrors.create('UNDO_CONFLICT');
  if (change.op !== 'insert' && change.before === undefined) throw rowErrors.create('UNDO_UNKNOWN');
  const cells = await write.lockCells(where);
  if (change.op === 'delete') {
    if (cells !== undefined) throw rowErrors.create('UNDO_CONFLICT');
    try {
      return (await insertOne(write, await placedByKey(write, values))).change;
    } catch (error) {
      // Meanwhile somebody else has restored the row, or added one with its unique values.
      if (error instanceof DatabaseError && error.kind === 'unique')
        throw rowErrors.create('UNDO_CONFLICT', {}, error);
      throw error;
    }
  }
  if (cells === undefined || !isAsLeft(write.plan, cells, change.after ?? {}))
    throw rowErrors.create('UNDO_CONFLICT');
  if (change.op === 'insert') {
    const made = await write.delete(where);
    if (made === undefined) throw rowErrors.create('UNDO_CONFLICT');
    return made;
  }
  const updated = await write.update(where, values);
  if (updated?.change === undefined) throw rowErrors.create('UNDO_CONFLICT');
  return updated.change;
}
