import {
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
  type CollisionDetection,
  type DragEndEvent,
  type DragStartEvent,
} from '@dnd-kit/core';
import type { RowData } from '@trellis/sdk/web/rows';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Stack } from './stack-list.ts';
import { WholePixels } from './whole-pixels.ts';

/** The dragged item: a card, or a whole stack by its head. */
export type Dragged =
  | { readonly kind: 'card'; readonly row: RowData; readonly width: number }
  | { readonly kind: 'stack'; readonly stack: Stack };

/** Where a card would be put: an index among a stack's cards or, for a stack, its index among the stacks. */
export interface DropPlace {
  readonly stackId: string;
  readonly index: number;
}

/** Gives a card's index in a stack for the pointer's position, in window coordinates. */
export type PlaceOf = (y: number) => number;

interface DragOf {
  onDropCard(this: void, row: RowData, place: DropPlace): void;
  onDropStack(this: void, stack: Stack, before: string): void;
}

/** A press may move this many pixels and still be a click; a finger that moves at once scrolls. */
const mouse = { activationConstraint: { distance: 5 } };
const touch = { activationConstraint: { delay: 220, tolerance: 8 } };
/**
 * Pixels that the board scrolls per step at its edge. On a touch screen a stack fills the width, so the board must scroll slowly.
 */
const pace = { mouse: 10, finger: 3 };

/** Drags cards and stacks by mouse or finger. */
export function useCardDrag({ onDropCard, onDropStack }: DragOf) {
  const [dragged, setDragged] = useState<Dragged>();
  const [drop, setDrop] = useState<DropPlace>();
  const [isByFinger, setByFinger] = useState(false);
  const places = useRef(new Map<string, PlaceOf>());
  const pointer = useRef({ x: 0, y: 0 });
  const sensors = useSensors(useSensor(MouseSensor, mouse), useSensor(TouchSensor, touch));

  /** Finds the stack under the pointer: cards are mounted and unmounted during a drag, stacks are not. */
  const collisionDetection: CollisionDetection = ({ pointerCoordinates, droppableContainers }) => {
    if (pointerCoordinates === null) return [];
    pointer.current = pointerCoordinates;
    const { x } = pointerCoordinates;
    for (const container of droppableContainers) {
      const rect = container.node.current?.getBoundingClientRect();
      if (rect !== undefined && x >= rect.left && x <= rect.right) return [{ id: container.id }];
    }
    return [];
  };

  const [pixels] = useState(() => new WholePixels());
  useEffect(() => () => pixels.release(), [pixels]);
  const end = (): void => {
    pixels.release();
    setDragged(undefined);
    setDrop(undefined);
  };

  /**
   * Called before each box is scrolled; it must be the same function in each render, because another one would restart the
   * scrolling.
   */
  const followed = useCallback(
    (box: Element): boolean => {
      pixels.follow(box);
      return true;
    },
    [pixels],
  );

  const follow = ({ over }: { readonly over: { readonly id: string | number } | null }): void => {
    const stackId = over === null ? undefined : String(over.id);
    const index = stackId === undefined ? undefined : places.current.get(stackId)?.(pointer.current.y);
    setDrop((before) => {
      if (stackId === undefined) return undefined;
      const next = { stackId, index: index ?? 0 };
      return before?.stackId === next.stackId && before.index === next.index ? before : next;
    });
  };

  return {
    dragged,
    drop,
    /** Registers how a stack finds an index; undefined removes it. */
    register: (stackId: string, placeOf: PlaceOf | undefined) => {
      if (placeOf) places.current.set(stackId, placeOf);
      else places.current.delete(stackId);
    },
    context: {
      sensors,
      collisionDetection,
      autoScroll: {
        acceleration: isByFinger ? pace.finger : pace.mouse,
        canScroll: followed,
      },
      onDragStart: ({ active, activatorEvent }: DragStartEvent) => {
        setByFinger(activatorEvent.type === 'touchstart');
        setDragged(active.data.current as Dragged);
      },
      // When the pointer stops on a new stack, only the second event reports that stack.
      onDragMove: follow,
      onDragOver: follow,
      onDragCancel: end,
      onDragEnd: ({ over }: DragEndEvent) => {
        if (dragged !== undefined && over !== null) {
          const stackId = String(over.id);
          const index = places.current.get(stackId)?.(pointer.current.y) ?? 0;
          if (dragged.kind === 'card') onDropCard(dragged.row, { stackId, index });
          else onDropStack(dragged.stack, stackId);
        }
        end();
      },
    },
  };
}
