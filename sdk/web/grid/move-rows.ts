import type { RowKey } from '../../shared/index.ts';
import type { RowPlace } from '../rows/index.ts';
import type { GridModel } from './grid-model.ts';
import { rangeOf } from './grid-selection.ts';

/** Rows that are being moved. */
export interface MovingRows {
  readonly keys: readonly RowKey[];
  /** The row under the pointer, beside which they are placed; undefined if it is one of them. */
  readonly to: { readonly row: number; readonly side: RowPlace['side'] } | undefined;
}

/**
 * The rows that move with one, in order: the ticked ones, the selected ones, or it alone. Undefined if one of them is not loaded.
 */
export function rowsMovedWith({ state }: GridModel, index: number): readonly RowKey[] | undefined {
  const { source } = state.context;
  const { tickedRows, selection } = state.getSnapshot();
  const own = source.rowAt(index)?.key;
  if (own === undefined) return undefined;
  if (tickedRows.has(own)) {
    const placed = [...tickedRows].map((key) => ({
      key,
      at: source.indexOf(key) ?? Number.MAX_SAFE_INTEGER,
    }));
    return placed.toSorted((left, right) => left.at - right.at).map(({ key }) => key);
  }
  const range = selection && rangeOf(selection);
  if (range === undefined || index < range.top || index > range.bottom) return [own];
  const keys: RowKey[] = [];
  for (let at = range.top; at <= range.bottom; at++) {
    const key = source.rowAt(at)?.key;
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
}

/** Moves the selected rows past the one above or below them; false if rows have no manual order. */
export function moveRows(model: GridModel, direction: 'up' | 'down'): boolean {
  const { state } = model;
  const { handlers, source, readOnly } = state.context;
  const { selection } = state.getSnapshot();
  if (handlers.onMoveRows === undefined || readOnly || selection === undefined || state.isAtEnd) return false;
  const { top, bottom } = rangeOf(selection);
  const keys = rowsMovedWith(model, selection.active.row);
  const isUp = direction === 'up';
  const beside = source.rowAt(isUp ? top - 1 : bottom + 1);
  if (keys === undefined || beside === undefined || keys.includes(beside.key)) return true;
  model.session.leave();
  handlers.onMoveRows(keys, { side: isUp ? 'before' : 'after', row: beside.key });
  return true;
}

/** Where dragged rows would be placed when released over a row: those from above go after it. */
export function dropPlace(
  { state }: GridModel,
  { keys, over, from }: { readonly keys: readonly RowKey[]; readonly over: number; readonly from: number },
): MovingRows['to'] {
  const row = state.context.source.rowAt(over);
  if (row === undefined || keys.includes(row.key)) return undefined;
  return { row: over, side: over > from ? 'after' : 'before' };
}
