import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { GroupAnswer } from './row-groups.ts';
import type { RowsClient } from './rows-client.ts';
import { useGroupAnswers } from './use-group-answers.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const keys = [{ columnId: 'cl_state', direction: 'asc' }] as const;

test('a count that failed leaves no numbers of before, and the next one brings them again', async () => {
  const listeners = new Set<() => void>();
  const source = {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as RowsClient['source'];
  let count: number | undefined = 3;
  async function groups(): Promise<readonly GroupAnswer[]> {
    if (count === undefined) throw new Error('It takes too long to count.');
    return [{ values: ['Open'], count, figures: [] }];
  }
  const rows = { groups, source };
  const { result } = renderHook(() => useGroupAnswers(rows, keys));
  const counted = async (next: number | undefined) => {
    count = next;
    for (const listen of listeners) listen();
    await act(() => jest.runAllTimersAsync());
    return result.current.answers?.map((group) => group.count);
  };
  expect(await counted(3)).toEqual([3]);
  expect(await counted(undefined)).toBeUndefined();
  expect(result.current.error?.message).toBe('It takes too long to count.');
  expect(await counted(4)).toEqual([4]);
  expect(result.current.error).toBeUndefined();
});
