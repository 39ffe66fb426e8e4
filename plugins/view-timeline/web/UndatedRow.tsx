import { useDraggable } from '@dnd-kit/core';
import type { RowData } from '@trellis/sdk/web/rows';
import type { ReactNode } from 'react';

interface UndatedRowProps {
  readonly row: RowData;
  readonly name: string;
  readonly mayMove: boolean;
  /** Undefined if no plugin shows single rows. */
  readonly onOpen: (() => void) | undefined;
}

/** A row without a date, which can be dragged to one. */
export function UndatedRow({ row, name, mayMove, onOpen }: UndatedRowProps): ReactNode {
  const isMovable = mayMove && row.readOnly !== true;
  const { setNodeRef, listeners } = useDraggable({ id: row.key, data: { row }, disabled: !isMovable });
  return (
    <button
      {...listeners}
      ref={setNodeRef}
      type="button"
      className="tr-undated-row timeline-undated"
      data-key={row.key}
      data-movable={isMovable}
      dir="auto"
      onClick={onOpen}
    >
      {name}
    </button>
  );
}
