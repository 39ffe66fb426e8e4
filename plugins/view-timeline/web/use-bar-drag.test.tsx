import { expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { PointerEvent } from 'react';
import { useBarDrag } from './use-bar-drag.ts';

const days = { start: '2026-03-10', end: '2026-03-12' };

/** A finger at a place; what it touches takes it. */
function finger(pointerId: number, clientX: number): PointerEvent<HTMLElement> {
  const currentTarget = document.createElement('div');
  currentTarget.setPointerCapture = () => undefined;
  return { button: 0, pointerId, clientX, currentTarget, stopPropagation: () => undefined } as never;
}

test('a bar follows the finger that took it, whatever another finger does meanwhile', () => {
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
