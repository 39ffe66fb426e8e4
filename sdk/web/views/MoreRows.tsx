import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { pageLanguage } from '../ui/index.ts';

/** What stands over rows of which only the first are read. @public */
export interface MoreRowsProps {
  /** How many rows are read at the most. */
  readonly most: number;
  /** How many there are; undefined until it is known, when nothing is said but that there may be more. */
  readonly total: number | undefined;
  /** Whether there may be more where nobody can tell how many there are. Default: no. */
  readonly mayBeMore?: boolean | undefined;
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
export function MoreRows(props: MoreRowsProps): ReactNode {
  const { most, total, mayBeMore = false, atATime, children, onMore } = props;
  const t = useSharedT();
  const box = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  /** What `most` became by the press for the last rows, or by one of which nobody knew whether it was for them. */
  const [last, setLast] = useState<{ readonly most: number; readonly wasKnown: boolean }>();
  const isLast = last?.most === most;
  const isKnown = total !== undefined;
  /** Those that were asked for are still being read. */
  const isTried = isLast && !isKnown && !last.wasKnown;
  const areAll = isKnown && total <= most;
  useLayoutEffect(() => {
    // Whether these are all is known once they are read.
    if (isTried) return;
    const isFocusGone = document.activeElement === null || document.activeElement === document.body;
    if (isLast && areAll && takesFocus.current && isFocusGone) box.current?.focus();
    takesFocus.current = false;
  }, [isLast, isTried, areAll]);
  if (isKnown ? areAll && !isLast : !mayBeMore && !isTried) return null;
  const format = (number: number): string => number.toLocaleString(pageLanguage());
  const left = isKnown ? total - most : undefined;
  const text = left === undefined ? t('There may be more.') : children;
  return (
    <div ref={box} className="tr-more-rows" role="status" tabIndex={-1}>
      {isKnown && areAll ? t('All {{number}} are shown.', { number: format(total) }) : text}
      {!areAll && (
        <button
          type="button"
          className="tr-link"
          onClick={() => {
            const mayBeLast = left === undefined || left <= atATime;
            takesFocus.current = mayBeLast;
            setLast(mayBeLast ? { most: most + atATime, wasKnown: isKnown } : undefined);
            onMore();
          }}
        >
          {left === undefined
            ? t('Show more')
            : t('Show {{number}} more', { number: format(Math.min(atATime, left)) })}
        </button>
      )}
    </div>
  );
}
