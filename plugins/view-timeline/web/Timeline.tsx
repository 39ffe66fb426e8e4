import { DndContext, DragOverlay } from '@dnd-kit/core';
import { hasPermission, messageOfError, optionColors, useHost, type ViewProps } from '@trellis/sdk/web';
import {
  dayAfter,
  dayInSight,
  moveToDays,
  NearestEntry,
  nowIn,
  UndatedRows,
  useCardCommands,
  useLongList,
  useRowName,
  valuesOfDays,
  type CardRows,
  type DateRange,
  type DaySpan,
} from '@trellis/sdk/web/cards';
import type { RowKey } from '@trellis/sdk/shared';
import type { RowData } from '@trellis/sdk/web/rows';
import { ErrorNotice, isRightToLeft, pageLanguage } from '@trellis/sdk/web/ui';
import { DaysBar, MoreRows, useRowColors } from '@trellis/sdk/web/views';
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { zooms, type Zoom } from '../shared/index.ts';
import { linesInGroups, linesInOrder, type Group, type GroupLine, type Line } from './lines.ts';
import { daysBetween, startAround, ticksIn, titleOf } from './time-scale.ts';
import { TimelineBar } from './TimelineBar.tsx';
import { DaysBehind, TimelineScale } from './TimelineScale.tsx';
import { UndatedRow } from './UndatedRow.tsx';
import { useGroupCounts } from './use-group-counts.ts';
import { useLineKeys } from './use-line-keys.ts';
import { useSidewaysSwipe } from './use-sideways-swipe.ts';
import { useSidewaysWheel } from './use-sideways-wheel.ts';
import { useUndated } from './use-undated.ts';

interface TimelineProps extends ViewProps {
  readonly of: CardRows;
  readonly range: DateRange;
  readonly zoom: Zoom;
  /** The visible days. */
  readonly days: DaySpan;
  /** Empty if rows are not grouped. */
  readonly groupId: string;
  readonly firstDay: number;
  readonly isNarrow: boolean;
  onZoom(this: void, zoom: Zoom): void;
  onStart(this: void, day: string): void;
  /** Moves on by this many parts of the scale; negative moves back. */
  onTurn(this: void, ticks: number): void;
}

/** Buttons put rows on days too, so the drag library's announcements are not needed. */
const silent = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** Number of grouped rows that are read at first for the visible days, and with each press on "more"; the rest is reported. */
const groupedAtATime = 1000;
/** Pixels. */
const lineHeight = 38;

/** The rows of the visible days, each as a bar across its days. */
export function Timeline(props: TimelineProps): ReactNode {
  const { project, table, view, readOnly, of, range, zoom, days, groupId, firstDay, isNarrow } = props;
  const { rows, columns } = of;
  const { source } = rows;
  const host = useHost();
  const { t } = host;
  const zoomNames: Readonly<Record<Zoom, string>> = {
    day: t('Days'),
    week: t('Weeks'),
    month: t('Months'),
    quarter: t('Quarters'),
  };
  const version = useSyncExternalStore(source.subscribe, () => source.version);
  const track = useRef<HTMLDivElement>(null);
  const { countError } = source;
  const count = source.count ?? source.atLeast;
  const groupedBy = columns.find(({ id }) => id === groupId);
  const hasColors = optionColors(groupedBy).size > 0;
  const [asked, ask] = useState({ days, most: groupedAtATime });
  const most = asked.days === days ? asked.most : groupedAtATime;
  // If the rows cannot be counted, reading finds their end.
  const grouped = groupedBy === undefined ? 0 : countError === undefined ? Math.min(count, most) : most;
  // If all rows were read, they are counted already.
  const { counts, error: countsError } = useGroupCounts({
    rows,
    days,
    columnId: count > grouped ? groupedBy?.id : undefined,
  });
  const chart = useRef<HTMLElement>(null);
  const focus = (key: RowKey) =>
    chart.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  const commands = useCardCommands(props, { rows, isArranged: false, focus });
  const mayMove =
    !readOnly &&
    hasPermission('dataUpdate', project) &&
    range.from.isWritten &&
    range.to?.isWritten !== false;
  const rowColors = useRowColors(props);
  const { draft } = commands;
  const takesNew = draft !== undefined && range.from.isWritten;
  const lines = useMemo(() => {
    if (groupedBy === undefined) return linesInOrder(source, range, takesNew);
    const held = Array.from({ length: grouped }, (_, index) => source.rowAt(index));
    const there = held.filter((row): row is RowData => row !== undefined);
    return linesInGroups(there, range, { groupedBy, takesNew });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of the source are others whenever its version is
  }, [source, version, grouped, range, groupedBy, takesNew]);
  const list = useLongList({ count: lines.count, lineHeight });
  const onKeyDown = useLineKeys({ lines, list });
  const [first, last] = groupedBy === undefined ? [list.start, list.end] : [0, grouped];
  useEffect(() => source.ensure(first, Math.max(first + 1, last)), [source, days, first, last]);
  const nameOf = useRowName(columns);
  const all = daysBetween(days.start, days.end);
  const dayWidth = (): number => (track.current?.clientWidth ?? 0) / all;
  const ticks = ticksIn(zoom, days, pageLanguage());
  const sideways = {
    tickWidth: () => (track.current?.clientWidth ?? 0) / ticks.length,
    onTurn: props.onTurn,
  };
  useSidewaysWheel(chart, sideways);
  const swipe = useSidewaysSwipe(sideways);
  const now = nowIn(range.from).slice(0, 10);

  function add(day: string, group: Group | undefined): void {
    const values = {
      ...valuesOfDays(range, { start: day, end: dayAfter(day, 1) }),
      ...(range.to?.unit === 'day' && range.to.isWritten && { [range.to.id]: day }),
      ...(group !== undefined && group.value !== null && { [groupId]: group.value }),
    };
    draft?.(values);
  }
  /** The number of a group's rows, including unread ones: at least the read ones, even if they were counted earlier. */
  const countText = ({ group, count: read }: GroupLine): string => {
    const number = Math.max(read, counts?.get(group.value) ?? 0);
    const isAtLeast = counts === undefined && (count > grouped || countError !== undefined);
    return `${number.toLocaleString(pageLanguage())}${isAtLeast ? '+' : ''}`;
  };
  const usualDay = dayInSight(now, days);
  /** The day at a place from left to right; undefined outside the days. */
  const dayAtX = (x: number): string | undefined => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || x < box.left || x >= box.right) return undefined;
    const from = isRightToLeft() ? box.right - x : x - box.left;
    return dayAfter(days.start, Math.min(all - 1, Math.floor((from / box.width) * all)));
  };
  // A click by a key has no day.
  const dayAt = ({ clientX, detail }: MouseEvent): string =>
    (detail === 0 ? undefined : dayAtX(clientX)) ?? usualDay;

  const undated = useUndated(props, {
    range,
    chart,
    focus,
    dayAt: ({ x, y }) => {
      const box = list.box.current?.getBoundingClientRect();
      return box !== undefined && y >= box.top && y < box.bottom ? dayAtX(x) : undefined;
    },
  });
  const { drag, open: openUndated } = undated;

  function drawn(line: Line): ReactNode {
    if (line.kind === 'group')
      return (
        <h3 className="timeline-group">
          <span className="timeline-dot" style={{ background: line.group.color }} aria-hidden="true" />
          <span dir="auto">{line.group.value ?? t('No group')}</span>
          <span className="tr-note">{countText(line)}</span>
        </h3>
      );
    if (line.kind === 'new')
      return (
        <>
          <span className="timeline-name" />
          <button
            type="button"
            className="timeline-track timeline-add"
            aria-label={
              line.group?.value ? t('New row in {{group}}', { group: line.group.value }) : t('New row')
            }
            onClick={(event) => add(dayAt(event), line.group)}
          >
            <i className="pi pi-plus" aria-hidden="true" />
          </button>
        </>
      );
    if (line.kind === 'waiting')
      return (
        <span className="timeline-name">
          <span className="tr-card-waiting p-skeleton p-component" />
        </span>
      );
    const { row, color } = line;
    const name = nameOf(row);
    const open = commands.open && (() => commands.open?.(row.key));
    return (
      <>
        <button type="button" className="timeline-name" dir="auto" title={name} onClick={open}>
          {name}
        </button>
        <div className="timeline-track">
          {line.days && (
            <TimelineBar
              {...{ name, color, dayWidth }}
              isQuiet={hasColors}
              rowKey={row.key}
              rowColor={rowColors.of(row)}
              days={line.days}
              window={days}
              mayMove={mayMove && row.readOnly !== true}
              mayResize={range.to !== undefined}
              onMove={(to) => moveToDays({ rows, host }, row, range, to)}
              onOpen={open}
            />
          )}
        </div>
      </>
    );
  }

  return (
    <section
      ref={chart}
      className="timeline"
      aria-label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
    >
      <DaysBar
        kind={zoom}
        kinds={zooms.map((value) => ({ value, label: zoomNames[value] }))}
        title={titleOf(days, pageLanguage(), isNarrow)}
        onKind={props.onZoom}
        onMove={(to) =>
          to === 'today'
            ? props.onStart(startAround(zoom, now, firstDay))
            : props.onTurn(to === 'on' ? ticks.length : -ticks.length)
        }
        onNew={draft && (() => add(usualDay, undefined))}
        undated={undated}
      />
      {source.error !== undefined && (
        <ErrorNotice message={messageOfError(source.error, t)} onRetry={() => source.retry()} />
      )}
      {groupedBy !== undefined && source.error === undefined && countError !== undefined && (
        <ErrorNotice
          message={t(
            'The first {{most}} rows of these days are shown. How many there are could not be counted: {{reason}}',
            { most: most.toLocaleString(pageLanguage()), reason: messageOfError(countError, t) },
          )}
          onRetry={() => source.retry()}
        />
      )}
      {source.error === undefined && countsError !== undefined && (
        <ErrorNotice
          message={t('How many rows each group has could not be counted: {{reason}}', {
            reason: messageOfError(countsError, t),
          })}
          onRetry={() => source.retry()}
        />
      )}
      {groupedBy !== undefined && (
        <MoreRows
          {...{ most }}
          total={source.count}
          mayBeMore={source.error === undefined && countError !== undefined && source.atLeast >= most}
          atATime={groupedAtATime}
          onMore={() => ask({ days, most: most + groupedAtATime })}
        >
          {t('The first {{most}} of {{number}} rows of these days are shown.', {
            most: most.toLocaleString(pageLanguage()),
            number: count.toLocaleString(pageLanguage()),
          })}
        </MoreRows>
      )}
      {source.count === 0 && (
        <NearestEntry
          {...{ rows, range, days }}
          rules={of.search}
          onGo={(day) => props.onStart(startAround(zoom, day, firstDay))}
        />
      )}
      <DndContext
        {...drag.context}
        accessibility={{ announcements: silent, screenReaderInstructions: { draggable: '' } }}
      >
        <div className="timeline-page">
          <div className="timeline-chart" {...swipe}>
            <TimelineScale {...{ zoom, days, ticks, track }} today={now} />
            <div ref={list.box} className="timeline-lines" onScroll={list.onScroll}>
              <div
                className="timeline-grid"
                style={{ height: list.spacerHeight }}
                role="presentation"
                onKeyDown={onKeyDown}
              >
                <DaysBehind {...{ zoom, days, ticks }} today={now} target={drag.day} />
                {Array.from({ length: Math.max(0, list.end - list.start) }, (_, at) => {
                  const line = lines.at(list.start + at);
                  return (
                    <div
                      key={keyOf(line)}
                      className="timeline-line"
                      data-line={list.start + at}
                      style={{ top: list.topOf(list.start + at), height: lineHeight }}
                    >
                      {drawn(line)}
                    </div>
                  );
                })}
              </div>
            </div>
          </div>
          {undated.isShown && (
            <UndatedRows
              of={undated.of}
              range={range}
              put={mayMove ? { day: usualDay, onPut: (row) => void undated.put(row, usualDay) } : undefined}
              onClose={undated.toggle}
            >
              {(row, name) => (
                <UndatedRow
                  {...{ row, name, mayMove }}
                  onOpen={openUndated && (() => openUndated(row.key))}
                />
              )}
            </UndatedRows>
          )}
        </div>
        <DragOverlay dropAnimation={null}>
          {drag.row && <div className="tr-undated-row timeline-dragged">{nameOf(drag.row)}</div>}
        </DragOverlay>
      </DndContext>
    </section>
  );
}

function keyOf(line: Line): string {
  if (line.kind === 'row') return `row ${line.row.key}`;
  if (line.kind === 'waiting') return `waiting ${line.index}`;
  return `${line.kind} ${line.group?.value ?? ''}`;
}
