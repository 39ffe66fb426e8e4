import { useT } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';

interface DayHeadProps {
  /** The number of the day, as the calendar writes it. */
  readonly text: string;
  /** Of the entries of the day, where not all of them are there. */
  readonly count: number | undefined;
  readonly isToday: boolean;
}

/** The number of a day, and of its entries where not all of them are there. What is read aloud is said by the link around it. */
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
