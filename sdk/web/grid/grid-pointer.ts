import type { MouseEvent as ReactMouseEvent, PointerEvent as ReactPointerEvent } from 'react';
import type { GridModel } from './grid-model.ts';
import type { CellHit, GridScroller } from './grid-scroller.ts';
import { type CellPlace, rangeOf, samePlace, sameRange } from './grid-selection.ts';
import { fillRangeTo } from './fill-plan.ts';
import { dropPlace, rowsMovedWith } from './move-rows.ts';
import { fillCells } from './range-edits.ts';

/** The distance from the edge, in pixels, at which a drag scrolls. */
const EDGE_MARGIN = 14;
const MOST_PIXELS_PER_FRAME = 60;

/** Handles mouse and touch on the cells: selects, drags a range (scrolling at the edges), opens, requests a menu. */
export class GridPointer {
  #pointerType = 'mouse';
  #stopDrag: (() => void) | undefined;

  readonly #model: GridModel;
  readonly #scroller: GridScroller;

  constructor(model: GridModel, scroller: GridScroller) {
    this.#model = model;
    this.#scroller = scroller;
  }

  /** Cancels the current drag. */
  readonly release = (): void => this.#stopDrag?.();

  readonly onMouseDown = (event: ReactMouseEvent): void => {
    // The text area keeps the focus, so that the next key is typed into the grid.
    if (!takesFocus(event.target)) event.preventDefault();
  };

  readonly onPointerDown = (event: ReactPointerEvent): void => {
    this.#pointerType = event.pointerType;
    if (event.button === 0 && isFillHandle(event.target)) {
      this.#stopDrag?.();
      this.#stopDrag = dragFill(this.#model, this.#scroller);
      return;
    }
    if (event.button === 0 && isRowHandle(event.target)) {
      this.#stopDrag?.();
      this.#stopDrag = dragRows(this.#model, this.#scroller, event);
      return;
    }
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const hit = this.#scroller.hitTest(event.clientX, event.clientY);
    const onControl = isControl(event.target);
    if (hit === undefined) {
      this.#model.session.leave();
      this.#model.state.focusInput();
      return;
    }
    if (onControl && hit.inGutter) return;
    this.#press(hit, event.shiftKey && !onControl);
    this.#stopDrag?.();
    this.#stopDrag = onControl ? undefined : dragRange(this.#model, this.#scroller, hit.inGutter);
  };

  readonly onClick = (event: ReactMouseEvent): void => {
    if (this.#pointerType !== 'touch' || isControl(event.target)) return;
    const hit = this.#scroller.hitTest(event.clientX, event.clientY);
    if (hit === undefined) return;
    // A finger has no second button and no keys: tapping a selected cell again opens it.
    const isOpening = !hit.inGutter && this.#isSelected(hit);
    this.#press(hit, false);
    if (isOpening) this.#model.openCell();
  };

  readonly onDoubleClick = (event: ReactMouseEvent): void => {
    if (this.#pointerType === 'touch' || isControl(event.target)) return;
    const hit = this.#scroller.hitTest(event.clientX, event.clientY);
    if (hit !== undefined && !hit.inGutter) this.#model.openCell();
  };

  readonly onContextMenu = (event: ReactMouseEvent): void => {
    const { context } = this.#model.state;
    const hit = this.#scroller.hitTest(event.clientX, event.clientY);
    if (context.handlers.onContextMenu === undefined || hit === undefined) return;
    const row = context.source.rowAt(hit.row);
    const column = context.columns[hit.column];
    if (row === undefined || column === undefined) return;
    event.preventDefault();
    if (!this.#isInRange(hit)) this.#press(hit, false);
    const where = { rowKey: row.key, index: hit.row, x: event.clientX, y: event.clientY };
    context.handlers.onContextMenu(
      hit.inGutter ? { kind: 'row', ...where } : { kind: 'cell', columnId: column.entity.id, ...where },
    );
  };

  /** Whether this cell is the only selected one. */
  #isSelected(place: CellPlace): boolean {
    const { selection } = this.#model.state.getSnapshot();
    return selection !== undefined && samePlace(selection.active, place) && samePlace(selection.head, place);
  }

  #press(hit: CellHit, extend: boolean): void {
    const model = this.#model;
    // Pressing a cell moves the person there, even if a row is being added.
    model.newRows.leave();
    const lastColumn = model.state.context.columns.length - 1;
    const place = { row: hit.row, column: hit.column };
    const active = model.state.getSnapshot().selection?.active;
    if (!hit.inGutter) {
      if (extend && active !== undefined) model.selectInPlace({ active, head: place });
      else model.select(place);
    } else {
      const from = extend && active !== undefined ? active.row : hit.row;
      model.selectInPlace({ active: { row: from, column: 0 }, head: { row: hit.row, column: lastColumn } });
    }
    model.state.focusInput();
  }

  #isInRange({ row, column, inGutter }: CellHit): boolean {
    const { selection } = this.#model.state.getSnapshot();
    if (selection === undefined) return false;
    const { top, bottom, left, right } = rangeOf(selection);
    return row >= top && row <= bottom && (inGutter || (column >= left && column <= right));
  }
}

/** Whether a part of a cell has its own action when pressed. */
function isControl(target: EventTarget): boolean {
  return (
    target instanceof Element &&
    target.closest('a, button, input, select, textarea, [data-grid-control]') !== null
  );
}

function takesFocus(target: EventTarget): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null;
}

function isFillHandle(target: EventTarget): boolean {
  return target instanceof Element && target.closest('.tgrid-fill') !== null;
}

function isRowHandle(target: EventTarget): boolean {
  return target instanceof Element && target.closest('.tgrid-grip') !== null;
}

/** Extends the range with the pointer until it is released. Returns a function that stops. */
function dragRange(model: GridModel, scroller: GridScroller, wholeRows: boolean): () => void {
  return followCells(scroller, {
    scrollsSideways: !wholeRows,
    onCell(nearest) {
      const { selection } = model.state.getSnapshot();
      if (selection === undefined) return;
      const head = wholeRows ? { row: nearest.row, column: model.state.context.columns.length - 1 } : nearest;
      if (!samePlace(head, selection.head)) model.selectInPlace({ active: selection.active, head });
    },
  });
}

/** Shows what the fill handle would fill while it is dragged, and fills it when it is released. */
function dragFill(model: GridModel, scroller: GridScroller): (() => void) | undefined {
  const { selection } = model.state.getSnapshot();
  if (selection === undefined) return undefined;
  model.session.leave();
  const from = rangeOf(selection);
  return followCells(scroller, {
    scrollsSideways: true,
    onCell(nearest) {
      const filling = fillRangeTo(from, nearest);
      const shown = model.state.getSnapshot().filling;
      if (shown === undefined || !sameRange(filling, shown)) model.state.set({ filling });
    },
    onEnd(isReleased) {
      const { filling } = model.state.getSnapshot();
      model.state.set({ filling: undefined });
      if (isReleased && filling !== undefined) void fillCells(model, from, filling);
    },
  });
}

/** Shows where rows would be placed while one is dragged by its handle, and moves them when it is released. */
function dragRows(
  model: GridModel,
  scroller: GridScroller,
  { clientX, clientY }: ReactPointerEvent,
): (() => void) | undefined {
  const from = scroller.hitTest(clientX, clientY)?.row;
  const keys = from === undefined ? undefined : rowsMovedWith(model, from);
  if (from === undefined || keys === undefined) return undefined;
  model.session.leave();
  return followCells(scroller, {
    scrollsSideways: false,
    onCell: ({ row }) =>
      model.state.set({ moving: { keys, to: dropPlace(model, { keys, over: row, from }) } }),
    onEnd(isReleased) {
      const { source, handlers } = model.state.context;
      const { to } = model.state.getSnapshot().moving ?? {};
      model.state.set({ moving: undefined });
      const row = to && source.rowAt(to.row);
      if (isReleased && to !== undefined && row !== undefined)
        handlers.onMoveRows?.(keys, { side: to.side, row: row.key });
      model.state.focusInput();
    },
  });
}

interface CellFollower {
  readonly scrollsSideways: boolean;
  readonly onCell: (nearest: CellPlace) => void;
  /** `isReleased` is false if the drag was cancelled. */
  readonly onEnd?: (isReleased: boolean) => void;
}

/** Reports the cell nearest to the pointer until it is released, scrolling at the edges. Returns a function that stops. */
function followCells(scroller: GridScroller, { scrollsSideways, onCell, onEnd }: CellFollower): () => void {
  let point: { readonly x: number; readonly y: number } | undefined;
  let frame: number | undefined;

  const tell = (): void => {
    const nearest = point && scroller.nearestCell(point.x, point.y);
    if (nearest !== undefined) onCell(nearest);
  };

  const step = (): void => {
    frame = undefined;
    if (point === undefined) return;
    const past = scroller.pastEdges(point.x, point.y, EDGE_MARGIN);
    const right = scrollsSideways ? pull(past.x) : 0;
    const down = pull(past.y);
    if (down === 0 && right === 0) return;
    scroller.scrollBy(right, down);
    tell();
    frame = requestAnimationFrame(step);
  };

  const move = (event: PointerEvent): void => {
    point = { x: event.clientX, y: event.clientY };
    tell();
    frame ??= requestAnimationFrame(step);
  };
  const end = (isReleased: boolean): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', release);
    window.removeEventListener('pointercancel', stop);
    window.removeEventListener('keydown', escape, true);
    onEnd?.(isReleased);
  };
  const release = (): void => end(true);
  const stop = (): void => end(false);
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || onEnd === undefined) return;
    event.stopPropagation();
    stop();
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', release);
  window.addEventListener('pointercancel', stop);
  window.addEventListener('keydown', escape, true);
  return stop;
}

/** Pixels to scroll in a frame: more, the further the pointer is past the edge. */
function pull(past: number): number {
  return Math.sign(past) * Math.ceil(Math.min(MOST_PIXELS_PER_FRAME, Math.abs(past) * 0.6));
}
