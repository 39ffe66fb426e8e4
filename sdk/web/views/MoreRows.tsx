import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { pageLanguage } from '../ui/index.ts';

/** The props of the notice over a partly loaded list. @public */
export interface MoreRowsProps {
  /** The current limit of loaded rows. */
  readonly most: number;
  /** Their number; undefined until it is known, when the notice only says that there may be more. */
  readonly total: number | undefined;
  /** Whether there may be more if they cannot be counted. Default: no. */
  readonly mayBeMore?: boolean | undefined;
  /** The most rows that a press adds. */
  readonly atATime: number;
  /** The text with the shown and the total number. */
  readonly children: string;
  onMore(this: void): void;
}

/**
 * Says that only the first rows are shown, and loads more on a press; nothing if all are loaded. After the press for the last ones,
 * it says that these are all and keeps the focus in place until other rows are requested: removing it earlier would move the
 * content below it under the pointer.
 *
 * @public
 */
export function MoreRows(props: MoreRowsProps): ReactNode {
  const { most, total, mayBeMore = false, atATime, children, onMore } = props;
  const t = useSharedT();
  const box = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  /** The value of `most` after the press for the last rows, or after one of which that was unknown. */
  const [last, setLast] = useState<{ readonly most: number; readonly wasKnown: boolean }>();
  const isLast = last?.most === most;
  const isKnown = total !== undefined;
  /** The requested rows are still loading. */
  const isTried = isLast && !isKnown && !last.wasKnown;
  const areAll = isKnown && total <= most;
  useLayoutEffect(() => {
    // Whether these are all is known once they are loaded.
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
