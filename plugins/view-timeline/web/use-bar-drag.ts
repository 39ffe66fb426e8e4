import { dayAfter, type DaySpan } from '@trellis/sdk/web/cards';
import { isRightToLeft } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState, type PointerEvent } from 'react';

/** The moved part of a bar: all of it, or one of its ends. */
export type BarPart = 'whole' | 'start' | 'end';

interface BarDragOptions {
  readonly days: DaySpan;
  /** A day's width in pixels. */
  dayWidth(this: void): number;
  /** Called with the days on which the bar was dropped. */
  onDrop(this: void, days: DaySpan): void;
}

/**
 * Milliseconds for which a finger must rest on a bar to move it, and pixels by which it may slip meanwhile: a finger that moves at
 * once swipes.
 */
const rest = 250;
const slip = 8;

/** The days after a part was moved; at least one day stays. */
export function movedDays({ start, end }: DaySpan, part: BarPart, by: number): DaySpan {
  if (part === 'whole') return { start: dayAfter(start, by), end: dayAfter(end, by) };
  if (part === 'start') {
    const wanted = dayAfter(start, by);
    const latest = dayAfter(end, -1);
    return { start: wanted < latest ? wanted : latest, end };
  }
  const wanted = dayAfter(end, by);
  const earliest = dayAfter(start, 1);
  return { start, end: wanted > earliest ? wanted : earliest };
}

/** Moves a bar or one of its ends by mouse, pen or finger; Escape leaves it where it was. */
export function useBarDrag({ days, dayWidth, onDrop }: BarDragOptions) {
  const [moved, setMoved] = useState<DaySpan>();
  const drag = useRef<{ readonly part: BarPart; readonly x: number; readonly pointer: number }>(undefined);
  const didMove = useRef(false);
  /**
   * A finger that may come to rest. If it moves sideways at once, it moves the named part, or swipes if none is named; if it moves
   * up or down, it scrolls the page.
   */
  const waits = useRef<{
    readonly pointer: number;
    readonly atOnce: BarPart | undefined;
    readonly x: number;
    readonly y: number;
    readonly timer: ReturnType<typeof setTimeout>;
  }>(undefined);
  const endWait = (): void => {
    clearTimeout(waits.current?.timer);
    waits.current = undefined;
  };
  useEffect(() => endWait, []);
  const isDragged = moved !== undefined;
  useEffect(() => {
    if (!isDragged) return undefined;
    const cancel = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      drag.current = undefined;
      setMoved(undefined);
    };
    window.addEventListener('keydown', cancel);
    return () => window.removeEventListener('keydown', cancel);
  }, [isDragged]);

  const daysAt = (part: BarPart, from: number, x: number): DaySpan => {
    const pixels = (x - from) * (isRightToLeft() ? -1 : 1);
    return movedDays(days, part, Math.round(pixels / Math.max(1, dayWidth())));
  };
  function take(element: HTMLElement, of: NonNullable<typeof drag.current>): void {
    element.setPointerCapture(of.pointer);
    didMove.current = false;
    drag.current = of;
  }

  /** Captures the bar when the finger has rested. Until then a movement swipes, or moves the part that is taken at once. */
  function takeAtRest(event: PointerEvent<HTMLElement>, atOnce: BarPart | undefined) {
    const { currentTarget, pointerId: pointer, clientX: x, clientY: y } = event;
    if (atOnce !== undefined) event.stopPropagation();
    endWait();
    didMove.current = false;
    const timer = setTimeout(() => {
      waits.current = undefined;
      take(currentTarget, { part: 'whole', x, pointer });
      setMoved(days);
    }, rest);
    waits.current = { pointer, atOnce, x, y, timer };
  }

  return {
    /** The days under the pointer; undefined while nothing is moved. */
    moved,
    /** Whether the press that just ended moved the bar: then it is not a click. */
    wasMoved: () => didMove.current,
    /** @param atOnce the part that a finger moves without resting, for a bar that has no room for its ends */
    begin: (part: BarPart, atOnce?: BarPart) => (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const isTaken = drag.current !== undefined;
      if (event.pointerType === 'touch' && part === 'whole' && !isTaken) return takeAtRest(event, atOnce);
      event.stopPropagation();
      // Another finger meanwhile moves nothing.
      if (!isTaken) take(event.currentTarget, { part, x: event.clientX, pointer: event.pointerId });
    },
    move: (event: PointerEvent<HTMLElement>) => {
      const finger = waits.current;
      if (finger?.pointer === event.pointerId) {
        const [sideways, down] = [Math.abs(event.clientX - finger.x), Math.abs(event.clientY - finger.y)];
        if (Math.hypot(sideways, down) <= slip) return;
        endWait();
        if (finger.atOnce === undefined || sideways <= down) return;
        take(event.currentTarget, { part: finger.atOnce, x: finger.x, pointer: finger.pointer });
      }
      const of = drag.current;
      if (of === undefined || of.pointer !== event.pointerId) return;
      event.stopPropagation();
      const next = daysAt(of.part, of.x, event.clientX);
      if (!didMove.current && next.start === days.start && next.end === days.end) return;
      didMove.current = true;
      setMoved(next);
    },
    end: (event: PointerEvent<HTMLElement>) => {
      if (waits.current?.pointer === event.pointerId) endWait();
      const of = drag.current;
      if (of === undefined || of.pointer !== event.pointerId) return;
      drag.current = undefined;
      setMoved(undefined);
      if (!didMove.current) return;
      const next = daysAt(of.part, of.x, event.clientX);
      if (next.start !== days.start || next.end !== days.end) onDrop(next);
    },
    cancel: (event: PointerEvent<HTMLElement>) => {
      if (waits.current?.pointer === event.pointerId) endWait();
      if (drag.current?.pointer !== event.pointerId) return;
      drag.current = undefined;
      setMoved(undefined);
    },
  };
}
