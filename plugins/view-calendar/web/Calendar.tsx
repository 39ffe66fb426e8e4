import FullCalendar, { type CalendarApi } from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import interaction from '@fullcalendar/react/interaction';
import list from '@fullcalendar/react/list';
import '@fullcalendar/react/skeleton.css';
import theme from '@fullcalendar/react/themes/classic';
import '@fullcalendar/react/themes/classic/palette.css';
import '@fullcalendar/react/themes/classic/theme.css';
import {
  formatCell,
  hasPermission,
  messageOfError,
  useHost,
  useRegistry,
  type ViewProps,
} from '@trellis/sdk/web';
import {
  dayAfter,
  daysOfRow,
  moveToDays,
  useCardCommands,
  type CardRows,
  type DaySpan,
} from '@trellis/sdk/web/cards';
import type { RowData } from '@trellis/sdk/web/rows';
import { firstDayOfWeek, isRightToLeft, pageLanguage } from '@trellis/sdk/web/ui';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { DateRange } from '../shared/index.ts';
import { CalendarBar } from './CalendarBar.tsx';

interface CalendarProps extends ViewProps {
  readonly of: CardRows;
  readonly range: DateRange;
  readonly span: DaySpan | undefined;
  onSpan(this: void, span: DaySpan): void;
}

/** Entries that are read for the days in sight; what is beyond is said. */
const mostEntries = 1000;
const plugins = [dayGrid, list, interaction, theme];
const isNarrow = () => window.innerWidth < 640;

/** The rows of the days in sight, each on its days. */
export function Calendar(props: CalendarProps): ReactNode {
  const { project, table, view, readOnly, of, range, span, onSpan } = props;
  const { rows, columns } = of;
  const { source } = rows;
  const host = useHost();
  const { t } = host;
  const types = useRegistry('columnTypes');
  const version = useSyncExternalStore(source.subscribe, () => source.version);
  const [calendar, setCalendar] = useState<{ getApi(): CalendarApi } | null>(null);
  const [title, setTitle] = useState('');
  const [kind, setKind] = useState(() => (isNarrow() ? 'listMonth' : 'dayGridMonth'));
  const count = source.count ?? 0;
  const shown = Math.min(Math.max(count, source.atLeast), mostEntries);
  useEffect(() => {
    if (span !== undefined) source.ensure(0, Math.max(1, shown));
  }, [source, span, shown]);
  const commands = useCardCommands(props, { rows, isArranged: false, focus: () => undefined });
  const dates = columns.filter(({ id }) => id === range.fromId || id === range.toId);
  const mayMove =
    !readOnly && hasPermission('dataUpdate', project) && dates.every(({ generated }) => generated !== true);

  const events = useMemo(() => {
    const naming = columns.find(({ pv }) => pv);
    const type = types.find(({ id }) => id === naming?.uidt);
    return Array.from({ length: shown }, (_, index) => source.rowAt(index))
      .filter((row): row is RowData => row !== undefined)
      .flatMap((row) => {
        const days = daysOfRow(row.values, range);
        if (days === undefined) return [];
        const name = naming && formatCell(row.values[naming.id], naming, type);
        const editable = mayMove && row.readOnly !== true;
        return [{ id: row.key, title: name || t('Untitled row'), allDay: true, editable, ...days }];
      });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of the source are others whenever its version is
  }, [source, version, shown, range, columns, types, mayMove, t]);

  const moved = (key: string, days: DaySpan, revert: () => void): void => {
    const row = source.rowAt(source.indexOf(key) ?? -1);
    if (row === undefined) return revert();
    void moveToDays({ rows, host }, row, range, days).then((isSaved) => {
      if (!isSaved) revert();
    });
  };
  const add = async ({ start, end }: DaySpan): Promise<void> => {
    const last = dayAfter(end, -1);
    const { fromId, toId } = range;
    const values =
      toId === undefined || last === start ? { [fromId]: start } : { [fromId]: start, [toId]: last };
    const added = await commands.add?.('', values);
    if (added !== undefined) commands.open?.(added.row.key);
  };

  const api = () => calendar?.getApi();
  return (
    <section
      className="calendar"
      aria-label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
    >
      <CalendarBar
        {...{ title, kind }}
        onKind={(next) => {
          setKind(next);
          api()?.changeView(next);
        }}
        onMove={(to) => api()?.[to]()}
        onNew={
          commands.add &&
          (() => {
            const day = api()?.getDate().toISOString().slice(0, 10);
            if (day !== undefined) void add({ start: day, end: dayAfter(day, 1) });
          })
        }
      />
      {source.error !== undefined && (
        <div className="calendar-notice" role="alert">
          <span>{messageOfError(source.error, t)}</span>
          <button type="button" className="tr-button" onClick={() => source.retry()}>
            {t('Try again')}
          </button>
        </div>
      )}
      {count > mostEntries && (
        <div className="calendar-notice" role="status">
          {t('The first {{most}} of {{number}} entries of these days are shown. Filters show fewer.', {
            most: mostEntries.toLocaleString(pageLanguage()),
            number: count.toLocaleString(pageLanguage()),
          })}
        </div>
      )}
      <div className="calendar-days">
        <FullCalendar
          ref={setCalendar}
          plugins={plugins}
          initialView={kind}
          timeZone="UTC"
          locale={pageLanguage() ?? 'en'}
          direction={isRightToLeft() ? 'rtl' : 'ltr'}
          firstDay={firstDayOfWeek(pageLanguage())}
          headerToolbar={false}
          height="100%"
          dayMaxEvents
          displayEventTime={false}
          eventInteractive
          events={events}
          eventDurationEditable={range.toId !== undefined}
          eventResizableFromStart
          selectable={commands.add !== undefined}
          selectMinDistance={0}
          longPressDelay={250}
          allDayText={t('All day')}
          noEventsText={t('No entries on these days')}
          moreLinkText={(more: number) => t('+{{number}} more', { number: more })}
          datesSet={({ startStr, endStr, view: of_ }) => {
            setTitle(of_.title);
            onSpan({ start: startStr.slice(0, 10), end: endStr.slice(0, 10) });
          }}
          select={({ startStr, endStr }) => {
            api()?.unselect();
            void add({ start: startStr, end: endStr });
          }}
          eventClick={({ event }) => commands.open?.(event.id)}
          eventDrop={({ event, revert }) => moved(event.id, daysOf(event), revert)}
          eventResize={({ event, revert }) => moved(event.id, daysOf(event), revert)}
        />
      </div>
    </section>
  );
}

function daysOf({ startStr, endStr }: { readonly startStr: string; readonly endStr: string }): DaySpan {
  return { start: startStr, end: endStr === '' ? dayAfter(startStr, 1) : endStr };
}
