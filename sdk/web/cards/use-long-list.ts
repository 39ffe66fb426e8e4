import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { contentTop, createRowScale, followScroll, placeAt, TOP } from '../grid/row-scale.ts';
import { useElementSize } from '../grid/use-element-size.ts';

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
  /** Brings an item into sight. */
  reveal(this: void, index: number): void;
}

/** Lines that are drawn above and below those in sight. */
const BEYOND = 3;

/** Draws a long list of items of the same height, several in a line where `perLine` says so for a width. @public */
export function useLongList({
  count,
  lineHeight,
  perLine = () => 1,
}: {
  readonly count: number;
  /** With the gap below it. */
  readonly lineHeight: number;
  perLine?(this: void, width: number): number;
}): LongList & { readonly perLine: number } {
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(box);
  const columns = Math.max(1, perLine(width));
  const lines = Math.ceil(count / columns);
  const contentHeight = lines * lineHeight;
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

  // What became shorter may have been scrolled beyond its end.
  useLayoutEffect(onScroll, [onScroll]);

  const top = contentTop(place);
  const first = Math.max(0, Math.floor(top / lineHeight) - BEYOND);
  const last = Math.min(lines, Math.ceil((top + height) / lineHeight) + BEYOND);

  const reveal = (index: number): void => {
    const element = box.current;
    if (element === null) return;
    const line = Math.floor(index / columns) * lineHeight;
    const isAbove = line < contentTop(place);
    if (!isAbove && line + lineHeight <= contentTop(place) + height) return;
    const next = placeAt(scale, isAbove ? line : line + lineHeight - height);
    element.scrollTop = next.scrollTop;
    setPlace({ ...next, scrollTop: element.scrollTop });
  };

  return {
    box,
    onScroll,
    width,
    perLine: columns,
    spacerHeight: scale.spacerHeight,
    start: first * columns,
    end: Math.min(count, last * columns),
    topOf: (index) => Math.floor(index / columns) * lineHeight - place.offset,
    reveal,
  };
}
