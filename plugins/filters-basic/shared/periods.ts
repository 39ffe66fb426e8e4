import { isZone } from '#plugins/columns-basic/shared';

export const periodUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;

export type PeriodUnit = (typeof periodUnits)[number];

/** A span of days in a filter, relative to the current day. */
export type Period =
  | { readonly kind: 'day'; readonly offset: -1 | 0 | 1 }
  | { readonly kind: 'calendar'; readonly offset: -1 | 0 | 1; readonly unit: Exclude<PeriodUnit, 'day'> }
  | ({ readonly kind: 'count'; readonly direction: 'last' | 'next' } & Distance)
  | { readonly kind: 'date'; readonly day: string };

/** A number of days, weeks or months from today. */
export interface Distance {
  readonly count: number;
  readonly unit: PeriodUnit;
}

/** The value of a filter, and the zone of its days. */
export interface Zoned<Of> {
  readonly of: Of;
  readonly zone: string;
}

const dayWords = { yesterday: -1, today: 0, tomorrow: 1 } as const;
const calendarWords = { last: -1, this: 0, next: 1 } as const;
const distance = /^(\d{1,4}) (day|week|month|quarter|year)s?$/;

/** Splits off the zone of `today in Europe/Berlin`; undefined for an unknown zone. */
function zoned(text: string): { readonly words: string; readonly zone: string } | undefined {
  const [, words = '', zone = 'UTC'] = /^(.*?)(?: in (\S{1,60}))?$/.exec(text.trim().slice(0, 200)) ?? [];
  return isZone(zone) ? { words: words.toLowerCase(), zone } : undefined;
}

function distanceOf(words: string): Distance | undefined {
  const match = distance.exec(words);
  return match ? { count: Number(match[1]), unit: match[2] as PeriodUnit } : undefined;
}

function periodOf(words: string): Period | undefined {
  if (Object.hasOwn(dayWords, words))
    return { kind: 'day', offset: dayWords[words as keyof typeof dayWords] };
  if (/^\d{4}-\d{2}-\d{2}$/.test(words)) {
    const at = Date.parse(`${words}T00:00:00Z`);
    const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(words) && words > '0001';
    return isDay ? { kind: 'date', day: words } : undefined;
  }
  const calendar = /^(this|last|next) (week|month|quarter|year)$/.exec(words);
  if (calendar) {
    const offset = calendarWords[calendar[1] as keyof typeof calendarWords];
    return { kind: 'calendar', offset, unit: calendar[2] as Exclude<PeriodUnit, 'day'> };
  }
  const [, direction, rest = ''] = /^(last|next) (.*)$/.exec(words) ?? [];
  const counted = distanceOf(rest);
  return direction !== undefined && counted
    ? { kind: 'count', direction: direction as 'last' | 'next', ...counted }
    : undefined;
}

/** Parses `last 7 days in Europe/Berlin`; undefined for anything but a period. */
export function readPeriod(text: string): Zoned<Period> | undefined {
  const parts = zoned(text);
  const of = parts && periodOf(parts.words);
  return parts && of && { of, zone: parts.zone };
}

/** Parses `7 days in Europe/Berlin`; undefined for anything but a distance. */
export function readDistance(text: string): Zoned<Distance> | undefined {
  const parts = zoned(text);
  const of = parts && distanceOf(parts.words);
  return parts && of && { of, zone: parts.zone };
}

function withZone(words: string, zone: string): string {
  return zone === 'UTC' ? words : `${words} in ${zone}`;
}

function wordOf(words: Readonly<Record<string, number>>, offset: number): string {
  return Object.keys(words).find((word) => words[word] === offset) ?? '';
}

function distanceWords({ count, unit }: Distance): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export function writeDistance({ of, zone }: Zoned<Distance>): string {
  return withZone(distanceWords(of), zone);
}

export function writePeriod({ of, zone }: Zoned<Period>): string {
  switch (of.kind) {
    case 'day':
      return withZone(wordOf(dayWords, of.offset), zone);
    case 'calendar':
      return withZone(`${wordOf(calendarWords, of.offset)} ${of.unit}`, zone);
    case 'count':
      return withZone(`${of.direction} ${distanceWords(of)}`, zone);
    case 'date':
      return withZone(of.day, zone);
  }
}
