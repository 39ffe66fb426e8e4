import { describe, expect, jest, test } from '@jest/globals';
import { CellEdits } from './cell-edits.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';
import type { EditStep } from './edit-step.ts';

const change = (value: unknown, rowKey = 'k1'): CellChange => ({
  rowKey,
  index: 0,
  columnId: 'name',
  value,
  before: 'old',
});
const step: EditStep = { kind: 'edit', count: 1 };
const textOf = ({ value }: CellChange): string => String(value);

interface Call {
  readonly changes: readonly CellChange[];
  readonly resolve: (failures: readonly CellFailure[]) => void;
  readonly reject: (error: Error) => void;
}

/** A writer that answers when the test says so. */
function slowWriter(): {
  calls: Call[];
  write: (changes: readonly CellChange[]) => Promise<readonly CellFailure[]>;
} {
  const calls: Call[] = [];
  return {
    calls,
    write: (changes) =>
      new Promise((resolve, reject) => {
        calls.push({ changes, resolve, reject });
      }),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an edit on its way', () => {
  test('shows its value until it is stored', async () => {
    const edits = new CellEdits();
    const { calls, write } = slowWriter();
    const done = edits.commit([change('new')], { write, step, textOf });
    expect(edits.of('k1', 'name')).toEqual({ kind: 'pending', value: 'new' });
    await turn();
    calls[0]?.resolve([]);
    await done;
    expect(edits.of('k1', 'name')).toBeUndefined();
  });

  test('keeps the text with the reason when it is refused', async () => {
    const edits = new CellEdits();
    await edits.commit([change('new'), change('other', 'k2')], {
      write: () => Promise.resolve([{ rowKey: 'k1', columnId: 'name', message: 'Too long' }]),
      step,
      textOf,
    });
    expect(edits.of('k1', 'name')).toEqual({ kind: 'failed', text: 'new', message: 'Too long', step });
    expect(edits.of('k2', 'name')).toBeUndefined();
  });

  test('marks every cell when the whole write fails', async () => {
    const edits = new CellEdits();
    await edits.commit([change('a'), change('b', 'k2')], {
      write: () => Promise.reject(new Error('No connection')),
      step,
      textOf,
    });
    expect(edits.of('k2', 'name')).toEqual({ kind: 'failed', text: 'b', message: 'No connection', step });
  });

  test('waits for an earlier write of the same cell, so that the last one wins', async () => {
    const edits = new CellEdits();
    const { calls, write } = slowWriter();
    const first = edits.commit([change('a')], { write, step, textOf });
    const second = edits.commit([change('b')], { write, step, textOf });
    await turn();
    expect(calls).toHaveLength(1);
    calls[0]?.reject(new Error('refused'));
    await first;
    expect(edits.of('k1', 'name')).toEqual({ kind: 'pending', value: 'b' });
    await turn();
    calls[1]?.resolve([]);
    await second;
    expect(edits.of('k1', 'name')).toBeUndefined();
  });

  test('leaves the other rows as they are, so that they need not be drawn again', () => {
    const edits = new CellEdits();
    edits.fail([{ rowKey: 'k1', columnId: 'name', text: 'x', message: 'No' }], step);
    const before = edits.ofRow('k1');
    edits.fail([{ rowKey: 'k2', columnId: 'name', text: 'y', message: 'No' }], step);
    expect(edits.ofRow('k1')).toBe(before);
  });

  test('is announced when it begins and when it ends', async () => {
    const edits = new CellEdits();
    const listener = jest.fn();
    edits.subscribe(listener);
    await edits.commit([change('a')], { write: () => Promise.resolve([]), step, textOf });
    expect(listener).toHaveBeenCalledTimes(2);
  });
});
