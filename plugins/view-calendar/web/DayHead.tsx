import { useT } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';

interface DayHeadProps {
  /** The day's number, as the calendar formats it. */
  readonly text: string;
  /** The number of the day's entries, if not all of them were read. */
  readonly count: number | undefined;
  readonly isToday: boolean;
}

/** A day's number, and the number of its entries if not all were read. The link around it has the text for screen readers. */
export function DayHead({ text, count, isToday }: DayHeadProps): ReactNode {
  const t = useT();
  const day = isToday ? <span className="calendar-today">{text}</span> : text;
  if (count === undefined || count === 0) return day;
  const language = pageLanguage();
  return (
    <>
      <span
        className="calendar-count"
        title={t('{{number}} entries', { number: count.toLocaleString(language) })}
        data-count={count.toLocaleString(language, count < 10_000 ? {} : { notation: 'compact' })}
      />
      {day}
    </>
  );
}
