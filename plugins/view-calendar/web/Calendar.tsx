import FullCalendar, { type CalendarApi } from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import interaction from '@fullcalendar/react/interaction';
import list from '@fullcalendar/react/list';
import timeGrid from '@fullcalendar/react/timegrid';
import '@fullcalendar/react/skeleton.css';
import theme from '@fullcalendar/react/themes/classic';
import '@fullcalendar/react/themes/classic/palette.css';
import '@fullcalendar/react/themes/classic/theme.css';
import type { RowKey } from '@trellis/sdk/shared';
import { hasPermission, messageOfError, useHost, useKeptChoice, type ViewProps } from '@trellis/sdk/web';
import {
  dayAfter,
  dayInSight,
  moveToValues,
  NearestEntry,
  nowIn,
  useCardCommands,
  useUndatedRows,
  valuesOfDays,
  valuesOfTimes,
  type CardRows,
  type DateRange,
  type DaySpan,
} from '@trellis/sdk/web/cards';
import { ErrorNotice, firstDayOfWeek, isRightToLeft, pageLanguage } from '@trellis/sdk/web/ui';
import { DaysBar, MoreRows, useRowColors } from '@trellis/sdk/web/views';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { kindsOf } from './calendar-kinds.ts';
import { DayHead } from './DayHead.tsx';
import { Undated } from './Undated.tsx';
import { comingDay, useComingDays } from './use-coming-days.ts';
import { useDayCounts } from './use-day-counts.ts';
import { useEntries } from './use-entries.ts';
import { useEntryKeys } from './use-entry-keys.ts';
import { useStripes } from './use-stripes.ts';

/** FullCalendar's names for the toolbar's moves. */
const moves = { back: 'prev', on: 'next', today: 'today' } as const;

interface CalendarProps extends ViewProps {
  readonly of: CardRows;
  readonly range: DateRange;
  /** The column whose options colour the entries; empty for none. */
  readonly colorId: string;
  readonly span: DaySpan | undefined;
  onSpan(this: void, span: DaySpan): void;
}

/** Number of entries that are read at first for the visible days, and with each press on "more"; the rest is reported. */
const entriesAtATime = 1000;
const plugins = [dayGrid, timeGrid, list, interaction, theme];
const isNarrow = () => window.innerWidth < 768;

/** Days or times, as the calendar returns them. */
interface Place {
  readonly startStr: string;
  readonly endStr: string;
  readonly allDay: boolean;
}

/** The rows of the visible days, each on its days or at its time, with the rows without a date next to them. */
export function Calendar(props: CalendarProps): ReactNode {
  const { project, table, view, readOnly, of, range, colorId, span, onSpan } = props;
  const { rows, columns } = of;
  const { source } = rows;
  const host = useHost();
  const { t } = host;
  const version = useSyncExternalStore(source.subscribe, () => source.version);
  const [calendar, setCalendar] = useState<{ getApi(): CalendarApi } | null>(null);
  const [title, setTitle] = useState('');
  const hasTimes = range.from.unit === 'time' && range.to?.unit !== 'day';
  const kinds = kindsOf(hasTimes, t);
  // A month that was chosen on a wide screen does not fit on a phone.
  const [isPhone] = useState(isNarrow);
  const [chosen, choose] = useKeptChoice(
    `${isPhone ? 'kind-on-phone' : 'kind'}.${view.id}`,
    kinds.map(({ value }) => value),
    isPhone ? 'listMonth' : 'dayGridMonth',
  );
  const [kind, setKind] = useState(chosen);
  const { countError } = source;
  const count = source.count ?? 0;
  const [asked, ask] = useState({ span, most: entriesAtATime });
  const most = asked.span === span ? asked.most : entriesAtATime;
  // If the rows cannot be counted, reading finds their end.
  const shown = countError === undefined ? Math.min(Math.max(count, source.atLeast), most) : most;
  useEffect(() => {
    if (span !== undefined) source.ensure(0, Math.max(1, shown));
  }, [source, span, shown]);
  const page = useRef<HTMLDivElement>(null);
  const focus = (key: RowKey) =>
    page.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  const commands = useCardCommands(props, { rows, isArranged: false, focus });
  const undated = useUndatedRows(props, range, focus);
  const mayMove =
    !readOnly &&
    hasPermission('dataUpdate', project) &&
    range.from.isWritten &&
    range.to?.isWritten !== false;
  const rowColors = useRowColors(props);
  const entries = useEntries({ source, version, shown, range, columns, colorId, rowColors, mayMove });
  const { box: daysBox, onDrawn: onEntryDrawn } = useStripes(entries);

  const dayKind = hasTimes ? 'timeGridDay' : 'dayGridDay';
  const isCounted = count > most && /^dayGrid(Month|Week)$/.test(kind);
  const { counts, error: countsError } = useDayCounts({ rows, range, span: isCounted ? span : undefined });

  const valuesAt = (at: Place, before?: Readonly<Record<string, unknown>>) =>
    at.allDay || !hasTimes
      ? valuesOfDays(range, daysOf(at), before)
      : valuesOfTimes(range, {
          start: at.startStr.slice(0, 19),
          ...(at.endStr !== '' && { end: at.endStr.slice(0, 19) }),
        });
  const moved = (key: string, at: Place, revert: () => void): void => {
    const row = source.rowAt(source.indexOf(key) ?? -1);
    if (row === undefined) return revert();
    const values = valuesAt(at, row.values);
    // If its cells stay the same, nothing else would redraw the entry.
    if (Object.entries(values).every(([id, value]) => row.values[id] === value)) return revert();
    void moveToValues({ rows, host }, row, values).then((isSaved) => {
      if (!isSaved) revert();
    });
  };
  const { draft } = commands;
  /** Puts a row without a date on its first day. */
  const putOn = (key: string | undefined, startStr: string, allDay: boolean): void => {
    const { source: without } = undated.of.rows;
    const row = key === undefined ? undefined : without.rowAt(without.indexOf(key) ?? -1);
    if (row !== undefined) void undated.put(row, valuesAt({ startStr, endStr: '', allDay }, row.values));
  };

  const api = () => calendar?.getApi();
  /** The day on which the button puts a row. */
  const putDay = (): string => {
    const today = nowIn(range.from).slice(0, 10);
    return span === undefined ? today : dayInSight(today, span);
  };
  const agenda = useComingDays(daysBox, {
    kind,
    span,
    isRead: span !== undefined && entries.some(({ start }) => start >= span.start && start < span.end),
  });
  const keys = useEntryKeys({
    kind,
    range,
    mayMove,
    rowOf: (key) => source.rowAt(source.indexOf(key) ?? -1),
    onMove: (row, values) => moveToValues({ rows, host }, row, values),
    onShow: (day) => {
      if (span !== undefined && (day < span.start || day >= span.end)) api()?.gotoDate(day);
    },
  });
  return (
    <section
      className="calendar"
      aria-label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
    >
      <DaysBar
        {...{ title, kind, kinds, undated }}
        onKind={(next) => {
          choose(next);
          api()?.changeView(next);
        }}
        onMove={(to) => {
          api()?.[moves[to]]();
          if (to === 'today') agenda.show();
        }}
        onNew={
          draft &&
          (() => {
            const day = api()?.getDate().toISOString().slice(0, 10);
            if (day !== undefined) draft(valuesAt({ startStr: day, endStr: '', allDay: true }));
          })
        }
      />
      {source.error !== undefined && (
        <ErrorNotice message={messageOfError(source.error, t)} onRetry={() => source.retry()} />
      )}
      {source.error === undefined && countError !== undefined && (
        <ErrorNotice
          message={t(
            'The first {{most}} entries of these days are shown. How many there are could not be counted: {{reason}}',
            { most: most.toLocaleString(pageLanguage()), reason: messageOfError(countError, t) },
          )}
          onRetry={() => source.retry()}
        />
      )}
      {source.error === undefined && countsError !== undefined && (
        <ErrorNotice
          message={t('How many entries each day has could not be counted: {{reason}}', {
            reason: messageOfError(countsError, t),
          })}
          onRetry={() => source.retry()}
        />
      )}
      <MoreRows
        {...{ most }}
        total={source.count}
        mayBeMore={source.error === undefined && countError !== undefined && source.atLeast >= most}
        atATime={entriesAtATime}
        onMore={() => ask({ span, most: most + entriesAtATime })}
      >
        {t(
          counts === undefined
            ? 'The first {{most}} of {{number}} entries of these days are shown.'
            : 'The first {{most}} of {{number}} entries of these days are shown. Each day says how many it has, and opens by its number.',
          { most: most.toLocaleString(pageLanguage()), number: count.toLocaleString(pageLanguage()) },
        )}
      </MoreRows>
      {source.count === 0 && span !== undefined && (
        <NearestEntry
          {...{ rows, range }}
          days={span}
          rules={of.search}
          onGo={(day) => api()?.gotoDate(day)}
        />
      )}
      <div ref={page} className="calendar-page">
        <div ref={daysBox} className="calendar-days" onKeyDown={keys.onKeyDown}>
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
            fixedWeekCount={false}
            rowEventInnerClass="calendar-entry"
            eventTitleClass="calendar-title"
            listDayHeaderClass={({ isToday, isPast }) =>
              isToday ? `calendar-list-today ${comingDay}` : isPast ? '' : comingDay
            }
            displayEventTime={hasTimes}
            nowIndicator={hasTimes}
            now={() => nowIn(range.from)}
            eventTimeFormat={{ hour: 'numeric', minute: '2-digit', meridiem: 'short' }}
            slotEventOverlap={false}
            scrollTime="07:00:00"
            eventInteractive
            eventDidMount={({ el, event, isMirror, isStart }) => {
              onEntryDrawn(el, event.id);
              if (!isMirror && isStart) keys.onDrawn(el, event.id);
            }}
            events={entries}
            droppable={mayMove}
            drop={({ dateStr, allDay, draggedEl }) => putOn(draggedEl.dataset.key, dateStr, allDay)}
            eventDurationEditable={range.to !== undefined}
            eventResizableFromStart
            selectable={draft !== undefined && range.from.isWritten}
            selectMinDistance={0}
            longPressDelay={250}
            allDayText={t('All day')}
            // Shown above the days instead, with a link to the nearest one.
            noEventsText=""
            moreLinkText={(more: number) =>
              counts === undefined ? t('+{{number}} more', { number: more }) : t('More')
            }
            // The number would omit unread entries; narrow days show only the number.
            moreLinkContent={({ text }) => (counts === undefined ? text : t('More'))}
            moreLinkClick={counts === undefined ? 'popover' : dayKind}
            navLinks={counts !== undefined}
            navLinkDayClick={dayKind}
            navLinkHint={(day: string, date: Date) =>
              t('{{number}} entries on {{day}}', {
                day,
                number: (counts?.get(isoDay(date)) ?? 0).toLocaleString(pageLanguage()),
              })
            }
            dayCellTopContent={(day) => (
              <DayHead text={day.text} count={counts?.get(isoDay(day.date))} isToday={day.isToday} />
            )}
            datesSet={({ startStr, endStr, view: of_ }) => {
              setTitle(of_.title);
              setKind(of_.type);
              onSpan({ start: startStr.slice(0, 10), end: endStr.slice(0, 10) });
            }}
            select={(chosen) => {
              api()?.unselect();
              draft?.(valuesAt(chosen));
            }}
            eventClick={({ event }) => commands.open?.(event.id)}
            eventDrop={({ event, revert }) => moved(event.id, event, revert)}
            eventResize={({ event, revert }) => moved(event.id, event, revert)}
          />
        </div>
        {undated.isShown && (
          <Undated
            {...{ range }}
            of={undated.of}
            put={mayMove ? { day: putDay(), onPut: (row) => putOn(row.key, putDay(), true) } : undefined}
            onOpen={undated.open}
            onClose={undated.toggle}
          />
        )}
      </div>
    </section>
  );
}

const isoDay = (date: Date): string => date.toISOString().slice(0, 10);

function daysOf({ startStr, endStr }: Place): DaySpan {
  const start = startStr.slice(0, 10);
  return { start, end: endStr === '' ? dayAfter(start, 1) : endStr.slice(0, 10) };
}
