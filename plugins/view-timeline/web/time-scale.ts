import { dayAfter, type DaySpan } from '@trellis/sdk/web/cards';
import type { Zoom } from '../shared/index.ts';

/** The number of visible days, weeks, months or quarters, on a wide and on a narrow page. */
const inSight: Readonly<Record<Zoom, { readonly wide: number; readonly narrow: number }>> = {
  day: { wide: 14, narrow: 5 },
  week: { wide: 10, narrow: 4 },
  month: { wide: 12, narrow: 4 },
  quarter: { wide: 12, narrow: 4 },
};

/** A part of the scale; the zoom determines its length. */
export interface Tick {
  readonly day: string;
  readonly label: string;
}

const dayMs = 86_400_000;
const at = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The days from one day to another; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((at(to).getTime() - at(from).getTime()) / dayMs);
}

function monthAfter(day: string, count: number): string {
  const date = at(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1)).toISOString().slice(0, 10);
}

/** The first day of the part of the scale that contains a day; weeks begin on `firstDay`, 0 for Sunday. */
export function startOf(zoom: Zoom, day: string, firstDay: number): string {
  const date = at(day);
  if (zoom === 'day') return day;
  if (zoom === 'week') return dayAfter(day, -((date.getUTCDay() - firstDay + 7) % 7));
  return monthAfter(day, zoom === 'month' ? 0 : -(date.getUTCMonth() % 3));
}

/** The first visible day that also shows what precedes a day: the part of the scale before the day's own. */
export function startAround(zoom: Zoom, day: string, firstDay: number): string {
  return later(zoom, startOf(zoom, day, firstDay), -1);
}

/** The day this many parts of the scale later, or earlier if negative. */
export function later(zoom: Zoom, day: string, count: number): string {
  if (zoom === 'day') return dayAfter(day, count);
  if (zoom === 'week') return dayAfter(day, count * 7);
  return monthAfter(day, zoom === 'month' ? count : count * 3);
}

/** The visible days from a day on. */
export function windowFrom(zoom: Zoom, start: string, isNarrow: boolean): DaySpan {
  const { wide, narrow } = inSight[zoom];
  return { start, end: later(zoom, start, isNarrow ? narrow : wide) };
}

/** The parts of the scale in a window. */
export function ticksIn(zoom: Zoom, { start, end }: DaySpan, language: string | undefined): readonly Tick[] {
  const formats: Readonly<Record<Zoom, Intl.DateTimeFormatOptions>> = {
    day: { weekday: 'short', day: 'numeric' },
    week: { day: 'numeric', month: 'short' },
    month: { month: 'short' },
    quarter: { month: 'short' },
  };
  const format = new Intl.DateTimeFormat(language, { ...formats[zoom], timeZone: 'UTC' });
  const ticks: Tick[] = [];
  for (let day = start; day < end; day = later(zoom, day, 1)) {
    const label =
      zoom === 'quarter' ? format.formatRange(at(day), at(monthAfter(day, 2))) : format.format(at(day));
    ticks.push({ day, label });
  }
  return ticks;
}

/** A month above days or weeks, or a year above months or quarters, cut to the window. */
export interface Band extends DaySpan {
  readonly label: string;
}

/** The bands above the parts of the scale. */
export function bandsIn(zoom: Zoom, { start, end }: DaySpan, language: string | undefined): readonly Band[] {
  const isMonth = zoom === 'day' || zoom === 'week';
  const format = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    ...(isMonth && { month: 'long' }),
    timeZone: 'UTC',
  });
  const bands: Band[] = [];
  for (let from = start; from < end;) {
    const next = isMonth ? monthAfter(from, 1) : `${Number(from.slice(0, 4)) + 1}-01-01`;
    const to = next < end ? next : end;
    bands.push({ start: from, end: to, label: format.format(at(from)) });
    from = to;
  }
  return bands;
}

/** Each day of a span that is one of these days of the week, 0 for Sunday. */
export function weekdaysIn({ start, end }: DaySpan, weekdays: ReadonlySet<number>): readonly string[] {
  const found: string[] = [];
  for (let day = start; day < end; day = dayAfter(day, 1))
    if (weekdays.has(at(day).getUTCDay())) found.push(day);
  return found;
}

/** The window as text: `2 – 15 March 2026`; months are abbreviated if there is little room. */
export function titleOf({ start, end }: DaySpan, language: string | undefined, isNarrow = false): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: isNarrow ? 'medium' : 'long',
    timeZone: 'UTC',
  });
  return format.formatRange(at(start), at(dayAfter(end, -1)));
}

/** The position of days in a window, as fractions of its width; undefined if none of them is in it. */
export function placeIn(
  days: DaySpan,
  window: DaySpan,
): { readonly from: number; readonly width: number } | undefined {
  const all = daysBetween(window.start, window.end);
  const from = Math.max(0, daysBetween(window.start, days.start)) / all;
  const to = Math.min(all, daysBetween(window.start, days.end)) / all;
  return to > from ? { from, width: to - from } : undefined;
}
