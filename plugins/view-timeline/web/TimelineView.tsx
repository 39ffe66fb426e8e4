import { hasPermission, useHost, useKeptChoice, useRegistry, type ViewProps } from '@trellis/sdk/web';
import { datedColumn, nowIn, rulesOfDays, useCardRows, type DateRange } from '@trellis/sdk/web/cards';
import { firstDayOfWeek, pageLanguage } from '@trellis/sdk/web/ui';
import { useViewOptions, ViewFailure } from '@trellis/sdk/web/views';
import { useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { zooms, type TimelineOptions, type Zoom } from '../shared/index.ts';
import { later, startAround, startOf, windowFrom } from './time-scale.ts';
import { Timeline } from './Timeline.tsx';
import './timeline.css';

const narrow = '(max-width: 767px)';

/** Whether the page is as narrow as on a phone; follows changes, such as turning the phone. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(narrow);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(narrow).matches,
  );
}

/** The view type `timeline`: finds its columns, and the rows of the visible days. */
export default function TimelineView(props: ViewProps): ReactNode {
  const { t } = useHost();
  const options = useViewOptions(props.view) as TimelineOptions;
  const { columns } = props.table;
  const types = useRegistry('columnTypes');
  const { fromId, toId, length, groupId } = options;
  const range = useMemo((): DateRange | undefined => {
    const dated = (id: string) =>
      datedColumn(
        columns?.find((column) => column.id === id),
        types,
      );
    const [from, to] = [dated(fromId), dated(toId)];
    if (from === undefined || (toId !== '' && to === undefined)) return undefined;
    return to === undefined ? { from, length } : { from, to };
  }, [columns, types, fromId, toId, length]);
  if (range === undefined)
    return (
      <div className="timeline-notice" role="alert">
        {hasPermission('viewArrange', props.project)
          ? t('A column of the dates is gone or has another type. Choose one in the settings of the view.')
          : t('The dates of this view stand in a column that is gone, or that you are not shown.')}
      </div>
    );
  const grouped = columns?.find(({ id }) => id === groupId)?.uidt;
  const isGroup = types.find(({ id }) => id === grouped)?.stacks !== undefined;
  return (
    <DatedRows
      // A changed zoom in the settings is applied at once, even if it arrives late.
      key={`${props.view.id} ${fromId} ${toId} ${length} ${options.zoom}`}
      {...props}
      {...{ range, usual: options.zoom }}
      groupId={isGroup ? groupId : ''}
    />
  );
}

interface DatedRowsProps extends ViewProps {
  readonly range: DateRange;
  /** Empty if rows are not grouped. */
  readonly groupId: string;
  /** The view's zoom for people who chose none. */
  readonly usual: Zoom;
}

function DatedRows(props: DatedRowsProps): ReactNode {
  const { range, groupId, usual } = props;
  const firstDay = firstDayOfWeek(pageLanguage());
  const [zoom, setZoom] = useKeptChoice(`zoom.${props.view.id}`, zooms, usual);
  const [start, setStart] = useState(() => startAround(zoom, nowIn(range.from).slice(0, 10), firstDay));
  const isNarrow = useIsNarrow();
  const days = useMemo(() => windowFrom(zoom, start, isNarrow), [zoom, start, isNarrow]);
  const rules = useMemo(() => rulesOfDays(range, days), [range, days]);
  const of = useCardRows(props, { rules });
  const { columns, error, refetch } = of.inView;
  if (columns !== undefined)
    return (
      <Timeline
        {...props}
        {...{ of, range, zoom, days, groupId, firstDay, isNarrow }}
        onZoom={(next) => {
          setZoom(next);
          setStart(startOf(next, start, firstDay));
        }}
        onStart={setStart}
        onTurn={(ticks) => setStart((day) => later(zoom, day, ticks))}
      />
    );
  if (error === undefined) return <div className="timeline" aria-busy="true" />;
  return <ViewFailure error={error} onRetry={refetch} />;
}
