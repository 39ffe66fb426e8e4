import { Draggable } from '@fullcalendar/react/interaction';
import { UndatedRows, type UndatedRowsProps } from '@trellis/sdk/web/cards';
import { useEffect, useRef, type ReactNode } from 'react';

interface UndatedProps extends Omit<UndatedRowsProps, 'children'> {
  /** Opens a row; undefined if no plugin shows single rows. */
  readonly onOpen: ((rowKey: string) => void) | undefined;
}

/** The rows without a day; the calendar accepts those that are dragged to one. */
export function Undated({ onOpen, ...props }: UndatedProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const mayMove = props.put !== undefined;
  useEffect(() => {
    if (box.current === null || !mayMove) return undefined;
    const draggable = new Draggable(box.current, {
      itemSelector: '.tr-undated-row[data-movable="true"]',
      longPressDelay: 250,
      // The calendar shows the row when it has its day.
      eventData: ({ dataset, textContent }) => ({ title: textContent, create: false, id: dataset.key }),
    });
    return () => draggable.destroy();
  }, [mayMove]);
  return (
    <div ref={box} className="calendar-undated">
      <UndatedRows {...props}>
        {(row, name) => (
          <button
            type="button"
            className="tr-undated-row"
            data-key={row.key}
            data-movable={mayMove && row.readOnly !== true}
            dir="auto"
            onClick={onOpen && (() => onOpen(row.key))}
          >
            {name}
          </button>
        )}
      </UndatedRows>
    </div>
  );
}
