import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import { rulesOfDays, useCardRows, type DaySpan } from '@trellis/sdk/web/cards';
import { useViewOptions } from '@trellis/sdk/web/views';
import { useMemo, useState, type ReactNode } from 'react';
import { dayTypes, type CalendarOptions, type DateRange } from '../shared/index.ts';
import { Calendar } from './Calendar.tsx';
import './calendar.css';

/** The view type `calendar`: finds the columns of its dates, and draws the rows of the days in sight. */
export default function CalendarView(props: ViewProps): ReactNode {
  const { t } = useHost();
  const [range] = (useViewOptions(props.view) as CalendarOptions).ranges;
  const isDay = (id: string | undefined) =>
    props.table.columns?.some((column) => column.id === id && dayTypes.includes(column.uidt)) === true;
  if (range === undefined || !isDay(range.fromId) || (range.toId !== undefined && !isDay(range.toId)))
    return (
      <div className="calendar-notice" role="alert">
        {t('A column of the dates is gone or has another type. Choose one in the settings of the view.')}
      </div>
    );
  const { fromId, toId } = range;
  return <DatedRows key={`${props.view.id} ${fromId} ${toId}`} {...props} {...{ fromId, toId }} />;
}

function DatedRows(
  props: ViewProps & { readonly fromId: string; readonly toId: string | undefined },
): ReactNode {
  const { fromId, toId } = props;
  const { t } = useHost();
  const [span, setSpan] = useState<DaySpan>();
  const range = useMemo(
    (): DateRange => (toId === undefined ? { fromId } : { fromId, toId }),
    [fromId, toId],
  );
  const rules = useMemo(() => (span === undefined ? undefined : rulesOfDays(range, span)), [range, span]);
  const of = useCardRows(props, { rules });
  const { columns, error, refetch } = of.inView;
  if (columns !== undefined) return <Calendar {...props} {...{ of, range, span }} onSpan={setSpan} />;
  if (error === undefined) return <div className="calendar" aria-busy="true" />;
  return (
    <div className="calendar-notice" role="alert">
      <span>{t('The view could not be opened: {{reason}}', { reason: messageOfError(error, t) })}</span>
      <button type="button" className="tr-button" onClick={refetch}>
        {t('Try again')}
      </button>
    </div>
  );
}
