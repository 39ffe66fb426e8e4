/** A cell by its indexes, from 0. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** The active cell, and the opposite corner of the range: the same cell if a single one is selected. */
export interface GridSelection {
  readonly active: CellPlace;
  readonly head: CellPlace;
}

/** A block of cells; all four sides are inclusive. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface GridBounds {
  readonly rows: number;
  readonly columns: number;
}

export type Direction = 'up' | 'down' | 'left' | 'right';
/** The distance of a movement: one cell, one screen, or to the edge of the table. */
export type Reach = 'cell' | 'page' | 'edge';

export function selectCell(place: CellPlace): GridSelection {
  return { active: place, head: place };
}

export function rangeOf(selection: GridSelection): CellRange {
  const { active, head } = selection;
  return {
    top: Math.min(active.row, head.row),
    bottom: Math.max(active.row, head.row),
    left: Math.min(active.column, head.column),
    right: Math.max(active.column, head.column),
  };
}

interface Movement {
  readonly direction: Direction;
  readonly reach: Reach;
}

/** The target of a movement, clamped to the table. A screen shows `pageRows`. */
export function moveFrom(
  from: CellPlace,
  { direction, reach }: Movement,
  bounds: GridBounds,
  pageRows: number,
): CellPlace {
  const step = reach === 'cell' ? 1 : reach === 'page' ? pageRows : Number.MAX_SAFE_INTEGER;
  const vertical = direction === 'up' ? -step : direction === 'down' ? step : 0;
  const horizontal = direction === 'left' ? -step : direction === 'right' ? step : 0;
  return holdWithin({ row: from.row + vertical, column: from.column + horizontal }, bounds);
}

/** The cell after or before this one in reading order; the first and the last stay. */
export function nextInReadingOrder(from: CellPlace, by: 1 | -1, bounds: GridBounds): CellPlace {
  const column = from.column + by;
  if (column >= 0 && column < bounds.columns) return { row: from.row, column };
  const row = from.row + by;
  if (row < 0 || row >= bounds.rows) return from;
  return { row, column: by === 1 ? 0 : bounds.columns - 1 };
}

export function holdWithin(place: CellPlace, bounds: GridBounds): CellPlace {
  return {
    row: Math.max(0, Math.min(place.row, bounds.rows - 1)),
    column: Math.max(0, Math.min(place.column, bounds.columns - 1)),
  };
}

/** The selection after rows or columns were removed; undefined if none are left. */
export function holdSelection(
  selection: GridSelection | undefined,
  bounds: GridBounds,
): GridSelection | undefined {
  if (selection === undefined || bounds.rows === 0 || bounds.columns === 0) return undefined;
  const active = holdWithin(selection.active, bounds);
  const head = holdWithin(selection.head, bounds);
  return samePlace(active, selection.active) && samePlace(head, selection.head)
    ? selection
    : { active, head };
}

export function samePlace(a: CellPlace, b: CellPlace): boolean {
  return a.row === b.row && a.column === b.column;
}

export function sameRange(a: CellRange, b: CellRange): boolean {
  return a.top === b.top && a.bottom === b.bottom && a.left === b.left && a.right === b.right;
}
