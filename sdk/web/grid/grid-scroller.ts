import { flushSync } from 'react-dom';
import {
  type ColumnLayout,
  columnAtViewport,
  columnsInSight,
  dropIndexAt,
  scrollLeftFor,
} from './column-layout.ts';
import type { CellPlace } from './grid-selection.ts';
import { contentTop, followScroll, placeAt, type RowScale, type ScrollPlace, TOP } from './row-scale.ts';
import type { RowLines } from './row-lines.ts';
import type { ElementSize } from './use-element-size.ts';

/** The drawn cells; both ends exclusive. */
export interface GridSight {
  readonly firstLine: number;
  readonly endLine: number;
  /** The rows on these lines. */
  readonly firstRow: number;
  readonly endRow: number;
  readonly firstColumn: number;
  readonly endColumn: number;
  /** The difference between a row's coordinate in the table and in the scrolled element. */
  readonly offset: number;
}

/** Everything that determines the visible cells, besides the scroll position. */
export interface GridFrame {
  readonly scale: RowScale;
  readonly layout: ColumnLayout;
  readonly size: ElementSize;
  readonly lines: RowLines;
  readonly rowCount: number;
  readonly rowHeight: number;
  readonly headerHeight: number;
  readonly isRightToLeft: boolean;
}

export interface GridPosition {
  readonly place: ScrollPlace;
  /** The scrolled distance of the columns in pixels from their start. */
  readonly left: number;
}

/** A cell under a point. */
export interface CellHit extends CellPlace {
  readonly inGutter: boolean;
}

/** Rows drawn beyond the visible edge. */
const SPARE_ROWS = 2;

export function sightOf(frame: GridFrame, { place, left }: GridPosition): GridSight {
  const { layout, size, lines, scale } = frame;
  const top = contentTop(place);
  const columns = columnsInSight(layout, left, size.width);
  const hold = (line: number): number => Math.max(0, Math.min(lines.count, line));
  const firstLine = hold(lines.lineAtTop(top) - SPARE_ROWS);
  const endLine = hold(lines.lineAtTop(top + scale.viewportHeight) + 1 + SPARE_ROWS);
  return {
    firstLine,
    endLine,
    firstRow: lines.rowFrom(firstLine),
    endRow: lines.rowFrom(endLine),
    firstColumn: columns.start,
    endColumn: columns.end,
    offset: place.offset,
  };
}

/**
 * Follows the scrolled element, and notifies when other cells become visible. It is a store outside React, because a scroll that
 * shows the same cells must cost nothing, and one that shows others must be drawn before the browser paints.
 */
export class GridScroller {
  #element: HTMLElement | undefined;
  #frame: GridFrame | undefined;
  #drawn: GridSight | undefined;
  #position: GridPosition = { place: TOP, left: 0 };
  #published = this.#position;
  readonly #listeners = new Set<() => void>();
  readonly #followers = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The last drawn position; the true one may differ by less than a cell. */
  readonly getPosition = (): GridPosition => this.#published;

  /** Calls back on every scroll, for what must follow exactly. */
  follow(listener: () => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  get left(): number {
    return this.#position.left;
  }

  get offset(): number {
    return this.#position.place.offset;
  }

  /** Stores the props of a render. A table that grew or shrank keeps showing the same rows. */
  update(element: HTMLElement | undefined, frame: GridFrame, drawn: GridSight): void {
    const before = this.#frame;
    this.#element = element;
    this.#frame = frame;
    this.#drawn = drawn;
    const rescaled = before !== undefined && before.scale !== frame.scale;
    if (rescaled && (before.scale.pageCount > 1 || frame.scale.pageCount > 1)) {
      this.#moveTo(placeAt(frame.scale, contentTop(this.#position.place)));
      this.#publish();
    }
  }

  readonly onScroll = (): void => {
    const element = this.#element;
    const frame = this.#frame;
    if (element === undefined || frame === undefined) return;
    const { place } = this.#position;
    if (element.scrollTop !== place.scrollTop)
      this.#moveTo(followScroll(frame.scale, place, element.scrollTop));
    this.#position = { ...this.#position, left: this.#leftOf(element) };
    // Drawn before the browser paints the scrolled frame: otherwise a fast scroll shows empty frames.
    if (this.#drawn === undefined || !sameSight(sightOf(frame, this.#position), this.#drawn))
      flushSync(() => this.#publish());
    for (const follower of this.#followers) follower();
  };

  /** Scrolls to a cell with the least movement. */
  reveal(cell: CellPlace): void {
    const element = this.#element;
    const frame = this.#frame;
    if (element === undefined || frame === undefined) return;
    const { rowHeight, scale, lines } = frame;
    const top = contentTop(this.#position.place);
    const rowTop = lines.topOf(lines.lineOf(cell.row));
    const overflow = rowTop + rowHeight - scale.viewportHeight;
    const wanted = rowTop < top ? rowTop : Math.max(top, overflow);
    if (wanted !== top) this.#moveTo(placeAt(scale, wanted));
    this.revealColumn(cell.column);
    if (this.#position !== this.#published) this.#publish();
  }

  /** Scrolls to the first row. */
  toTop(): void {
    if (this.#frame === undefined || contentTop(this.#position.place) === 0) return;
    this.#moveTo(TOP);
    this.#publish();
  }

  /** Scrolls to a column with the least movement. */
  revealColumn(column: number): void {
    const element = this.#element;
    const frame = this.#frame;
    if (element === undefined || frame === undefined) return;
    const left = scrollLeftFor(frame.layout, column, this.#position.left, frame.size.width);
    if (left === this.#position.left) return;
    element.scrollLeft = this.towardsEnd(left);
    this.#position = { ...this.#position, left: this.#leftOf(element) };
    this.#publish();
  }

  /** The cell at a point of the window; undefined beside the cells and on lines that are no rows. */
  hitTest(clientX: number, clientY: number): CellHit | undefined {
    const point = this.#inside(clientX, clientY);
    if (point === undefined || this.#frame === undefined) return undefined;
    const { layout, lines } = this.#frame;
    const line = lines.lineAtTop(point.y + contentTop(this.#position.place));
    if (point.y < 0 || line >= lines.count || point.x + this.left > layout.totalWidth) return undefined;
    const on = lines.lineAt(line);
    if (on.kind !== 'row') return undefined;
    return {
      row: on.row,
      column: columnAtViewport(layout, point.x, this.left),
      inGutter: point.x < layout.gutterWidth,
    };
  }

  /** The cell nearest to a point of the window, for a drag that leaves the cells. */
  nearestCell(clientX: number, clientY: number): CellPlace | undefined {
    const point = this.#inside(clientX, clientY);
    if (point === undefined || this.#frame === undefined) return undefined;
    const { layout, rowCount, size, scale, lines } = this.#frame;
    const x = Math.max(0, Math.min(point.x, size.width - 1));
    const y = Math.max(0, Math.min(point.y, scale.viewportHeight - 1));
    const row = lines.rowFrom(lines.lineAtTop(y + contentTop(this.#position.place)));
    return { row: Math.max(0, Math.min(rowCount - 1, row)), column: columnAtViewport(layout, x, this.left) };
  }

  /** The column before which a title dropped at a coordinate of the window is placed. */
  dropIndexAt(clientX: number): number {
    const point = this.#inside(clientX, 0);
    return point === undefined || this.#frame === undefined
      ? 0
      : dropIndexAt(this.#frame.layout, point.x, this.left);
  }

  /**
   * How far a point of the window is past the edges of the scrolling cells, with `margin` pixels of the inside counted as past; 0
   * if it is inside.
   */
  pastEdges(clientX: number, clientY: number, margin: number): { readonly x: number; readonly y: number } {
    const point = this.#inside(clientX, clientY);
    if (point === undefined || this.#frame === undefined) return { x: 0, y: 0 };
    const { layout, size, scale } = this.#frame;
    return {
      x: past(point.x, layout.frozenWidth + margin, size.width - margin),
      y: past(point.y, margin, scale.viewportHeight - margin),
    };
  }

  /** `x` counts towards the end of the columns. */
  scrollBy(x: number, y: number): void {
    this.#element?.scrollBy(this.towardsEnd(x), y);
  }

  /** Converts pixels to the right in the window to pixels from the start of the columns towards their end, and the reverse. */
  towardsEnd(pixels: number): number {
    return this.#frame?.isRightToLeft === true ? -pixels : pixels;
  }

  /** Browsers report a scroll with their next frame, and a press may come before it. */
  #catchUp(element: HTMLElement): void {
    const { place, left } = this.#position;
    if (element.scrollTop !== place.scrollTop || this.#leftOf(element) !== left) this.onScroll();
  }

  #leftOf(element: HTMLElement): number {
    return Math.max(0, this.towardsEnd(element.scrollLeft));
  }

  #inside(clientX: number, clientY: number): { x: number; y: number } | undefined {
    if (this.#element === undefined) return undefined;
    this.#catchUp(this.#element);
    const box = this.#element.getBoundingClientRect();
    if (this.#frame === undefined || this.#frame.layout.columns.length === 0) return undefined;
    const x = this.#frame.isRightToLeft ? box.right - clientX : clientX - box.left;
    return { x, y: clientY - box.top - this.#frame.headerHeight };
  }

  /** Scrolls the element to a place, and stores the actual position, since the browser rounds to device pixels. */
  #moveTo(place: ScrollPlace): void {
    const element = this.#element;
    if (element === undefined) return;
    if (element.scrollTop !== place.scrollTop) element.scrollTop = place.scrollTop;
    this.#position = { ...this.#position, place: { scrollTop: element.scrollTop, offset: place.offset } };
  }

  #publish(): void {
    this.#published = this.#position;
    for (const listener of this.#listeners) listener();
  }
}

function past(at: number, start: number, end: number): number {
  return at < start ? at - start : at > end ? at - end : 0;
}

function sameSight(a: GridSight, b: GridSight): boolean {
  return (
    a.firstLine === b.firstLine &&
    a.endLine === b.endLine &&
    a.firstColumn === b.firstColumn &&
    a.endColumn === b.endColumn &&
    a.offset === b.offset
  );
}
