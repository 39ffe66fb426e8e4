import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import type { RowData, RowSource } from '../rows/index.ts';
import type { LongList } from './use-long-list.ts';

/** The props of rows as a grid of cards. All lengths are pixels. @public */
export interface CardTilesProps {
  readonly source: RowSource;
  /** Its line height is that of a card and the gap together. */
  readonly list: LongList & { readonly perLine: number };
  /** The height of a card. */
  readonly height: number;
  /** The gap between cards. */
  readonly gap: number;
  /** The name of the list. */
  readonly label: string;
  onKeyDown?(this: void, event: KeyboardEvent<HTMLElement>): void;
  /** Draws a card, possibly before its row is loaded. The surrounding element has the index as `data-index`. */
  card(this: void, row: RowData | undefined, index: number): ReactNode;
}

/** The scrolling element with the visible cards; rows are loaded as they become visible. @public */
export function CardTiles(props: CardTilesProps): ReactNode {
  const { source, list, height, gap, label, onKeyDown, card } = props;
  const { start, end, perLine, box, topOf, spacerHeight, onScroll } = list;
  const isMeasured = list.width > 0;
  useEffect(() => {
    if (isMeasured) source.ensure(start, Math.max(end, start + 1));
  }, [source, start, end, isMeasured]);
  return (
    <div className="tr-card-tiles" ref={box} onScroll={onScroll}>
      <div
        role="list"
        tabIndex={-1}
        style={{ height: spacerHeight }}
        onKeyDown={onKeyDown}
        aria-label={label}
      >
        {Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at).map((index) => (
          <div
            role="listitem"
            aria-setsize={source.count ?? -1}
            aria-posinset={index + 1}
            key={index}
            data-index={index}
            style={{
              top: topOf(index),
              height,
              insetInlineStart: `calc(${((index % perLine) / perLine) * 100}% + ${gap / 2}px)`,
              width: `calc(${100 / perLine}% - ${gap}px)`,
            }}
          >
            {card(source.rowAt(index), index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** How many cards fit side by side with at least this width. @public */
export function cardsPerLine(
  space: number,
  { width, gap }: { readonly width: number; readonly gap: number },
): number {
  return Math.max(1, Math.floor(space / (width + gap)));
}
