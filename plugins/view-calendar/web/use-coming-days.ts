import type { DaySpan } from '@trellis/sdk/web/cards';
import { useCallback, useEffect, type RefObject } from 'react';

/** Marks the day heads of an agenda that are not past. */
export const comingDay = 'calendar-list-coming';

interface AgendaOf {
  readonly kind: string;
  readonly span: DaySpan | undefined;
  /** Whether entries of these days were read. */
  readonly isRead: boolean;
}

/** Scrolls an agenda to today when its days become visible; past days are above. */
export function useComingDays(box: RefObject<HTMLElement | null>, { kind, span, isRead }: AgendaOf) {
  const show = useCallback((): void => {
    box.current?.querySelector(`.${comingDay}`)?.scrollIntoView({ block: 'start' });
  }, [box]);
  const days = kind.startsWith('list') && isRead ? span?.start : undefined;
  useEffect(() => {
    if (days === undefined) return;
    // The calendar draws its entries later.
    const frame = requestAnimationFrame(show);
    return () => cancelAnimationFrame(frame);
  }, [days, show]);
  return { show };
}
