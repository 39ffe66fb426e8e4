import { useState, type DragEvent, type KeyboardEvent } from 'react';

/**
 * The order number that puts a row at a place of its list: half-way between its neighbours there. Undefined where
 * they leave no room, and the whole list must be numbered anew.
 *
 * @param orders - of the other rows, as they stand
 */
export function orderAt(orders: readonly number[], at: number): number | undefined {
  const above = orders[at - 1];
  const below = orders[at];
  if (above === undefined) return below === undefined ? 1 : below - 1;
  if (below === undefined) return above + 1;
  const between = (above + below) / 2;
  return above < between && between < below ? between : undefined;
}

/** The list with one of its rows at another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items.slice(from, from + 1);
  return items.toSpliced(from, 1).toSpliced(to, 0, ...item);
}

/** Lets rows of a list be dragged to another place, or moved with the arrow keys on their handle. */
export function useDragOrder(count: number, onMove: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number>();
  return {
    row: (index: number) => ({
      'data-dragged': dragged === index,
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        setDragged(index);
      },
      onDragEnd: () => setDragged(undefined),
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        if (dragged !== undefined && dragged !== index) onMove(dragged, index);
        setDragged(undefined);
      },
    }),
    handle: (index: number) => ({
      type: 'button' as const,
      className: 'views-grip',
      onKeyDown: (event: KeyboardEvent) => {
        const to = index + (event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0);
        if (to === index) return;
        event.preventDefault();
        if (to >= 0 && to < count) onMove(index, to);
      },
    }),
  };
}
