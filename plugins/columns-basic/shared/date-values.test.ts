import { describe, expect, test } from '@jest/globals';
import type { ColumnContext } from '@trellis/sdk/shared';
import { readMoment, showMoment, writeMoment, type MomentOptions } from './moments.ts';
import { readTime, writeTime } from './time-values.ts';
import { date, dateTime } from './date.ts';

const of = (timezone: string, time_format = 'HH:mm'): MomentOptions => ({
  date_format: 'YYYY-MM-DD',
  time_format,
  timezone,
});
const read = (text: string, options: Partial<MomentOptions>) => {
  const result = readMoment(text, options);
  return result.ok ? result.value : 'refused';
};

describe('a time of the day', () => {
  test.each([
    ['14:30', '14:30:00'],
    ['9:05', '09:05:00'],
    ['2:30 pm', '14:30:00'],
    ['2 p.m.', '14:00:00'],
    ['12:15 AM', '00:15:00'],
    ['12:15pm', '12:15:00'],
    ['23:59:59.25', '23:59:59.250'],
    ['24:00', undefined],
    ['13:00 pm', undefined],
    ['0:30 am', undefined],
    ['14', undefined],
    ['1:5', undefined],
  ])('%s is %s', (text, time) => expect(readTime(text)).toBe(time));

  test.each([
    ['14:30:00', 'HH:mm', '14:30'],
    ['14:30:00', 'HH:mm:ss', '14:30:00'],
    ['14:30:05', 'HH:mm', '14:30:05'],
    ['00:05:00', 'h:mm A', '12:05 AM'],
    ['12:05:00', 'h:mm:ss A', '12:05:00 PM'],
    ['23:59:59.250', 'h:mm A', '11:59:59.25 PM'],
  ])('%s in the form %s is written %s', (time, format, text) => expect(writeTime(time, format)).toBe(text));
});

describe('a moment', () => {
  test.each([
    // Before and after the clocks of Berlin are put forward on 29 March 2026, and the hour that they pass over.
    ['2026-03-29 01:59', 'Europe/Berlin', '2026-03-29 00:59:00'],
    ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29 01:30:00'],
    ['2026-03-29 03:00', 'Europe/Berlin', '2026-03-29 01:00:00'],
    // The hour that comes twice in October is meant as the first of the two.
    ['2026-10-25 02:30', 'Europe/Berlin', '2026-10-25 00:30:00'],
    ['2026-10-25 02:30 +01:00', 'Europe/Berlin', '2026-10-25 01:30:00'],
    ['2026-01-01 00:15', 'Asia/Kolkata', '2025-12-31 18:45:00'],
    ['2026-01-01 00:15', 'America/New_York', '2026-01-01 05:15:00'],
    ['2026-01-01 9 pm', 'UTC', '2026-01-01 21:00:00'],
    ['2026-01-01', 'UTC', '2026-01-01 00:00:00'],
    ['2026-01-01 00:15', 'Nowhere/Land', '2026-01-01 00:15:00'],
  ])('%s in %s is %s in UTC', (text, zone, value) => expect(read(text, of(zone))).toBe(value));

  test('in a format of blanks is not taken for a day with an hour', () => {
    expect(read('2026 03 29', { date_format: 'YYYY MM DD' })).toBe('2026-03-29 00:00:00');
  });

  test('is shown by the clocks of the zone of its column', () => {
    expect(showMoment('2026-07-01 12:00:00', of('Europe/Berlin'))).toBe('2026-07-01 14:00');
    expect(showMoment('2026-07-01T12:00:00.000Z', of('America/New_York', 'h:mm A'))).toBe(
      '2026-07-01 8:00 AM',
    );
    expect(showMoment('infinity', of('Europe/Berlin'))).toBe('infinity');
  });

  test('is copied so that it is read back as the same moment, also in the hour that comes twice and before there were zones', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia'])
      for (const value of [
        '2026-10-25 00:30:00',
        '2026-10-25 01:30:00',
        '2026-03-29 01:00:00',
        '1890-01-01 10:00:00',
        '0001-01-01 00:00:00',
        '9999-12-31 23:59:59.999',
      ])
        for (const format of ['HH:mm', 'h:mm:ss A'])
          expect(read(writeMoment(value, of(zone, format)), of(zone))).toBe(value);
  });

  test('that is copied from a column with a zone gives its day to a column of days', () => {
    const column = { options: { date_format: 'DD/MM/YYYY' } } as ColumnContext<{ date_format: string }>;
    for (const format of ['HH:mm', 'h:mm:ss A']) {
      const copied = writeMoment('2026-07-01 22:30:00', {
        ...of('Europe/Berlin', format),
        date_format: 'DD/MM/YYYY',
      });
      expect(date.parse(copied, column)).toEqual({ ok: true, value: '2026-07-02' });
    }
  });

  test('refuses a zone that does not exist', () => {
    expect(dateTime.checkOptions?.(of('Mars/Olympus'))).toMatchObject({ params: { zone: 'Mars/Olympus' } });
    expect(dateTime.checkOptions?.(of('Europe/Berlin'))).toBeUndefined();
  });

  test('that a client of the API sends without a zone is UTC, whatever zone its column shows', () => {
    const column = { options: of('Europe/Berlin') } as ColumnContext<MomentOptions>;
    expect(dateTime.parse('2026-07-01 12:00:00', column)).toEqual({ ok: true, value: '2026-07-01 12:00:00' });
  });
});

describe('a day that is typed or pasted', () => {
  const day = (text: string, date_format = 'YYYY-MM-DD') => {
    const column = { options: { date_format } } as ColumnContext<{ readonly date_format: string }>;
    const read = date.parse(text, column);
    return read.ok ? read.value : 'refused';
  };

  test.each([
    ['15.12.2026', '2026-12-15'],
    ['5.3.2026', '2026-03-05'],
    ['31/12/2026', '2026-12-31'],
    ['12/31/2026', '2026-12-31'],
    ['31-12-2026', '2026-12-31'],
    ['7/7/2026', '2026-07-07'],
    ['15.12.2026 14:30', '2026-12-15'],
    // Of two numbers that may both be months nobody knows which one is.
    ['05/12/2026', 'refused'],
    ['5-12-2026', 'refused'],
    ['31.31.2026', 'refused'],
    ['30/02/2026', 'refused'],
    ['15.12/2026', 'refused'],
  ])('%s is read as %s', (text, expected) => {
    expect(day(text)).toBe(expected);
  });

  test('goes by the format of its column where that says which number is the month', () => {
    expect(day('05/12/2026', 'DD/MM/YYYY')).toBe('2026-12-05');
    expect(day('05/12/2026', 'MM/DD/YYYY')).toBe('2026-05-12');
    expect(day('31/12/2026', 'MM/DD/YYYY')).toBe('2026-12-31');
  });

  test.each([
    ['1.2.26', '2026-02-01'],
    ['31.12.99', '1999-12-31'],
    ['12/31/26', '2026-12-31'],
    ['31/12/49', '2049-12-31'],
    ['1/2/26', 'refused'],
    ['26-12-31', 'refused'],
    ['1.2.6', 'refused'],
    ['1.2.026', 'refused'],
    ['0026-02-01', '0026-02-01'],
  ])('%s with a short year is %s, and never of the first century by mistake', (text, value) =>
    expect(day(text)).toBe(value),
  );

  test.each([
    ['1/2/26', 'DD/MM/YYYY', '2026-02-01'],
    ['1/2/26', 'MM/DD/YYYY', '2026-01-02'],
    ['5 3 26', 'DD MM YYYY', '2026-03-05'],
  ])('%s in a column of %s is %s', (text, format, value) => expect(day(text, format)).toBe(value));

  test.each([
    ['Dec 31, 2025', '2025-12-31'],
    ['December 31st, 2025', '2025-12-31'],
    ['31 December 2025', '2025-12-31'],
    ['31-Dec-25', '2025-12-31'],
    ['3. März 2026', '2026-03-03'],
    ['31. Dez. 2025', '2025-12-31'],
    ['30 Sept 2025', '2025-09-30'],
    ['31 Nov 2025', 'refused'],
    ['31 Foo 2025', 'refused'],
  ])('%s with the name of its month is %s', (text, value) => expect(day(text)).toBe(value));
});
