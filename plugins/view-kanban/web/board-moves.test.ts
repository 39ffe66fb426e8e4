import { describe, expect, jest, test } from '@jest/globals';
import type { CellFailure, RowData, RowsClient } from '@trellis/sdk/web/rows';
import { moveCards } from './board-moves.ts';

const to = { id: 'a', value: 'a' };
const row = (key: string, readOnly = false): RowData => ({ key, values: {}, ...(readOnly && { readOnly }) });

/** A stack of 200 cards, of which the first few are read. */
function openStack(keysRead: readonly string[], failures: readonly CellFailure[] = []) {
  const keys = Array.from({ length: 200 }, (_, at) => `r${at}`);
  const read = new Set(keysRead);
  const window = {
    count: keys.length,
    atLeast: keys.length,
    indexOf: (key: string) => (read.has(key) && keys.includes(key) ? keys.indexOf(key) : undefined),
    rowAt: (at: number) => (read.has(keys[at] ?? '') ? { key: keys[at] } : undefined),
    load: (start: number, end: number) => {
      for (const key of keys.slice(start, end)) read.add(key);
      return Promise.resolve();
    },
  };
  const moveToStack = jest.fn((..._move: unknown[]) => Promise.resolve(failures));
  const rows = { stacks: { of: () => window }, moveToStack } as unknown as RowsClient;
  const toast = jest.fn((_toast: { readonly summary: string }) => undefined);
  const t = (text: string, values: object = {}) =>
    Object.entries(values).reduce(
      (said, [name, value]) => said.replaceAll(`{{${name}}}`, String(value)),
      text,
    );
  const host = { t, toast } as never;
  const move = (cards: readonly RowData[], index: number, isArranged = true) =>
    moveCards(rows, { cards, to, index }, { isArranged, host });
  return { move, moveToStack, toast };
}

describe('cards that are moved', () => {
  test('are sent with their neighbour where those around the place are not read yet', async () => {
    const { move, moveToStack } = openStack(['r0']);
    await move([row('r0')], 151);
    const beside = { side: 'before', row: 'r151' };
    expect(moveToStack).toHaveBeenCalledWith([row('r0')], { value: 'a', index: 150, beside });
  });

  test('go beside a card that stays', async () => {
    const { move, moveToStack } = openStack(['r0', 'r1', 'r2', 'r3', 'r4']);
    const cards = [row('r3'), row('r1'), row('x')];
    expect(await move(cards, 3)).toEqual(new Set(['r3', 'r1', 'x']));
    const beside = { side: 'before', row: 'r4' };
    expect(moveToStack).toHaveBeenCalledWith(cards, { value: 'a', index: 2, beside });
  });

  test('are left alone where they are there already', async () => {
    const { move, moveToStack } = openStack(['r0', 'r1', 'r2']);
    expect(await move([row('r1'), row('r2')], 3)).toEqual(new Set());
    expect(await move([row('r0'), row('r2')], 0, false)).toEqual(new Set());
    expect(moveToStack).not.toHaveBeenCalled();
  });

  test('are told of where some were refused or can only be read', async () => {
    const failures = [{ rowKey: 'x', columnId: 'c', message: 'Row x is locked.' }];
    const { move, moveToStack, toast } = openStack([], failures);
    expect(await move([row('x'), row('y'), row('z', true)], 0, false)).toEqual(new Set(['y']));
    expect(moveToStack).toHaveBeenCalledWith([row('x'), row('y')], { value: 'a', index: 0 });
    expect(toast.mock.calls).toMatchObject([[{ summary: '2 cards stay where they were: Row x is locked.' }]]);
  });
});
