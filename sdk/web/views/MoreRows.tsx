import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { pageLanguage } from '../ui/index.ts';

/** What stands over rows of which only the first are read. @public */
export interface MoreRowsProps {
  /** How many rows are read at the most. */
  readonly most: number;
  /** How many there are; undefined until it is known, when nothing is said. */
  readonly total: number | undefined;
  /** How many a press reads at the most. */
  readonly atATime: number;
  /** Says how many of how many are shown. */
  readonly children: string;
  onMore(this: void): void;
}

/**
 * Says that only the first rows are shown, and reads more by a press; nothing where all are there. Whoever pressed for the last of them
 * hears that these are all and keeps the focus at the place, which stays until other rows are asked for: were it gone sooner, what lies
 * below would move away under the pointer.
 *
 * @public
 */
export function MoreRows({ most, total, atATime, children, onMore }: MoreRowsProps): ReactNode {
  const t = useSharedT();
  const box = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  /** What `most` became by the press for the last rows. */
  const [last, setLast] = useState<number>();
  const isLast = last === most;
  useLayoutEffect(() => {
    if (isLast && takesFocus.current) box.current?.focus();
    takesFocus.current = false;
  }, [isLast]);
  if (total === undefined || (total <= most && !isLast)) return null;
  const left = total - most;
  const format = (number: number): string => number.toLocaleString(pageLanguage());
  return (
    <div ref={box} className="tr-more-rows" role="status" tabIndex={-1}>
      {left > 0 ? children : t('All {{number}} are shown.', { number: format(total) })}
      {left > 0 && (
        <button
          type="button"
          className="tr-link"
          onClick={() => {
            takesFocus.current = left <= atATime;
            setLast(left <= atATime ? most + atATime : undefined);
            onMore();
          }}
        >
          {t('Show {{number}} more', { number: format(Math.min(atATime, left)) })}
        </button>
      )}
    </div>
  );
}
