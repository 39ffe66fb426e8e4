import { type ReactNode, useState } from 'react';
import { useAttempt } from '../attempt.ts';
import { useSharedT } from '../host.tsx';
import type { RowRule, RowsClient } from '../rows/index.ts';
import { isRightToLeft } from '../ui/index.ts';
import { nearestBeyond, type DateRange, type DaySpan } from './day-spans.ts';
import './cards.css';

/** The props of the notice about the nearest row with a date. @public */
export interface NearestEntryProps {
  readonly rows: RowsClient;
  readonly range: DateRange;
  /** The visible days, which have no row. */
  readonly days: DaySpan;
  /** The conditions for rows besides the filters of the view. */
  readonly rules: readonly RowRule[];
  /** Called with the day of the found row. */
  onGo(this: void, day: string): void;
}

type Side = 'earlier' | 'later';

/** Says that there is no row on the visible days, and leads to the nearest one before or after them. @public */
export function NearestEntry({ rows, range, days, rules, onGo }: NearestEntryProps): ReactNode {
  const t = useSharedT();
  const { attempt, isBusy, problem } = useAttempt();
  const [none, setNone] = useState<{ readonly side: Side; readonly days: DaySpan }>();
  const [before, after] = isRightToLeft() ? ['right', 'left'] : ['left', 'right'];
  const go = async (side: Side): Promise<void> => {
    if (isBusy) return;
    await attempt(async () => {
      const { rule, sort } = nearestBeyond(range, days, side);
      const found = await rows.first([...rules, rule], sort);
      const day = range.from.show(found?.values[range.from.id])?.slice(0, 10);
      if (day === undefined) setNone({ side, days });
      else onGo(day);
    });
  };
  const isNone = (side: Side) => none?.days === days && none.side === side;
  const words = isNone('earlier')
    ? t('There is no earlier entry.')
    : isNone('later')
      ? t('There is no later entry.')
      : t('No entries on these days');
  return (
    <div className="tr-nearest">
      <span role="status">{problem ?? words}</span>
      <button type="button" className="tr-button" onClick={() => void go('earlier')}>
        <i className={`pi pi-chevron-${before}`} aria-hidden="true" />
        {t('Previous entry')}
      </button>
      <button type="button" className="tr-button" onClick={() => void go('later')}>
        {t('Next entry')}
        <i className={`pi pi-chevron-${after}`} aria-hidden="true" />
      </button>
    </div>
  );
}
