import { isRightToLeft } from '@trellis/sdk/web/ui';
import { useRef, type PointerEvent } from 'react';
import type { SidewaysOptions } from './use-sideways-wheel.ts';

/**
 * Moves along the scale by a sideways swipe on the element that gets the handlers. The element's style leaves sideways swipes to it
 * (`touch-action: pan-y`); the browser takes over other swipes with a cancel event.
 */
export function useSidewaysSwipe({ tickWidth, onTurn }: SidewaysOptions) {
  const swipe = useRef<{ readonly pointer: number; readonly x: number }>(undefined);
  const end = ({ pointerId }: PointerEvent): void => {
    if (swipe.current?.pointer === pointerId) swipe.current = undefined;
  };
  return {
    onPointerDown: ({ pointerType, pointerId, clientX, isPrimary }: PointerEvent): void => {
      // Two fingers zoom the page.
      if (pointerType === 'touch') swipe.current = isPrimary ? { pointer: pointerId, x: clientX } : undefined;
    },
    onPointerMove: ({ pointerId, clientX, currentTarget }: PointerEvent): void => {
      const of = swipe.current;
      if (of?.pointer !== pointerId) return;
      const width = Math.max(1, tickWidth());
      const ticks = Math.trunc((of.x - clientX) / width);
      if (ticks === 0) return;
      swipe.current = { ...of, x: of.x - ticks * width };
      // Other days may remove the element under the finger, and the end of the swipe would be lost.
      currentTarget.setPointerCapture(pointerId);
      onTurn(isRightToLeft() ? -ticks : ticks);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
