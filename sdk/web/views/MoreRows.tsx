import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { pageLanguage } from '../ui/index.ts';

/** What stands over rows of which only the first are read. @public */
export interface MoreRowsProps {
  /** How many rows are read at the most. */
  readonly most: number;
  /** How many there are, as far as that is known. */
  readonly total: number;
  /** How many a press reads at the most. */
  readonly atATime: number;
  /** Says how many of how many are shown. */
  readonly children: string;
  onMore(this: void): void;
}

/**
 * Says that only the first rows are shown, and reads more by a press; nothing where all are there. Whoever pressed for the last of them
 * hears that these are all and keeps the focus at the place, which is gone only once they go on.
 *
 * @public
 */
export function MoreRows({ most, total, atATime, children, onMore }: MoreRowsProps): ReactNode {
  const t = useSharedT();
  const box = useRef<HTMLDivElement>(null);
  const [isLast, setLast] = useState(false);
  const left = total - most;
  const isDone = isLast && left <= 0;
  useLayoutEffect(() => {
    if (isDone) box.current?.focus();
  }, [isDone]);
  const format = (number: number): string => number.toLocaleString(pageLanguage());
  if (left <= 0 && !isLast) return null;
  return (
    <div
      ref={box}
      className="tr-more-rows"
      role="status"
      tabIndex={-1}
      onBlur={({ target, currentTarget }) => {
        if (target === currentTarget) setLast(false);
      }}
    >
      {left > 0 ? children : t('All {{number}} are shown.', { number: format(total) })}
      {left > 0 && (
        <button
          type="button"
          className="tr-link"
          onClick={() => {
            setLast(left <= atATime);
            onMore();
          }}
        >
          {t('Show {{number}} more', { number: format(Math.min(atATime, left)) })}
        </button>
      )}
    </div>
  );
}
