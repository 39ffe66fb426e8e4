import { messageOfError } from '../attempt.ts';
import type { HostActions } from '../host.tsx';
import type { RowData, RowRule, RowsClient } from '../rows/index.ts';

/** The columns that say on which days a row is. @public */
export interface DateRange {
  readonly fromId: string;
  /** The column of the last day; left out where all rows last the same number of days. */
  readonly toId?: string;
  /** How many days rows last where no column says it; one where left out. */
  readonly length?: number;
}

/** Days, as `2026-03-29`; `end` is the first day after them. @public */
export interface DaySpan {
  readonly start: string;
  readonly end: string;
}

/** The day so many days later, or earlier. @public */
export function dayAfter(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** Which rows have one of the days: what a view reads that shows a page of days. @public */
export function rulesOfDays(
  { fromId, toId, length = 1 }: DateRange,
  { start, end }: DaySpan,
): readonly RowRule[] {
  const first = toId === undefined ? dayAfter(start, 1 - length) : start;
  const before: RowRule = { fk_column_id: fromId, comparison_op: 'lt', value: end };
  const after: RowRule = { fk_column_id: fromId, comparison_op: 'gte', value: first };
  if (toId === undefined) return [after, before];
  const lasts: RowRule = { fk_column_id: toId, comparison_op: 'gte', value: start, logical_op: 'or' };
  return [before, { is_group: true, logical_op: 'and', children: [after, lasts] }];
}

/** The days of a row, by column id; undefined where it has no first day. @public */
export function daysOfRow(
  values: Readonly<Record<string, unknown>>,
  { fromId, toId, length = 1 }: DateRange,
): DaySpan | undefined {
  const from = values[fromId];
  if (typeof from !== 'string' || from === '') return undefined;
  if (toId === undefined) return { start: from, end: dayAfter(from, length) };
  const last = values[toId];
  // A range that ends before it starts stands on its first day.
  return { start: from, end: dayAfter(typeof last === 'string' && last > from ? last : from, 1) };
}

/** Writes the days of a row; a refusal is told, and resolves with false. @public */
export async function moveToDays(
  { rows, host }: { readonly rows: RowsClient; readonly host: Pick<HostActions, 't' | 'toast'> },
  row: RowData,
  { fromId, toId }: DateRange,
  { start, end }: DaySpan,
): Promise<boolean> {
  const index = rows.source.indexOf(row.key) ?? 0;
  const last = dayAfter(end, -1);
  const wanted: [columnId: string, value: string][] = [[fromId, start]];
  // A row without a last day gets one only when it lasts longer than a day.
  const hasLast = toId !== undefined && typeof row.values[toId] === 'string';
  if (toId !== undefined && (hasLast || last > start)) wanted.push([toId, last]);
  const changes = wanted
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
