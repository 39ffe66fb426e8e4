import { fromCron } from '../../shared/index.ts';
import type { Translate } from '../context.ts';
import { pageLanguage } from './page-language.ts';

/** The day of the week, 0 for Sunday, in the language of the page. @internal */
export function weekdayName(day: number, weekday: 'long' | 'short' = 'long'): string {
  // 4 January 1970 was a Sunday.
  return new Intl.DateTimeFormat(pageLanguage(), { weekday, timeZone: 'UTC' }).format(
    Date.UTC(1970, 0, 4 + day),
  );
}

/** A cron expression in words. @public */
export function timePlanWords(cron: string, t: Translate): string {
  const plain = fromCron(cron);
  switch (plain.kind) {
    case 'minutes':
      return t('Every {{count}} minutes', { count: plain.every, one: 'Every minute' });
    case 'hourly':
      return t('Every hour, {{minute}} minutes past', { minute: plain.minute });
    case 'daily':
      return t('Every day at {{time}}', { time: plain.time });
    case 'weekdays':
      return t('Every weekday at {{time}}', { time: plain.time });
    case 'weekly': {
      const list = new Intl.ListFormat(pageLanguage(), { type: 'conjunction' });
      return t('Every {{days}} at {{time}}', {
        days: list.format(plain.days.map((day) => weekdayName(day))),
        time: plain.time,
      });
    }
    case 'monthly':
      return plain.day === 'L'
        ? t('On the last day of each month at {{time}}', { time: plain.time })
        : t('On day {{day}} of each month at {{time}}', { day: plain.day, time: plain.time });
    case 'cron':
      return t('By {{cron}}', { cron: plain.text });
  }
}

/** A moment in the local time of a zone; by default the browser's. @public */
export function momentWords(moment: string | number, timeZone?: string): string {
  return new Intl.DateTimeFormat(pageLanguage(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone !== undefined && { timeZone, timeZoneName: 'short' as const }),
  }).format(new Date(moment));
}

/** The time zone of the browser, `UTC` if it names none. @public */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
