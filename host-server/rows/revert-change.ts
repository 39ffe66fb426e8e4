import type { AccessScope, Change } from '@trellis/sdk/server';
import type { RowChange } from '../changes/change-recorder.ts';
import { DatabaseError } from '../databases/index.ts';
import type { Unit } from '../sql/unit.ts';
import { deleteOne, updateOne } from './change-rows.ts';
import { insertOne } from './insert-rows.ts';
import { rowErrors } from './row-errors.ts';
import type { OpenTable, RowReader } from './row-reader.ts';
import { isAsLeft } from './row-values.ts';
import type { Values } from './table-plan.ts';

/** The operation that takes one back. */
export const inverse = { insert: 'delete', update: 'update', delete: 'insert' } as const;

/** A change with what its row is to hold again. */
export interface Reversal {
  readonly change: Change;
  readonly values: Values;
}

/** @throws TrellisError 409 when the row is no longer as the change left it. */
export async function revertChange(
  reader: RowReader,
  unit: Unit,
  open: OpenTable,
  { change, values }: Reversal,
  scope: AccessScope,
): Promise<RowChange> {
  const where = change.rowKey === undefined ? undefined : reader.keyValues(open, change.rowKey);
  if (where === undefined) throw rowErrors.create('UNDO_CONFLICT');
  if (change.op !== 'insert' && change.before === undefined) throw rowErrors.create('UNDO_UNKNOWN');
  const cells = await reader.lockCells(unit, open, where);
  if (change.op === 'delete') {
    if (cells !== undefined) throw rowErrors.create('UNDO_CONFLICT');
    try {
      return (await insertOne(reader, unit, open, values)).change;
    } catch (error) {
      // Somebody else put the row, or one with its unique values, there first.
      if (error instanceof DatabaseError && error.kind === 'unique')
        throw rowErrors.create('UNDO_CONFLICT', {}, error);
      throw error;
    }
  }
  if (cells === undefined || !isAsLeft(open, cells, change.after ?? {}))
    throw rowErrors.create('UNDO_CONFLICT');
  if (change.op === 'insert') {
    const made = await deleteOne(reader, unit, open, where, scope);
    if (made === undefined) throw rowErrors.create('UNDO_CONFLICT');
    return made;
  }
  const updated = await updateOne(reader, unit, open, where, values, scope);
  if (updated?.change === undefined) throw rowErrors.create('UNDO_CONFLICT');
  return updated.change;
}
