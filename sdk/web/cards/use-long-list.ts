import { type RefObject, useCallback, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import { contentTop, createRowScale, followScroll, placeAt, TOP } from '../grid/row-scale.ts';
import { useElementSize } from '../grid/use-element-size.ts';
import { LineHeights } from './line-heights.ts';

/** A list that draws only its visible items, however long it is. All lengths are pixels. @public */
export interface LongList {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  onScroll(this: void): void;
  /** The element's inner width. */
  readonly width: number;
  /** The height of the element inside it. */
  readonly spacerHeight: number;
  /** The first item to draw, and the one after the last. */
  readonly start: number;
  readonly end: number;
  /** The top of an item's line in the inner element. */
  topOf(this: void, index: number): number;
  /** The height of an item's line with the gap below it; the usual height while that is unknown. */
  heightOf(this: void, index: number): number;
  /** The item before which something dropped at this height of the inner element would be put. */
  gapAt(this: void, y: number): number;
  /** Scrolls to an item. */
  reveal(this: void, index: number): void;
}

/** The list's length, and the heights of its lines. @public */
export interface LongListOptions {
  readonly count: number;
  /** Includes the gap below it. If `heightOf` is given, this is only used for lines whose height is unknown. */
  readonly lineHeight: number;
  /** The height of an item's line with the gap below it; undefined while its row loads. Only for lists with one item per line. */
  heightOf?(this: void, index: number): number | undefined;
  /** The number of items per line for a width; default: one. */
  perLine?(this: void, width: number): number;
}

/** Number of lines that are drawn above and below the visible ones. */
const BEYOND = 3;

/** Draws a long list of items, several per line if `perLine` says so for a width. @public */
export function useLongList({
  count,
  lineHeight,
  heightOf,
  perLine = () => 1,
}: LongListOptions): LongList & { readonly perLine: number } {
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(box);
  const columns = Math.max(1, perLine(width));
  const lines = Math.ceil(count / columns);
  const heights = useMemo(() => new LineHeights(lineHeight), [lineHeight]);
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const contentHeight = heights.topOf(lines);
  const scale = useMemo(() => createRowScale(contentHeight, height), [contentHeight, height]);
  const [place, setPlace] = useState(TOP);

  const onScroll = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    setPlace((before) => {
      const next = followScroll(scale, before, element.scrollTop);
      if (next.scrollTop !== element.scrollTop) element.scrollTop = next.scrollTop;
      return next.scrollTop === before.scrollTop && next.offset === before.offset ? before : next;
    });
  }, [scale]);

  /** Scrolls the list to an offset within all lines. */
  const goTo = (to: number): void => {
    const element = box.current;
    if (element === null) return;
    const next = placeAt(scale, to);
    element.scrollTop = next.scrollTop;
    setPlace({ ...next, scrollTop: element.scrollTop });
  };

  const top = contentTop(place);
  const first = Math.max(0, heights.lineAt(top) - BEYOND);
  const last = Math.min(lines, heights.lineAt(top + height) + 1 + BEYOND);

  /** The line at the top of the box before line heights changed. */
  const held = useRef<{ readonly line: number; readonly into: number }>(undefined);
  const settle = (): void => {
    if (held.current !== undefined) {
      const to = heights.topOf(held.current.line) + held.current.into;
      held.current = undefined;
      if (to !== top) return goTo(to);
    }
    if (heightOf === undefined || height === 0) return;
    const seen = new Map<number, number>();
    for (let line = first; line < last; line += 1) {
      const found = heightOf(line);
      if (found !== undefined) seen.set(line, found);
    }
    const line = heights.lineAt(top);
    const into = top - heights.topOf(line);
    if (!heights.learn(seen)) return;
    held.current = { line, into: Math.min(into, heights.heightOf(line)) };
    drawAgain();
  };
  // Before painting: lines are drawn at their new places as soon as their heights are known.
  useLayoutEffect(settle);

  // A list that became shorter may be scrolled beyond its end.
  useLayoutEffect(onScroll, [onScroll]);

  const reveal = (index: number): void => {
    const line = Math.floor(index / columns);
    const [from, to] = [heights.topOf(line), heights.topOf(line + 1)];
    if (from < top) goTo(from);
    else if (to > top + height) goTo(to - height);
  };

  return {
    box,
    onScroll,
    width,
    perLine: columns,
    spacerHeight: scale.spacerHeight,
    start: first * columns,
    end: Math.min(count, last * columns),
    topOf: (index) => heights.topOf(Math.floor(index / columns)) - place.offset,
    heightOf: (index) => heights.heightOf(Math.floor(index / columns)),
    gapAt: (y) => {
      const at = y + place.offset;
      const line = heights.lineAt(at);
      const isBelow = at - heights.topOf(line) > heights.heightOf(line) / 2;
      return Math.max(0, Math.min(count, (isBelow ? line + 1 : line) * columns));
    },
    reveal,
  };
}
