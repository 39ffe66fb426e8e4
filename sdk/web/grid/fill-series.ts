import type { CellValue, StorageKind } from '../../shared/index.ts';

/** The value at an index relative to the first given one; earlier indexes are negative. */
export type Series = (at: number) => CellValue;

const numeric: ReadonlySet<StorageKind> = new Set(['integer', 'bigint', 'decimal', 'float']);
const dated: ReadonlySet<StorageKind> = new Set(['date', 'datetime']);
const day = 86_400_000;

/** Continues values: as a series if two or more of them have a constant step, else by repeating them. */
export function continueValues(values: readonly CellValue[], storage: StorageKind): Series {
  const count = values.length;
  const series = numeric.has(storage)
    ? numberSeries(values)
    : dated.has(storage)
      ? dateSeries(values)
      : undefined;
  return series ?? ((at) => values[((at % count) + count) % count] ?? null);
}

/** The common difference of two or more numbers. */
function stepOf(numbers: readonly bigint[]): bigint | undefined {
  const [first, second] = numbers;
  if (first === undefined || second === undefined) return undefined;
  const step = second - first;
  return numbers.every((number, at) => number === first + step * BigInt(at)) ? step : undefined;
}

/** Counts in the smallest unit of the values, so that 0.1 and 0.2 continue with 0.3. */
function numberSeries(values: readonly CellValue[]): Series | undefined {
  const texts = values.map((value) => (typeof value === 'number' ? String(value) : value));
  const parts = texts.map((text) => (typeof text === 'string' ? /^(-?\d+)(?:\.(\d+))?$/.exec(text) : null));
  const places = Math.max(0, ...parts.map((part) => part?.[2]?.length ?? 0));
  const scaled = parts.flatMap((part) =>
    part === null ? [] : [BigInt(part[1] + (part[2] ?? '').padEnd(places, '0'))],
  );
  const [first] = scaled;
  const step = scaled.length === values.length ? stepOf(scaled) : undefined;
  if (first === undefined || step === undefined) return undefined;
  const asNumbers = values.every((value) => typeof value === 'number');
  return (at) => {
    const text = unscaled(first + step * BigInt(at), places);
    return asNumbers ? Number(text) : text;
  };
}

function unscaled(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${value < 0n ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

interface Moment {
  readonly months: bigint;
  readonly dayOfMonth: number;
  /** Milliseconds since the epoch, in the text's own zone. */
  readonly time: bigint;
  readonly mark: string;
  readonly hasTime: boolean;
  /** The zone and the milliseconds, as written. */
  readonly fraction: boolean;
  readonly zone: string;
}

/**
 * The same day of each month continues by months, and so does the last one; everything else by equal spans. Times are those in the
 * text.
 */
function dateSeries(values: readonly CellValue[]): Series | undefined {
  const moments = values.flatMap((value) => readMoment(value) ?? []);
  const [first, second] = moments;
  if (first === undefined || second === undefined || moments.length < values.length) return undefined;
  if (moments.some(({ zone, mark }) => zone !== first.zone || mark !== first.mark)) return undefined;
  const isSameTime = moments.every(({ time }) => time % BigInt(day) === first.time % BigInt(day));
  const isSameDay = moments.every(({ dayOfMonth }) => dayOfMonth === first.dayOfMonth);
  const isLastDay = moments.every(({ dayOfMonth, months }) => dayOfMonth === lastDayOf(Number(months)));
  const months =
    isSameTime && (isSameDay || isLastDay) ? stepOf(moments.map((moment) => moment.months)) : undefined;
  if (months !== undefined && months !== 0n) {
    const dayOfMonth = isLastDay ? 31 : first.dayOfMonth;
    return (at) => write(first, addMonths({ ...first, dayOfMonth }, Number(months) * at));
  }
  const span = stepOf(moments.map(({ time }) => time));
  return span === undefined ? undefined : (at) => write(first, Number(first.time + span * BigInt(at)));
}

/** `months` counts from the year 0. */
function lastDayOf(months: number): number {
  return new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
}

function readMoment(value: CellValue): Moment | undefined {
  const parts =
    typeof value === 'string'
      ? /^(\d{4})-(\d\d)-(\d\d)(?:([ T])(\d\d):(\d\d):(\d\d)(\.\d{3})?(Z|[+-]\d\d:?\d\d)?)?$/.exec(value)
      : null;
  if (parts === null) return undefined;
  const [, year, month, dayOfMonth, mark = '', hour = 0, minute = 0, second = 0, fraction, zone = ''] = parts;
  const milliseconds = Number(fraction ?? 0) * 1000;
  return {
    months: BigInt(Number(year) * 12 + Number(month) - 1),
    dayOfMonth: Number(dayOfMonth),
    time: BigInt(
      Date.UTC(
        Number(year),
        Number(month) - 1,
        Number(dayOfMonth),
        Number(hour),
        Number(minute),
        Number(second),
        milliseconds,
      ),
    ),
    mark,
    hasTime: mark !== '',
    fraction: fraction !== undefined,
    zone,
  };
}

/** The same day `by` months later, or the month's last day if it has no such day. */
function addMonths({ time, months, dayOfMonth }: Moment, by: number): number {
  const month = Number(months) + by;
  const start = Date.UTC(Math.floor(month / 12), month % 12, Math.min(dayOfMonth, lastDayOf(month)));
  return start + (Number(time) % day);
}

function write({ hasTime, mark, fraction, zone }: Moment, time: number): string {
  const text = new Date(time).toISOString();
  return hasTime
    ? `${text.slice(0, 10)}${mark}${text.slice(11, fraction ? 23 : 19)}${zone}`
    : text.slice(0, 10);
}
