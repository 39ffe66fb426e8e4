import type { GridColumn } from './grid-column.ts';

/** The positions of the columns, in pixels from the edge where the grid's content starts: the right one in a right-to-left page. */
export interface ColumnLayout {
  /** The columns in the order of drawing. */
  readonly columns: readonly GridColumn[];
  readonly lefts: readonly number[];
  readonly frozenCount: number;
  /** The row numbers. */
  readonly gutterWidth: number;
  /** The row numbers and the frozen columns together. */
  readonly frozenWidth: number;
  readonly totalWidth: number;
}

const MIN_COLUMN_WIDTH = 60;
const MAX_COLUMN_WIDTH = 1200;

/** The largest share of the grid's width for frozen columns; the ones beyond it scroll. */
const FROZEN_SHARE = 0.6;
/** On a phone, another column must fit beside the frozen ones, which are narrowed for that. */
const NARROW = { width: 600, share: 0.5, leastWidth: 96 } as const;

/** As many frozen columns as fit, with their drawn widths. */
function fitFrozen(
  frozen: readonly GridColumn[],
  gutterWidth: number,
  viewportWidth: number,
): readonly GridColumn[] {
  const isNarrow = viewportWidth < NARROW.width;
  let room = viewportWidth * (isNarrow ? NARROW.share : FROZEN_SHARE) - gutterWidth;
  const fitting: GridColumn[] = [];
  for (const column of frozen) {
    const most = isNarrow ? Math.max(room, NARROW.leastWidth) : column.width;
    const width = Math.min(column.width, most);
    if (width > room) break;
    fitting.push(width < column.width ? { ...column, width } : column);
    room -= width;
  }
  return fitting;
}

export function layOutColumns(
  columns: readonly GridColumn[],
  gutterWidth: number,
  viewportWidth: number,
): ColumnLayout {
  const frozen = columns.filter((column) => column.frozen === true);
  const fitting = fitFrozen(frozen, gutterWidth, viewportWidth);
  const frozenCount = fitting.length;
  const ordered = [
    ...fitting,
    ...frozen.slice(frozenCount),
    ...columns.filter((column) => column.frozen !== true),
  ];
  const lefts: number[] = [];
  let left = gutterWidth;
  for (const column of ordered) {
    lefts.push(left);
    left += column.width;
  }
  const endOf = (count: number): number => lefts[count] ?? left;
  return {
    columns: ordered,
    lefts,
    frozenCount,
    gutterWidth,
    frozenWidth: endOf(frozenCount),
    totalWidth: left,
  };
}

/** The visible scrolling columns, `end` exclusive. */
export function columnsInSight(
  layout: ColumnLayout,
  scrollLeft: number,
  viewportWidth: number,
): { start: number; end: number } {
  const count = layout.columns.length;
  if (count === layout.frozenCount) return { start: count, end: count };
  const from = columnAt(layout, scrollLeft + layout.frozenWidth, layout.frozenCount);
  const to = columnAt(layout, scrollLeft + viewportWidth, layout.frozenCount);
  return { start: from, end: Math.min(count, to + 1) };
}

/** The column at so many pixels from the start of the viewport, clamped to the columns; -1 if there are none. */
export function columnAtViewport(layout: ColumnLayout, x: number, scrollLeft: number): number {
  if (layout.columns.length === 0) return -1;
  if (x < layout.frozenWidth && layout.frozenCount > 0) {
    return Math.min(columnAt(layout, x, 0), layout.frozenCount - 1);
  }
  return columnAt(layout, x + scrollLeft, Math.min(layout.frozenCount, layout.columns.length - 1));
}

/** The column before which a title dropped at a coordinate of the viewport is placed: past a column's middle means after it. */
export function dropIndexAt(layout: ColumnLayout, x: number, scrollLeft: number): number {
  const at = columnAtViewport(layout, x, scrollLeft);
  const left = layout.lefts[at];
  const width = layout.columns[at]?.width;
  if (left === undefined || width === undefined) return 0;
  const inside = at < layout.frozenCount ? x : x + scrollLeft;
  return inside > left + width / 2 ? at + 1 : at;
}

/** A width within the limits. */
export function holdColumnWidth(width: number): number {
  return Math.round(Math.max(MIN_COLUMN_WIDTH, Math.min(MAX_COLUMN_WIDTH, width)));
}

/** The horizontal scroll position that shows a column with the least movement. */
export function scrollLeftFor(
  layout: ColumnLayout,
  column: number,
  scrollLeft: number,
  viewportWidth: number,
): number {
  const left = layout.lefts[column];
  const width = layout.columns[column]?.width;
  if (left === undefined || width === undefined || column < layout.frozenCount) return scrollLeft;
  if (left - scrollLeft < layout.frozenWidth || width > viewportWidth - layout.frozenWidth)
    return left - layout.frozenWidth;
  if (left + width - scrollLeft > viewportWidth) return left + width - viewportWidth;
  return scrollLeft;
}

/** The last column from `from` on that starts at or before `x`. */
function columnAt(layout: ColumnLayout, x: number, from: number): number {
  let low = from;
  let high = layout.lefts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((layout.lefts[middle] ?? 0) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}
