import { expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useCardDrag } from './use-card-drag.ts';

test('at the slow pace of a finger a box keeps the parts of pixels that browsers round away, until the drag ends', () => {
  const scrollBy = jest.fn<(x: number, y: number) => void>();
  class Box extends EventTarget {
    scrollBy(x: number, y: number): void {
      scrollBy(x, y);
    }
  }
  const box = new Box() as unknown as Element;
  const { result } = renderHook(() =>
    useCardDrag({ onDropCard: () => undefined, onDropStack: () => undefined }),
  );
  const { autoScroll } = result.current.context;
  const canScroll = (of: Element): boolean => {
    const asked: { canScroll?: (element: Element) => boolean } = autoScroll;
    return asked.canScroll?.(of) ?? true;
  };
  const sum = (at: 0 | 1) => scrollBy.mock.calls.reduce((all, step) => all + step[at], 0);
  const isWhole = () => scrollBy.mock.calls.flat().every((step) => Number.isInteger(step));

  for (let step = 0; step < 20; step += 1) {
    expect(canScroll(box)).toBe(true);
    box.scrollBy(-0.25, 0.75);
  }
  expect([sum(0), sum(1), isWhole()]).toEqual([-5, 15, true]);
  for (let step = 0; step < 4; step += 1) box.scrollBy(0.25, -1.5);
  expect([sum(0), sum(1), isWhole()]).toEqual([-4, 9, true]);

  act(() => result.current.context.onDragCancel());
  box.scrollBy(0.25, 0);
  expect(scrollBy).toHaveBeenLastCalledWith(0.25, 0);
});
