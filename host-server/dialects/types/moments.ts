import { valueError } from './value-errors.ts';

/** Dates and times as text. This machine's time zone is never used. */

/** The form of most dates. It is tested first, since a bulk write has thousands and a match allocates a list for each. */
const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** `YYYY-MM-DD`, checked against the calendar; the time of a date with a time is ignored. */
export function readDate(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (PLAIN_DATE.test(text)) return checkDate(text);
  const moment = MOMENT.exec(text);
  if (moment === null) throw valueError('VALUE_NOT_DATE');
  return checkDate(moment[1] ?? '');
}

/** `HH:MM:SS`, with a fraction of a second if there is one. */
export function readTime(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  const time = text.includes('-') ? MOMENT.exec(text)?.[2] : text;
  if (time === undefined) throw valueError('VALUE_NOT_TIME');
  const { clock, fraction } = checkTime(time);
  return clock + fraction;
}

/** `YYYY-MM-DD HH:MM:SS`, with up to six digits of a second. A time with an offset is converted to UTC; without an offset it is UTC. */
export function readDateTime(value: unknown): string {
  const moment = MOMENT.exec(typeof value === 'string' ? value.trim() : '');
  if (moment === null) throw valueError('VALUE_NOT_MOMENT');
  const date = checkDate(moment[1] ?? '');
  const { clock, fraction } = checkTime(moment[2] ?? '00:00:00');
  const minutes = offsetMinutes(moment[3]);
  return minutes === 0 ? `${date} ${clock}${fraction}` : move(date, clock, -minutes) + fraction;
}

/** @param text `YYYY-MM-DD` */
function checkDate(text: string): string {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const days = month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0);
  if (year < 1 || day < 1 || day > days) throw valueError('VALUE_NO_SUCH_DAY', { day: text });
  return text;
}

/** Reads two digits without making a text for each number: a bulk write has thousands of dates. */
function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 0x30) * 10 + (text.charCodeAt(at + 1) - 0x30);
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function checkTime(text: string): { clock: string; fraction: string } {
  const match = TIME.exec(text);
  const [hour, minute, second] = [match?.[1] ?? '', match?.[2] ?? '', match?.[3] ?? '00'];
  if (match === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    throw valueError('VALUE_TIME_RANGE');
  }
  const digits = (match[4] ?? '').slice(0, 6).replace(/0+$/, '');
  return { clock: `${hour}:${minute}:${second}`, fraction: digits === '' ? '' : `.${digits}` };
}

function offsetMinutes(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || 0);
  if (hours > 15 || minutes > 59) throw valueError('VALUE_OFFSET_RANGE');
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function move(date: string, clock: string, minutes: number): string {
  const moved = new Date(Date.parse(`${date}T${clock}Z`) + minutes * 60_000).toISOString();
  if (!/^\d{4}-/.test(moved) || moved.startsWith('0000')) throw valueError('VALUE_YEAR_RANGE');
  return `${moved.slice(0, 10)} ${moved.slice(11, 19)}`;
}

/** A PostgreSQL timestamp as ISO text in UTC with at least milliseconds; `infinity` and years BC stay as they are. */
export function momentToIso(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:\+00)?$/.exec(raw);
  return match === null ? raw : `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0')}Z`;
}
