import { afterEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { PointerEvent } from 'react';
import { useBarDrag } from './use-bar-drag.ts';

const days = { start: '2026-03-10', end: '2026-03-12' };

afterEach(() => {
  jest.useRealTimers();
});

/** A pointer at a place; what it touches takes it. */
function finger(
  pointerId: number,
  clientX: number,
  pointerType = 'pen',
  clientY = 0,
): PointerEvent<HTMLElement> {
  const currentTarget = document.createElement('div');
  currentTarget.setPointerCapture = () => undefined;
  const stopPropagation = () => undefined;
  return { button: 0, pointerId, pointerType, clientX, clientY, currentTarget, stopPropagation } as never;
}

test('a bar follows the pointer that took it, whatever another one does meanwhile', () => {
  const onDrop = jest.fn();
  const { result } = renderHook(() => useBarDrag({ days, dayWidth: () => 10, onDrop }));
  act(() => result.current.begin('whole')(finger(1, 100)));
  act(() => result.current.move(finger(1, 120)));
  expect(result.current.moved).toEqual({ start: '2026-03-12', end: '2026-03-14' });
  act(() => result.current.begin('start')(finger(2, 40)));
  act(() => result.current.move(finger(2, 0)));
  act(() => result.current.cancel(finger(2, 0)));
  act(() => result.current.end(finger(2, 0)));
  expect(result.current.moved).toEqual({ start: '2026-03-12', end: '2026-03-14' });
  expect(onDrop).not.toHaveBeenCalled();
  act(() => result.current.end(finger(1, 130)));
  expect(onDrop.mock.calls).toEqual([[{ start: '2026-03-13', end: '2026-03-15' }]]);
  expect(result.current.moved).toBeUndefined();
});

test('a finger moves a bar once it has rested on it, and swipes where it goes on at once', () => {
  jest.useFakeTimers();
  const onDrop = jest.fn();
  const { result } = renderHook(() => useBarDrag({ days, dayWidth: () => 10, onDrop }));
  const at = (x: number) => finger(1, x, 'touch');
  act(() => result.current.begin('whole')(at(100)));
  act(() => result.current.move(at(140)));
  act(() => jest.runAllTimers());
  act(() => result.current.end(at(160)));
  expect(onDrop).not.toHaveBeenCalled();
  act(() => result.current.begin('whole')(at(100)));
  act(() => result.current.move(at(104)));
  act(() => jest.runAllTimers());
  expect(result.current.moved).toEqual(days);
  act(() => result.current.move(at(120)));
  act(() => result.current.end(at(120)));
  expect(onDrop.mock.calls).toEqual([[{ start: '2026-03-12', end: '2026-03-14' }]]);
  // One that has no room for an end beside it has that end moved by a finger that goes on at once.
  onDrop.mockClear();
  act(() => result.current.begin('whole', 'end')(at(100)));
  act(() => result.current.move(at(120)));
  expect(result.current.moved).toEqual({ start: '2026-03-10', end: '2026-03-14' });
  act(() => result.current.end(at(120)));
  act(() => result.current.begin('whole', 'end')(at(100)));
  act(() => jest.runAllTimers());
  act(() => result.current.move(at(120)));
  act(() => result.current.end(at(120)));
  expect(onDrop.mock.calls).toEqual([
    [{ start: '2026-03-10', end: '2026-03-14' }],
    [{ start: '2026-03-12', end: '2026-03-14' }],
  ]);
  // An end of it is no wider than what a finger means by it.
  act(() => result.current.begin('end')(at(100)));
  act(() => result.current.end(at(100)));
  act(() => result.current.begin('end')(at(100)));
  act(() => result.current.move(at(110)));
  act(() => result.current.end(at(110)));
  expect(onDrop).toHaveBeenLastCalledWith({ start: '2026-03-10', end: '2026-03-13' });
});

test('a finger that scrolls across a bar which has no room for an end beside it changes none of its days', () => {
  jest.useFakeTimers();
  const onDrop = jest.fn();
  const { result } = renderHook(() => useBarDrag({ days, dayWidth: () => 2, onDrop }));
  const at = (x: number, y: number) => finger(1, x, 'touch', y);
  for (const to of [at(105, 40), at(95, -40), at(109, 9)]) {
    act(() => result.current.begin('whole', 'end')(at(100, 0)));
    act(() => result.current.move(to));
    act(() => result.current.move(at(to.clientX + 6, to.clientY * 2)));
    act(() => jest.runAllTimers());
    expect(result.current.moved).toBeUndefined();
    act(() => result.current.end(at(to.clientX + 6, to.clientY * 2)));
  }
  expect(onDrop).not.toHaveBeenCalled();
});
