import type { JsonSchema } from './json-schema.ts';

/**
 * The formats that schemas may name. `secret` and `password` say how a text is stored and shown, and refuse nothing. The others
 * are deliberately loose: they catch typing mistakes, and the code that uses the value checks it fully.
 */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  secret: () => true,
  password: () => true,
  multiline: () => true,
  email: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]{0,30}:[^\s]+$/i.test(text),
  'http-url': (text) => /^https?:\/\/[^\s/?#]\S*$/i.test(text),
  hostname: (text) => text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text),
  color: (text) => /^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text),
  date: isDate,
  time: (text) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/.test(text),
  'date-time': (text) => {
    const [date, time, ...rest] = text.split(/[Tt ]/);
    if (date === undefined || time === undefined || rest.length > 0) return false;
    return isDate(date) && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(time);
  },
  uuid: (text) => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
  regex: (text) => {
    try {
      return new RegExp(text, 'u').source.length > 0;
    } catch {
      return false; // A pattern that does not compile is no valid regular expression.
    }
  },
};

/** The names of the formats. */
export const schemaFormats: readonly string[] = Object.keys(formats);

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && !leap ? 28 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** Whether a schema marks a value that is encrypted at rest and masked in answers. */
export function isSecret(schema: JsonSchema): boolean {
  return schema.format === 'secret';
}
