/** The edges of an element on the screen, in pixels. */
export type Edges = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** Pixels between a cell and its message, and between the message and the edge of the grid. */
const gap = 4;

export interface HintPlace {
  /** Pixels from the leading edge of the cell, towards the start if the message would leave the grid at its end. */
  readonly start: number;
  /** Above the cell, because there is no room below it. */
  readonly isAbove: boolean;
}

/** The position of a cell's message: below its leading edge, or above it if that is preferred, and inside the grid. */
export function placeHint(
  cell: Edges,
  grid: Edges,
  hint: { readonly width: number; readonly height: number; readonly prefersAbove?: boolean },
  isRightToLeft: boolean,
): HintPlace {
  const [before, after] = isRightToLeft
    ? [grid.right - cell.right, cell.right - grid.left]
    : [cell.left - grid.left, grid.right - cell.left];
  const over = Math.max(0, hint.width + gap - after);
  const isTooLow = hint.prefersAbove === true || cell.bottom + gap + hint.height > grid.bottom;
  return {
    start: -Math.min(over, Math.max(0, before - gap)) || 0,
    isAbove: isTooLow && cell.top - gap - hint.height >= grid.top,
  };
}
