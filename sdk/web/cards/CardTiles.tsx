import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import type { RowData, RowSource } from '../rows/index.ts';
import type { LongList } from './use-long-list.ts';

/** Rows as cards beside and below each other. All lengths are pixels. @public */
export interface CardTilesProps {
  readonly source: RowSource;
  /** Its lines are as high as a card and the gap together. */
  readonly list: LongList & { readonly perLine: number };
  /** How high a card is. */
  readonly height: number;
  /** Between cards. */
  readonly gap: number;
  /** The name of the list. */
  readonly label: string;
  onKeyDown?(this: void, event: KeyboardEvent<HTMLElement>): void;
  /** Draws a card; its row may still be on its way. The element around it names its place as `data-index`. */
  card(this: void, row: RowData | undefined, index: number): ReactNode;
}

/** The element that scrolls, and the cards in sight; rows are read as they come into sight. @public */
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

/** How many cards stand beside each other in a space: as many as are at least so wide. @public */
export function cardsPerLine(
  space: number,
  { width, gap }: { readonly width: number; readonly gap: number },
): number {
  return Math.max(1, Math.floor(space / (width + gap)));
}
