import type { PointerEvent as ReactPointerEvent } from 'react';

/** Pixels that the pointer may move before a press becomes a drag. */
const DRAG_THRESHOLD = 5;

export interface DragHandlers {
  /** `by` counts pixels from the start of the drag. */
  readonly onDrag: (by: number, clientX: number) => void;
  /** `by` undefined: the pointer did not move, or the drag was cancelled. */
  readonly onEnd: (by: number | undefined, clientX: number) => void;
}

/** Follows a pointer from a press on, wherever it moves, until it is released or Escape is pressed. */
export function followPointer(event: ReactPointerEvent, { onDrag, onEnd }: DragHandlers): void {
  const from = event.clientX;
  const { pointerId } = event;
  let dragging = false;
  const move = (moved: PointerEvent): void => {
    if (moved.pointerId !== pointerId) return;
    dragging ||= Math.abs(moved.clientX - from) > DRAG_THRESHOLD;
    if (dragging) onDrag(moved.clientX - from, moved.clientX);
  };
  const stop = (): void => {
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', release);
    window.removeEventListener('pointercancel', giveUp);
    window.removeEventListener('keydown', escape, true);
  };
  const release = (released: PointerEvent): void => {
    if (released.pointerId !== pointerId) return;
    stop();
    onEnd(dragging ? released.clientX - from : undefined, released.clientX);
  };
  const giveUp = (): void => {
    stop();
    onEnd(undefined, from);
  };
  const escape = (pressed: KeyboardEvent): void => {
    if (pressed.key !== 'Escape') return;
    pressed.stopPropagation();
    giveUp();
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', release);
  window.addEventListener('pointercancel', giveUp);
  window.addEventListener('keydown', escape, true);
}
