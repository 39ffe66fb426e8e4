import { isRightToLeft } from '@trellis/sdk/web/ui';
import { useEffect, useRef, type RefObject } from 'react';

/** A wheel's movement, as browsers report it. */
export type WheelTurn = Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'shiftKey' | 'ctrlKey'>;

/** How to move along the scale. */
export interface SidewaysOptions {
  /** The width of a part of the scale, in pixels. */
  tickWidth(this: void): number;
  /** Called with the number of parts of the scale to move on by; negative moves back. */
  onTurn(this: void, ticks: number): void;
}

/** Pixels per line, if a browser counts in lines. */
const linePixels = 16;

/** Pixels sideways; 0 for a vertical wheel, or one that zooms the page. */
function sidewaysPixels(turn: WheelTurn, pagePixels: number): number {
  if (turn.ctrlKey) return 0;
  // While Shift is held, some browsers turn a wheel's movement sideways themselves and others do not.
  const isTurned = turn.shiftKey && turn.deltaX === 0;
  const [along, across] = isTurned ? [turn.deltaY, 0] : [turn.deltaX, turn.deltaY];
  if (Math.abs(along) <= Math.abs(across)) return 0;
  return along * ([1, linePixels, pagePixels][turn.deltaMode] ?? 1);
}

/** Moves along the scale by a sideways wheel or a two-finger swipe over an element. */
export function useSidewaysWheel(
  box: RefObject<HTMLElement | null>,
  { tickWidth, onTurn }: SidewaysOptions,
): void {
  /** Pixels that do not yet add up to a part of the scale. */
  const left = useRef(0);
  useEffect(() => {
    const element = box.current;
    const turn = (event: WheelEvent): void => {
      const pixels = sidewaysPixels(event, element?.clientWidth ?? 0) * (isRightToLeft() ? -1 : 1);
      if (pixels === 0) return;
      // Otherwise browsers go back to the previous page.
      event.preventDefault();
      const all = (Math.sign(pixels) === -Math.sign(left.current) ? 0 : left.current) + pixels;
      const width = Math.max(1, tickWidth());
      const ticks = Math.trunc(all / width);
      left.current = all - ticks * width;
      if (ticks !== 0) onTurn(ticks);
    };
    // React's listeners are passive and cannot prevent the browser's default.
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [box, tickWidth, onTurn]);
}
