import { expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { KeyboardEvent } from 'react';
import { useBarKeys } from './use-bar-keys.ts';

const days = { start: '2026-03-10', end: '2026-03-12' };

/** The keys of a bar whose row is saved when the test says so. */
function bar() {
  const saves: ((isSaved: boolean) => void)[] = [];
  const onMove = jest.fn((_to: typeof days) => new Promise<boolean>((done) => saves.push(done)));
  const { result } = renderHook(() => useBarKeys({ days, mayMove: true, mayResize: true, onMove }));
  const preventDefault = jest.fn();
  const hold = (key: string, held: Partial<KeyboardEvent>) =>
    act(() => result.current.onKeyDown({ key, ...held, preventDefault } as unknown as KeyboardEvent));
  const press = (key: string, shiftKey = false) => hold(key, { shiftKey });
  return {
    hold,
    press,
    preventDefault,
    sent: () => onMove.mock.calls.map(([to]) => to),
    settle: (isSaved: boolean) => act(async () => saves.shift()?.(isSaved)),
    shown: () => result.current.ahead ?? days,
  };
}

test('presses while the first is saved add up, are shown at once and are saved together', async () => {
  const { press, sent, settle, shown } = bar();
  for (let at = 0; at < 3; at += 1) press('ArrowRight');
  press('ArrowRight', true);
  expect(shown()).toEqual({ start: '2026-03-13', end: '2026-03-16' });
  expect(sent()).toEqual([{ start: '2026-03-11', end: '2026-03-13' }]);
  await settle(true);
  expect(sent().slice(1)).toEqual([{ start: '2026-03-13', end: '2026-03-16' }]);
  await settle(true);
  expect(sent()).toHaveLength(2);
  expect(shown()).toEqual(days);
});

test('a refusal takes back what was pressed since', async () => {
  const { press, sent, settle, shown } = bar();
  press('ArrowRight');
  press('ArrowRight');
  await settle(false);
  expect(sent()).toHaveLength(1);
  expect(shown()).toEqual(days);
});

test('keys that mean something to the browser, such as Alt and an arrow for the page before, move nothing', () => {
  const { hold, sent, preventDefault, shown } = bar();
  for (const held of [
    { altKey: true },
    { ctrlKey: true },
    { metaKey: true },
    { altKey: true, shiftKey: true },
  ])
    for (const key of ['ArrowLeft', 'ArrowRight']) hold(key, held);
  expect(sent()).toEqual([]);
  expect(shown()).toEqual(days);
  expect(preventDefault).not.toHaveBeenCalled();
});
