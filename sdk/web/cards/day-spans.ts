import type { CalendarValues, CellValue, ColumnEntity } from '../../shared/index.ts';
import { messageOfError } from '../attempt.ts';
import { askedColumn, columnContext, isDated, whyReadOnly } from '../columns.ts';
import type { WebColumnType } from '../extensions/index.ts';
import type { HostActions } from '../host.tsx';
import type { RowData, RowRule, RowsClient, SortOf } from '../rows/index.ts';

/** A column that says when rows are. @public */
export interface DatedColumn {
  readonly id: string;
  /** Whether its cells hold whole days, or moments with a time of day. */
  readonly unit: CalendarValues['unit'];
  /** Whether people write its cells. */
  readonly isWritten: boolean;
  /** What stands on the calendar at a value: `2026-03-29`, of a moment `2026-03-29T14:30:00`; undefined where there is none. */
  show(this: void, value: unknown): string | undefined;
  /** The value at which that stands there. */
  read(this: void, shown: string): CellValue | undefined;
}

/** The columns that say on which days, or from when to when, a row is. @public */
export interface DateRange {
  readonly from: DatedColumn;
  /** The column of the last day or moment; left out where all rows last the same number of days. */
  readonly to?: DatedColumn;
  /** How many days rows last where no column says it; one where left out. */
  readonly length?: number;
}

/** Days, as `2026-03-29`; `end` is the first day after them. @public */
export interface DaySpan {
  readonly start: string;
  readonly end: string;
}

/** From one moment to another, as clocks show them: `2026-03-29T14:30:00`. Without an end where only the first is known. @public */
export interface TimeSpan {
  readonly start: string;
  readonly end?: string;
}

/** At what time a row is that is put on a day, where its column holds moments and it has had no time yet. */
const usualTime = '09:00:00';

/** How a column says when rows are; undefined where it says nothing of it. @public */
export function datedColumn(
  column: ColumnEntity | undefined,
  types: readonly WebColumnType[],
): DatedColumn | undefined {
  if (column === undefined || !isDated(column, types)) return undefined;
  const asked = askedColumn(column, types);
  const { calendar } = asked.type ?? {};
  if (asked.type === undefined || calendar === undefined) return undefined;
  const context = columnContext(asked.column, asked.type);
  const own = types.find(({ id }) => id === column.uidt);
  return {
    id: column.id,
    unit: calendar.unit,
    isWritten: whyReadOnly(column, own, (text) => text) === undefined,
    show: (value) => (typeof value === 'string' && value !== '' ? calendar.show(value, context) : undefined),
    read: (shown) => calendar.read(shown, context),
  };
}

/** The day so many days later, or earlier. @public */
export function dayAfter(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** Where a row goes of which nobody says on which day: today where it is among the days, otherwise the first of them. @public */
export function dayInSight(today: string, { start, end }: DaySpan): string {
  return today >= start && today < end ? today : start;
}

/** The value of a column at the beginning of a day. */
function beginOf({ unit, read }: DatedColumn, day: string): CellValue {
  return read(unit === 'day' ? day : `${day}T00:00:00`) ?? day;
}

/** Which rows have one of the days: what a view reads that shows a page of days. @public */
export function rulesOfDays(
  { from, to, length = 1 }: DateRange,
  { start, end }: DaySpan,
): readonly RowRule[] {
  const first = to === undefined ? dayAfter(start, 1 - length) : start;
  const before: RowRule = { fk_column_id: from.id, comparison_op: 'lt', value: beginOf(from, end) };
  const after: RowRule = { fk_column_id: from.id, comparison_op: 'gte', value: beginOf(from, first) };
  if (to === undefined) return [after, before];
  const lasts: RowRule = {
    fk_column_id: to.id,
    comparison_op: 'gte',
    value: beginOf(to, start),
    logical_op: 'or',
  };
  return [before, { is_group: true, logical_op: 'and', children: [after, lasts] }];
}

/** Which rows stand on no day at all. */
export function rulesOfNoDay({ from }: DateRange): readonly RowRule[] {
  return [{ fk_column_id: from.id, comparison_op: 'null', value: null }];
}

/**
 * What finds the nearest row before the days, or after them, where none of their own has one: a rule, and the order whose first row it is.
 */
export function nearestBeyond(
  { from }: DateRange,
  { start, end }: DaySpan,
  side: 'earlier' | 'later',
): { readonly rule: RowRule; readonly sort: SortOf } {
  const [comparison_op, day, direction] =
    side === 'earlier' ? (['lt', start, 'desc'] as const) : (['gte', end, 'asc'] as const);
  return {
    rule: { fk_column_id: from.id, comparison_op, value: beginOf(from, day) },
    sort: { columnId: from.id, direction },
  };
}

/** What clocks show now, as `2026-03-29T14:30:00`: those of the column's zone where it holds moments, those of the reader where it holds days. @public */
export function nowIn({ unit, show }: Pick<DatedColumn, 'unit' | 'show'>, now = new Date()): string {
  const here = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  return (unit === 'time' ? show(now.toISOString()) : undefined) ?? here;
}

type Values = Readonly<Record<string, unknown>>;

/** The days of a row, by column id; undefined where it has no first day. @public */
export function daysOfRow(values: Values, { from, to, length = 1 }: DateRange): DaySpan | undefined {
  const start = from.show(values[from.id])?.slice(0, 10);
  if (start === undefined) return undefined;
  if (to === undefined) return { start, end: dayAfter(start, length) };
  const last = to.show(values[to.id])?.slice(0, 10);
  // A range that ends before it starts stands on its first day.
  return { start, end: dayAfter(last !== undefined && last > start ? last : start, 1) };
}

/** From when to when a row is, where its columns hold moments; undefined where it has no first one, or only days. @public */
export function timesOfRow(values: Values, { from, to }: DateRange): TimeSpan | undefined {
  const start = from.show(values[from.id]);
  if (start === undefined || from.unit === 'day' || to?.unit === 'day') return undefined;
  const end = to?.show(values[to.id]);
  return end !== undefined && end > start ? { start, end } : { start };
}

/**
 * What the cells of a row hold that is on these days: moments keep the time of day that they had. Columns that nobody writes are left out.
 * @public
 */
export function valuesOfDays(
  { from, to }: DateRange,
  { start, end }: DaySpan,
  before: Values = {},
): Readonly<Record<string, CellValue>> {
  const at = (column: DatedColumn, day: string): CellValue => {
    if (column.unit === 'day') return column.read(day) ?? day;
    const time = column.show(before[column.id])?.slice(11) ?? usualTime;
    return column.read(`${day}T${time}`) ?? null;
  };
  const last = dayAfter(end, -1);
  // A row without a last day gets one only when it lasts longer than a day.
  const hasLast = to?.isWritten === true && (to.show(before[to.id]) !== undefined || last > start);
  return {
    ...(from.isWritten && { [from.id]: at(from, start) }),
    ...(hasLast && { [to.id]: at(to, last) }),
  };
}

/** What the cells of a row hold that is from one moment to another; columns that nobody writes are left out. @public */
export function valuesOfTimes(
  { from, to }: DateRange,
  { start, end }: TimeSpan,
): Readonly<Record<string, CellValue>> {
  return {
    ...(from.isWritten && { [from.id]: from.read(start) ?? null }),
    ...(to?.isWritten === true && end !== undefined && { [to.id]: to.read(end) ?? null }),
  };
}

interface Mover {
  readonly rows: RowsClient;
  readonly host: Pick<HostActions, 't' | 'toast'>;
}

/** Writes the cells that say when a row is; a refusal is told, and resolves with false. @public */
export async function moveToValues(
  { rows, host }: Mover,
  row: RowData,
  values: Readonly<Record<string, CellValue>>,
): Promise<boolean> {
  const index = rows.source.indexOf(row.key) ?? 0;
  const changes = Object.entries(values)
    .filter(([columnId, value]) => row.values[columnId] !== value)
    .map(([columnId, value]) => ({ rowKey: row.key, index, columnId, value, before: row.values[columnId] }));
  try {
    const [failure] = changes.length === 0 ? [] : await rows.write(changes);
    if (failure === undefined) return true;
    host.toast({ severity: 'error', summary: failure.message });
  } catch (error) {
    host.toast({ severity: 'error', summary: messageOfError(error, host.t) });
  }
  return false;
}

/** Writes the days of a row; a refusal is told, and resolves with false. @public */
export function moveToDays(mover: Mover, row: RowData, range: DateRange, days: DaySpan): Promise<boolean> {
  return moveToValues(mover, row, valuesOfDays(range, days, row.values));
}
