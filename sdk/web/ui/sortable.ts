import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

/**
 * The order number for an index of a list: half-way between its neighbours. Undefined if there is no room between them, and the
 * whole list must be renumbered.
 *
 * @param orders of the other rows, in order; a neighbour without a number counts as none
 * @public
 */
export function orderAt(orders: readonly (number | undefined)[], at: number): number | undefined {
  const above = orders[at - 1];
  const below = orders[at];
  if (above === undefined) return below === undefined ? 1 : below - 1;
  if (below === undefined) return above + 1;
  const between = (above + below) / 2;
  return above < between && between < below ? between : undefined;
}

/** The list with one of its rows moved. @public */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items.slice(from, from + 1);
  return items.toSpliced(from, 1).toSpliced(to, 0, ...item);
}

/**
 * The numbers that move the row at `from` to the index `to`: only its own if its new neighbours leave room, else those of all rows
 * that change.
 *
 * @param orders of all rows, in order
 * @public
 */
export function numbersOfMove(
  orders: readonly (number | undefined)[],
  from: number,
  to: number,
): ReadonlyMap<number, number> {
  const between = orderAt(orders.toSpliced(from, 1), to);
  if (between !== undefined) return new Map([[from, between]]);
  const places = moved([...orders.keys()], from, to);
  return new Map(
    [...places.entries()].flatMap(([at, row]) => (orders[row] === at + 1 ? [] : [[row, at + 1]])),
  );
}

interface Drag {
  readonly from: number;
  readonly to: number;
  readonly isInto: boolean;
  readonly startY: number;
  readonly isMoving: boolean;
}

/** The target of a dragged row. @public */
export interface SortableTarget {
  readonly to: number;
  /** Inside the row at `to`, not at its index. */
  readonly isInto?: boolean;
}

/** Pixels that a press may move and still be a click. */
const slip = 5;

/**
 * Lets rows of a list be dragged, or moved with the arrow keys. Spread `row(index)` on each row and `handle(index)` on the grip
 * that moves it by mouse, pen, finger or keys; or `press(index)` on a whole row that can be dragged with a mouse, and moved with
 * Alt and the arrow keys.
 *
 * @param count the number of rows.
 * @param onMove moves the row at `from` to `to`, or into that row.
 * @param targetOf the target for the row under the pointer, if it is not that row's index.
 * @public
 */
export function useSortable(
  count: number,
  onMove: (from: number, to: number, isInto: boolean) => void,
  targetOf: (from: number, over: number) => SortableTarget = (_from, over) => ({ to: over }),
) {
  const rows = useRef(new Map<number, HTMLElement>());
  const [drag, setShown] = useState<Drag>();
  // The press may end before its last move is rendered.
  const latest = useRef<Drag>(undefined);

  function setDrag(next: Drag | undefined): void {
    latest.current = next;
    setShown(next);
  }

  /** The index of the row under the pointer. */
  function placeAt(y: number): number {
    const places = [...rows.current].filter(([index]) => index < count).sort(([a], [b]) => a - b);
    // Rows may be inside others, and come after them in the count.
    const inside = places.findLast(([, element]) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top <= y && y < bottom;
    });
    const over = inside ?? places.find(([, element]) => y < element.getBoundingClientRect().bottom);
    return over?.[0] ?? count - 1;
  }

  /** The pointer handlers of a draggable element. */
  const pointer = (index: number, isWanted: (event: PointerEvent) => boolean) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !isWanted(event)) return;
      setDrag({ from: index, to: index, isInto: false, startY: event.clientY, isMoving: false });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { current } = latest;
      if (current === undefined || event.buttons === 0) return;
      if (!current.isMoving && Math.abs(event.clientY - current.startY) < slip) return;
      // From here on the press is a drag: elements under the pointer must get no events, in particular no click.
      event.currentTarget.setPointerCapture(event.pointerId);
      const { to, isInto = false } = targetOf(current.from, placeAt(event.clientY));
      setDrag({ ...current, to, isInto, isMoving: true });
    },
    onPointerUp: () => {
      const { current } = latest;
      setDrag(undefined);
      if (current?.isMoving === true && current.to !== current.from)
        onMove(current.from, current.to, current.isInto);
    },
    onPointerCancel: () => setDrag(undefined),
  });

  /** The keyboard handler. */
  const keys = (index: number, event: KeyboardEvent): void => {
    const to = index + (event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0);
    if (to === index) return;
    event.preventDefault();
    if (to >= 0 && to < count) onMove(index, to, false);
  };

  return {
    row: (index: number) => ({
      ref: (element: HTMLElement | null) => {
        if (element) rows.current.set(index, element);
        else rows.current.delete(index);
      },
      'data-dragged': drag?.isMoving === true && drag.from === index,
      'data-drop': dropSide(drag, index),
    }),
    press: (index: number) => ({
      ...pointer(index, ({ pointerType }) => pointerType === 'mouse'),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.altKey) keys(index, event);
      },
    }),
    handle: (index: number) => ({
      ...pointer(index, () => true),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && latest.current !== undefined) return setDrag(undefined);
        keys(index, event);
      },
    }),
  };
}

/** On which side of a row the dragged one would be placed. */
function dropSide(drag: Drag | undefined, index: number): 'before' | 'after' | 'into' | undefined {
  if (drag?.isMoving !== true || drag.to !== index || drag.to === drag.from) return undefined;
  if (drag.isInto) return 'into';
  return drag.to < drag.from ? 'before' : 'after';
}
