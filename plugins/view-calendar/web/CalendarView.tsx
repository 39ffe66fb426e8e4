import { hasPermission, useHost, useRegistry, type ViewProps } from '@trellis/sdk/web';
import { datedColumn, rulesOfDays, useCardRows, type DateRange, type DaySpan } from '@trellis/sdk/web/cards';
import { Skeleton } from '@trellis/sdk/web/ui';
import { useViewOptions, ViewFailure } from '@trellis/sdk/web/views';
import { useMemo, useState, type ReactNode } from 'react';
import type { CalendarOptions } from '../shared/index.ts';
import { Calendar } from './Calendar.tsx';
import './calendar.css';

/** The view type `calendar`: finds its date columns, and draws the rows of the visible days. */
export default function CalendarView(props: ViewProps): ReactNode {
  const { t } = useHost();
  const {
    ranges: [kept],
    colorId = '',
  } = useViewOptions(props.view) as Partial<CalendarOptions> & Pick<CalendarOptions, 'ranges'>;
  const { fromId = '', toId } = kept ?? {};
  const types = useRegistry('columnTypes');
  const { columns } = props.table;
  const range = useMemo((): DateRange | undefined => {
    const dated = (id: string) =>
      datedColumn(
        columns?.find((column) => column.id === id),
        types,
      );
    const from = dated(fromId);
    const to = toId === undefined ? undefined : dated(toId);
    if (from === undefined || (toId !== undefined && to === undefined)) return undefined;
    return to === undefined ? { from } : { from, to };
  }, [columns, types, fromId, toId]);
  if (range === undefined)
    return (
      <div className="calendar-notice" role="alert">
        {hasPermission('viewArrange', props.project)
          ? t('A column of the dates is gone or has another type. Choose one in the settings of the view.')
          : t('The dates of this view stand in a column that is gone, or that you are not shown.')}
      </div>
    );
  return <DatedRows key={`${props.view.id} ${fromId} ${toId}`} {...props} {...{ range, colorId }} />;
}

function DatedRows(props: ViewProps & { readonly range: DateRange; readonly colorId: string }): ReactNode {
  const { range } = props;
  const [span, setSpan] = useState<DaySpan>();
  const rules = useMemo(() => (span === undefined ? undefined : rulesOfDays(range, span)), [range, span]);
  const of = useCardRows(props, { rules });
  const { columns, error, refetch } = of.inView;
  if (columns !== undefined) return <Calendar {...props} {...{ of, span }} onSpan={setSpan} />;
  if (error === undefined)
    return (
      <div className="calendar" aria-busy="true">
        <Skeleton className="calendar-waiting" height={88} count={35} />
      </div>
    );
  return <ViewFailure error={error} onRetry={refetch} />;
}
