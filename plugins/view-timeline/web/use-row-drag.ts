import {
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
  type CollisionDetection,
  type DragStartEvent,
} from '@dnd-kit/core';
import type { RowData } from '@trellis/sdk/web/rows';
import { useRef, useState } from 'react';

interface RowDragOptions {
  /** The day at a place of the page; undefined outside the days. */
  dayAt(this: void, at: { readonly x: number; readonly y: number }): string | undefined;
  onDrop(this: void, row: RowData, day: string): void;
}

/** A press may move this many pixels and still be a click; a finger that moves at once scrolls. */
const mouse = { activationConstraint: { distance: 5 } };
const touch = { activationConstraint: { delay: 250, tolerance: 8 } };

/** Drags rows without a date to a day, by mouse or finger. */
export function useRowDrag({ dayAt, onDrop }: RowDragOptions) {
  const [row, setRow] = useState<RowData>();
  const [day, setDay] = useState<string>();
  const pointer = useRef({ x: 0, y: 0 });
  const sensors = useSensors(useSensor(MouseSensor, mouse), useSensor(TouchSensor, touch));
  /** Days have no elements: the pointer's position determines the day. */
  const collisionDetection: CollisionDetection = ({ pointerCoordinates }) => {
    if (pointerCoordinates !== null) pointer.current = pointerCoordinates;
    return [];
  };
  const end = (): void => {
    setRow(undefined);
    setDay(undefined);
  };
  return {
    /** The dragged row. */
    row,
    /** The day under the pointer. */
    day,
    context: {
      sensors,
      collisionDetection,
      autoScroll: false,
      onDragStart: ({ active }: DragStartEvent) => setRow(active.data.current?.['row'] as RowData),
      onDragMove: () => setDay(dayAt(pointer.current)),
      onDragCancel: end,
      onDragEnd: () => {
        const on = dayAt(pointer.current);
        if (row !== undefined && on !== undefined) onDrop(row, on);
        end();
      },
    },
  };
}
