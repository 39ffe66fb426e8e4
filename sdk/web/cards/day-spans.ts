import type { CalendarValues, CellValue, ColumnEntity } from '../../shared/index.ts';
import { messageOfError } from '../attempt.ts';
import { askedColumn, columnContext, isDated, whyReadOnly } from '../columns.ts';
import type { WebColumnType } from '../extensions/index.ts';
import type { HostActions } from '../host.tsx';
import type { RowData, RowRule, RowsClient, SortOf } from '../rows/index.ts';

/** A column with the dates of rows. @public */
export interface DatedColumn {
  readonly id: string;
  /** Whether its cells hold whole days, or moments with a time of day. */
  readonly unit: CalendarValues['unit'];
  /** Whether people can edit its cells. */
  readonly isWritten: boolean;
  /** The local date of a value: `2026-03-29`, for a moment `2026-03-29T14:30:00`; undefined if there is none. */
  show(this: void, value: unknown): string | undefined;
  /** The value of a local date. */
  read(this: void, shown: string): CellValue | undefined;
}

/** The columns with the date, or the start and end, of a row. @public */
export interface DateRange {
  readonly from: DatedColumn;
  /** The column of the last day or moment; absent if all rows last the same number of days. */
  readonly to?: DatedColumn;
  /** How many days rows last without a column for that; default one. */
  readonly length?: number;
}

/** Days, as `2026-03-29`; `end` is exclusive. @public */
export interface DaySpan {
  readonly start: string;
  readonly end: string;
}

/** A span of local times: `2026-03-29T14:30:00`. Without an end if only the start is known. @public */
export interface TimeSpan {
  readonly start: string;
  readonly end?: string;
}

/** The default time of a row that is put on a day, if its column holds moments and it had no time yet. */
const usualTime = '09:00:00';

/** The dates of a column; undefined for a column without dates. @public */
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

/** The day `count` days later, or earlier. @public */
export function dayAfter(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** The default day for a new row: today if visible, otherwise the first visible day. @public */
export function dayInSight(today: string, { start, end }: DaySpan): string {
  return today >= start && today < end ? today : start;
}

/** The value of a column at the beginning of a day. */
function beginOf({ unit, read }: DatedColumn, day: string): CellValue {
  return read(unit === 'day' ? day : `${day}T00:00:00`) ?? day;
}

/** The rules for rows on any of the days: what a view of a page of days reads. @public */
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

/** The rules for rows without a date. */
export function rulesOfNoDay({ from }: DateRange): readonly RowRule[] {
  return [{ fk_column_id: from.id, comparison_op: 'null', value: null }];
}

/** How to find the nearest row before or after the days, if they have none: a rule, and the order in which it is the first row. */
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

/**
 * The current local time as `2026-03-29T14:30:00`: in the column's zone if it holds moments, in the reader's if it holds days.
 * @public
 */
export function nowIn({ unit, show }: Pick<DatedColumn, 'unit' | 'show'>, now = new Date()): string {
  const here = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  return (unit === 'time' ? show(now.toISOString()) : undefined) ?? here;
}

type Values = Readonly<Record<string, unknown>>;

/** The days of a row, by its values; undefined without a first day. @public */
export function daysOfRow(values: Values, { from, to, length = 1 }: DateRange): DaySpan | undefined {
  const start = from.show(values[from.id])?.slice(0, 10);
  if (start === undefined) return undefined;
  if (to === undefined) return { start, end: dayAfter(start, length) };
  const last = to.show(values[to.id])?.slice(0, 10);
  // A range that ends before it starts is shown on its first day.
  return { start, end: dayAfter(last !== undefined && last > start ? last : start, 1) };
}

/** The time span of a row whose columns hold moments; undefined without a start, or for days. @public */
export function timesOfRow(values: Values, { from, to }: DateRange): TimeSpan | undefined {
  const start = from.show(values[from.id]);
  if (start === undefined || from.unit === 'day' || to?.unit === 'day') return undefined;
  const end = to?.show(values[to.id]);
  return end !== undefined && end > start ? { start, end } : { start };
}

/**
 * The cell values of a row on these days: moments keep their time of day. Read-only columns are left out.
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
  // A row without a last day gets one only if it lasts longer than a day.
  const hasLast = to?.isWritten === true && (to.show(before[to.id]) !== undefined || last > start);
  return {
    ...(from.isWritten && { [from.id]: at(from, start) }),
    ...(hasLast && { [to.id]: at(to, last) }),
  };
}

/** The cell values of a row with this time span; read-only columns are left out. @public */
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

/** Writes the date cells of a row; a refusal is shown, and resolves with false. @public */
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

/** Writes the days of a row; a refusal is shown, and resolves with false. @public */
export function moveToDays(mover: Mover, row: RowData, range: DateRange, days: DaySpan): Promise<boolean> {
  return moveToValues(mover, row, valuesOfDays(range, days, row.values));
}
