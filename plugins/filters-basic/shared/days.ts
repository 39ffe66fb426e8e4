import { zoneOffset } from '#plugins/columns-basic/shared';
import type { Distance, Period, PeriodUnit } from './periods.ts';

/** Calendar days, as milliseconds of their midnight in UTC. */

const dayLength = 86_400_000;

/** The day in a zone at a moment. */
export function dayAt(moment: number, zone: string): number {
  const clock = moment + zoneOffset(moment, zone);
  return clock - (((clock % dayLength) + dayLength) % dayLength);
}

/** A month after the 31st is the last day of a shorter month. */
export function daysLater(day: number, { count, unit }: Distance): number {
  if (unit === 'day' || unit === 'week') return day + count * (unit === 'week' ? 7 : 1) * dayLength;
  const date = new Date(day);
  const months = { month: 1, quarter: 3, year: 12 }[unit] * count;
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), length) - 1) * dayLength;
}

/** The first day of the week (Monday), month, quarter or year of a day. */
function startOf(day: number, unit: PeriodUnit): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'day':
      return day;
    case 'week':
      return day - ((date.getUTCDay() + 6) % 7) * dayLength;
    case 'month':
      return Date.UTC(year, month, 1);
    case 'quarter':
      return Date.UTC(year, month - (month % 3), 1);
    case 'year':
      return Date.UTC(year, 0, 1);
  }
}

/** The first and the last day of a period. Both the last and the next days include today. */
export function daysOf(period: Period, today: number): readonly [first: number, last: number] {
  switch (period.kind) {
    case 'day': {
      const day = today + period.offset * dayLength;
      return [day, day];
    }
    case 'date': {
      const day = Date.parse(`${period.day}T00:00:00Z`);
      return [day, day];
    }
    case 'calendar': {
      const { unit, offset } = period;
      const first = daysLater(startOf(today, unit), { count: offset, unit });
      return [first, daysLater(first, { count: 1, unit }) - dayLength];
    }
    case 'count': {
      const far = daysLater(today, {
        ...period,
        count: period.direction === 'last' ? -period.count : period.count,
      });
      return period.direction === 'last' ? [far, today] : [today, far];
    }
  }
}

/** @throws RangeError for a day outside the range of databases. */
export function dayText(day: number): string {
  const iso = Number.isFinite(day) && Math.abs(day) < 8.64e15 ? new Date(day).toISOString() : '';
  if (!/^\d{4}-/.test(iso) || iso.startsWith('0000'))
    throw new RangeError('reaches beyond the years 1 to 9999');
  return iso.slice(0, 10);
}
