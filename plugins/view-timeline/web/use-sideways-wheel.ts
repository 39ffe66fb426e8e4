import { isRightToLeft } from '@trellis/sdk/web/ui';
import { useEffect, useRef, type RefObject } from 'react';

/** How far a wheel was turned, as browsers tell it. */
export type WheelTurn = Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'shiftKey' | 'ctrlKey'>;

/** How one goes along the scale sideways. */
export interface SidewaysOptions {
  /** How wide a part of the scale is, in pixels. */
  tickWidth(this: void): number;
  /** Called with the parts of the scale to go on by; fewer than none goes back. */
  onTurn(this: void, ticks: number): void;
}

/** Pixels that a line stands for where a browser counts in lines. */
const linePixels = 16;

/** Pixels sideways; 0 for a wheel that is turned up or down, or that zooms the page. */
function sidewaysPixels(turn: WheelTurn, pagePixels: number): number {
  if (turn.ctrlKey) return 0;
  // Browsers differ in whether they turn a wheel sideways themselves while Shift is held.
  const isTurned = turn.shiftKey && turn.deltaX === 0;
  const [along, across] = isTurned ? [turn.deltaY, 0] : [turn.deltaX, turn.deltaY];
  if (Math.abs(along) <= Math.abs(across)) return 0;
  return along * ([1, linePixels, pagePixels][turn.deltaMode] ?? 1);
}

/** Goes along the scale by a wheel that is turned sideways, or swiped with two fingers, above an element. */
export function useSidewaysWheel(
  box: RefObject<HTMLElement | null>,
  { tickWidth, onTurn }: SidewaysOptions,
): void {
  /** Pixels that make no whole part of the scale yet. */
  const left = useRef(0);
  useEffect(() => {
    const element = box.current;
    const turn = (event: WheelEvent): void => {
      const pixels = sidewaysPixels(event, element?.clientWidth ?? 0) * (isRightToLeft() ? -1 : 1);
      if (pixels === 0) return;
      // Browsers would leave the page for the one before it.
      event.preventDefault();
      const all = (Math.sign(pixels) === -Math.sign(left.current) ? 0 : left.current) + pixels;
      const width = Math.max(1, tickWidth());
      const ticks = Math.trunc(all / width);
      left.current = all - ticks * width;
      if (ticks !== 0) onTurn(ticks);
    };
    // React listens in a way that cannot keep the browser from its own doing.
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [box, tickWidth, onTurn]);
}
