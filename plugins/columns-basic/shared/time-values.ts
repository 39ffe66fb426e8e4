/** The formats of times: 24 or 12 hours, with or without seconds. */
export const timeFormats = ['HH:mm', 'HH:mm:ss', 'h:mm A', 'h:mm:ss A'] as const;

/** @public */
export type TimeOptions = {
  readonly time_format: string;
};

export const defaultTimeOptions: TimeOptions = { time_format: 'HH:mm' };

const shape = /^(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(?:\s?([ap])\.?\s?m\.?)?$/i;

/**
 * Parses `14:30`, `14:30:05.25` or `2:30 pm` to `HH:mm:ss`, with milliseconds only if there are some; undefined for anything else.
 * A bare hour needs its `am` or `pm`.
 */
export function readTime(text: string): string | undefined {
  const match = text.length > 20 ? null : shape.exec(text);
  if (match === null) return undefined;
  const [, hour = '', minute, second = '00', fraction = '', half] = match;
  if (minute === undefined && half === undefined) return undefined;
  const hours = half === undefined ? Number(hour) : hourOfDay(Number(hour), half);
  if (hours === undefined || hours > 23 || Number(minute ?? 0) > 59 || Number(second) > 59) return undefined;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const clock = `${String(hours).padStart(2, '0')}:${minute ?? '00'}:${second}`;
  return milliseconds === '000' ? clock : `${clock}.${milliseconds}`;
}

/** Twelve o'clock begins each half of the day. */
function hourOfDay(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** A time in the column's format. Seconds that the format would hide are shown if there are some. */
export function writeTime(time: string, format: string): string {
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?$/.exec(time);
  if (match === null) return time;
  const [, hour = '', minute = '', second = '', fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  const isShown = format.includes('ss') || second !== '00' || digits !== '';
  const rest = `${minute}${isShown ? `:${second}` : ''}${digits === '' ? '' : `.${digits}`}`;
  if (!format.endsWith('A')) return `${hour}:${rest}`;
  return `${Number(hour) % 12 || 12}:${rest} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}

/** The option of a column for forms and the API. */
export const timeFormatProperty = {
  type: 'string' as const,
  title: 'Time format',
  enum: [...timeFormats],
  'x-ui': { labels: timeFormats.map((format) => writeTime('14:30:00', format)) },
  default: defaultTimeOptions.time_format,
};
