/**
 * A repeated time, in the terms of people; `cron` is for all other combinations of five fields. `time` is `08:05`; days of the
 * week begin with Sunday, 0. @public
 */
export type PlainTime =
  | { readonly kind: 'minutes'; readonly every: number }
  | { readonly kind: 'hourly'; readonly minute: number }
  | { readonly kind: 'daily'; readonly time: string }
  | { readonly kind: 'weekdays'; readonly time: string }
  | { readonly kind: 'weekly'; readonly days: readonly number[]; readonly time: string }
  | { readonly kind: 'monthly'; readonly day: number | 'L'; readonly time: string }
  | { readonly kind: 'cron'; readonly text: string };

/** How often a `PlainTime` repeats. @public */
export type PlainTimeKind = PlainTime['kind'];

/** Numbers of minutes that divide an hour, so that the intervals are equal. @public */
export const plainMinutes: readonly number[] = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30];

/** The five cron fields of a `PlainTime`. @public */
export function toCron(plain: PlainTime): string {
  switch (plain.kind) {
    case 'minutes':
      return plain.every === 1 ? '* * * * *' : `*/${plain.every} * * * *`;
    case 'hourly':
      return `${plain.minute} * * * *`;
    case 'daily':
      return `${clock(plain.time)} * * *`;
    case 'weekdays':
      return `${clock(plain.time)} * * 1-5`;
    case 'weekly':
      return `${clock(plain.time)} * * ${[...plain.days].sort((a, b) => a - b).join(',')}`;
    case 'monthly':
      return `${clock(plain.time)} ${plain.day} * *`;
    case 'cron':
      return plain.text;
  }
}

function clock(time: string): string {
  const [hour = '0', minute = '0'] = time.split(':');
  return `${Number(minute)} ${Number(hour)}`;
}

/** The `PlainTime` of five cron fields; kind `cron` if there is no simpler one. @public */
export function fromCron(text: string): PlainTime {
  const other: PlainTime = { kind: 'cron', text };
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...rest] = text.trim().split(/\s+/);
  if (month !== '*' || rest.length > 0) return other;
  const step = minute === '*' ? 1 : Number(/^\*\/(\d+)$/.exec(minute)?.[1]);
  const isEveryDay = day === '*' && weekday === '*';
  if (hour === '*' && isEveryDay && plainMinutes.includes(step)) return { kind: 'minutes', every: step };
  if (!isNumber(minute, 59)) return other;
  if (hour === '*' && isEveryDay) return { kind: 'hourly', minute: Number(minute) };
  if (!isNumber(hour, 23)) return other;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (isEveryDay) return { kind: 'daily', time };
  if (day === '*' && (weekday === '1-5' || weekday.toUpperCase() === 'MON-FRI'))
    return { kind: 'weekdays', time };
  if (day === '*' && /^[0-6](,[0-6])*$/.test(weekday))
    return { kind: 'weekly', days: weekday.split(',').map(Number), time };
  if (weekday !== '*') return other;
  if (day === 'L') return { kind: 'monthly', day, time };
  return isNumber(day, 31) && Number(day) > 0 ? { kind: 'monthly', day: Number(day), time } : other;
}

function isNumber(text: string, most: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) <= most;
}
