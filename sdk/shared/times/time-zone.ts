const day = 86_400_000;
const minute = 60_000;

/**
 * The clock of a time zone. A *reading* is the local time, as if it were a moment in UTC: `Date.UTC(2026, 2, 29, 2, 30)` for half
 * past two on 29 March. Moments are milliseconds since 1970.
 * @public
 */
export interface TimeZone {
  /** The reading of the clock at a moment. */
  readingAt(moment: number): number;
  /**
   * The moments of a reading: one on most days, two if the clock is set back, none if it is set forward. `gapEnd` is then the
   * moment to which the clock jumps.
   */
  momentsOf(reading: number): { readonly moments: readonly number[]; readonly gapEnd?: number };
  /** Milliseconds by which the clock is ahead of UTC, if that is constant over a whole day and its neighbours. */
  steadyOffset(reading: number): number | undefined;
}

/** Undefined for a name that this machine does not know as an IANA time zone. */
export function timeZoneOf(name: string): TimeZone | undefined {
  const format = formatOf(name);
  if (format === undefined) return undefined;

  function readingAt(moment: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of format?.formatToParts(moment) ?? []) parts[type] = Number(value);
    const { year = 0, month = 1, day: date = 1, hour = 0, minute: minutes = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, date, hour, minutes, second);
  }
  /** In whole seconds, the precision of readings. */
  const offsetAt = (moment: number) => {
    const whole = Math.floor(moment / 1000) * 1000;
    return readingAt(whole) - whole;
  };

  /** The first moment after `from` at which the offset is that of `to`. */
  function changeBetween(from: number, to: number): number {
    const after = offsetAt(to);
    let [early, late] = [from, to];
    while (late - early > minute) {
      const middle = early + Math.floor((late - early) / 2 / minute) * minute;
      if (middle === early) break;
      if (offsetAt(middle) === after) late = middle;
      else early = middle;
    }
    return late;
  }

  return {
    readingAt,
    momentsOf(reading) {
      const offsets = [offsetAt(reading - day), offsetAt(reading + day)];
      const [low, high] = [Math.min(...offsets), Math.max(...offsets)];
      const moments = [...new Set([reading - high, reading - low])].filter(
        (moment) => offsetAt(moment) === reading - moment,
      );
      return moments.length > 0
        ? { moments }
        : { moments, gapEnd: changeBetween(reading - high, reading - low) };
    },
    steadyOffset(reading) {
      const before = offsetAt(reading - day);
      return before === offsetAt(reading + 2 * day) ? before : undefined;
    },
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  // Only some machines accept offsets such as +02:00, so they are refused.
  if (!/^[A-Za-z]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
