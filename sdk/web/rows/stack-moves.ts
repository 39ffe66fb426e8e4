import type { CellValue, RowKey } from '../../shared/index.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';
import type { EditStep } from './edit-step.ts';
import type { RowPlace } from './row-place.ts';
import type { RowData } from './row-source.ts';
import type { RowStacks } from './row-stacks.ts';

/** A position in a stack. @public */
export interface StackPlace {
  /** The common value of the stack's rows. */
  readonly value: CellValue;
  /** The index of the first moved row in the stack, from 0, without the moved ones. */
  readonly index: number;
  /** The row beside which they are placed in the table's row order; undefined if there is none. */
  readonly beside?: RowPlace | undefined;
}

interface StackMovesOf {
  readonly stacks: RowStacks;
  /** The column of the stacks; undefined if rows are not stacked. */
  readonly columnId: string | undefined;
  readonly write: (changes: readonly CellChange[], step: EditStep) => Promise<readonly CellFailure[]>;
  readonly move: (keys: readonly RowKey[], place: RowPlace) => Promise<void>;
  readonly takeBack: () => Promise<unknown>;
}

/** As `RowsClient.moveToStack`; the rows must be reloaded after it. */
export async function moveToStack(
  { stacks, columnId, write, move, takeBack }: StackMovesOf,
  rows: readonly RowData[],
  { value, index, beside }: StackPlace,
  step: EditStep,
): Promise<readonly CellFailure[]> {
  if (columnId === undefined) throw new Error('The rows are in no stacks.');
  const target = stacks.of(value);
  const changes: CellChange[] = [];
  for (const row of rows) {
    const from = stacks.holding(row.key);
    const before = (from === undefined ? row.values[columnId] : from.value) ?? null;
    if (before !== value) changes.push({ rowKey: row.key, index, columnId, value, before });
  }
  stacks.each((window) => window.remove(rows.map(({ key }) => key)));
  for (const [at, row] of rows.entries())
    target.insert({ ...row, values: { ...row.values, [columnId]: value } }, index + at);
  const failures = changes.length === 0 ? [] : await write(changes, step);
  const refused = new Set(failures.map(({ rowKey }) => rowKey));
  const taken = rows.filter(({ key }) => !refused.has(key)).map(({ key }) => key);
  if (beside === undefined || taken.length === 0) return failures;
  try {
    await move(taken, beside);
  } catch (error) {
    if (changes.length > failures.length) await takeBack();
    throw error;
  }
  return failures;
}
