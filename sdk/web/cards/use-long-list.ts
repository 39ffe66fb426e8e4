import { type RefObject, useCallback, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import { contentTop, createRowScale, followScroll, placeAt, TOP } from '../grid/row-scale.ts';
import { useElementSize } from '../grid/use-element-size.ts';
import { LineHeights } from './line-heights.ts';

/** A list of which only what is in sight is drawn, however long it is. All lengths are pixels. @public */
export interface LongList {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  onScroll(this: void): void;
  /** The inner width of that element. */
  readonly width: number;
  /** The height of the element inside it. */
  readonly spacerHeight: number;
  /** The first item to draw, and the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** Where the line of an item stands in the inner element. */
  topOf(this: void, index: number): number;
  /** How high the line of an item is, with the gap below it; as high as usual while that is not known. */
  heightOf(this: void, index: number): number;
  /** The item before which something would be put that is let go at a height of the inner element. */
  gapAt(this: void, y: number): number;
  /** Brings an item into sight. */
  reveal(this: void, index: number): void;
}

/** How long the list is, and how high its lines are. @public */
export interface LongListOptions {
  readonly count: number;
  /** With the gap below it; only what is thought of lines before the first of them is seen where `heightOf` tells their heights. */
  readonly lineHeight: number;
  /** How high the line of an item is, with the gap below it; undefined while its row is on its way. Only for lists with one item in a line. */
  heightOf?(this: void, index: number): number | undefined;
  /** How many items stand in a line of a width; one where left out. */
  perLine?(this: void, width: number): number;
}

/** Lines that are drawn above and below those in sight. */
const BEYOND = 3;

/** Draws a long list of items, several in a line where `perLine` says so for a width. @public */
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

  /** Shows the list from a height of all of its lines on. */
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

  /** What stood at the top of the box before lines were found to have other heights. */
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
  // Before anything is painted: lines are drawn again at their places as soon as their heights are known.
  useLayoutEffect(settle);

  // What became shorter may have been scrolled beyond its end.
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
