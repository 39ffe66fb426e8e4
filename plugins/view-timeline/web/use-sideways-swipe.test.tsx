import { afterEach, expect, jest, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import type { PointerEvent } from 'react';
import { useSidewaysSwipe } from './use-sideways-swipe.ts';

afterEach(() => {
  document.documentElement.dir = '';
});

function show() {
  const onTurn = jest.fn<(ticks: number) => void>();
  const { result } = renderHook(() => useSidewaysSwipe({ tickWidth: () => 100, onTurn }));
  const currentTarget = { setPointerCapture: () => undefined };
  /** The first finger, or one beside it. */
  const finger = (clientX: number, pointerId = 1, pointerType = 'touch') =>
    ({
      clientX,
      pointerId,
      pointerType,
      currentTarget,
      isPrimary: pointerId !== 3,
    }) as unknown as PointerEvent;
  return { swipe: result.current, finger, turned: () => onTurn.mock.calls.map(([ticks]) => ticks) };
}

test('a finger takes the days along with it, and back', () => {
  const { swipe, finger, turned } = show();
  swipe.onPointerDown(finger(300));
  for (const x of [260, 190, 30, 240]) swipe.onPointerMove(finger(x));
  swipe.onPointerUp(finger(240));
  swipe.onPointerMove(finger(900));
  expect(turned()).toEqual([1, 1, -1]);
});

test('a swipe whose end was not heard costs none of the next ones', () => {
  const { swipe, finger, turned } = show();
  swipe.onPointerDown(finger(300));
  swipe.onPointerDown(finger(300, 2));
  swipe.onPointerMove(finger(190, 2));
  expect(turned()).toEqual([1]);
});

test('a mouse, a second finger, and a swipe that the browser takes for itself go nowhere', () => {
  const { swipe, finger, turned } = show();
  swipe.onPointerDown(finger(300, 1, 'mouse'));
  swipe.onPointerMove(finger(0, 1, 'mouse'));
  swipe.onPointerDown(finger(300, 2));
  swipe.onPointerDown(finger(200, 3));
  swipe.onPointerMove(finger(0, 2));
  swipe.onPointerMove(finger(0, 3));
  swipe.onPointerDown(finger(300, 4));
  swipe.onPointerCancel(finger(300, 4));
  swipe.onPointerMove(finger(0, 4));
  expect(turned()).toEqual([]);
});

test('days that run from right to left follow the finger to the right', () => {
  document.documentElement.dir = 'rtl';
  const { swipe, finger, turned } = show();
  swipe.onPointerDown(finger(0));
  swipe.onPointerMove(finger(210));
  expect(turned()).toEqual([2]);
});
