import { afterEach, expect, jest, test } from '@jest/globals';
import type { CellValue } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

/**
 * Filters by the day on which rows are read, judged by the calendars of JavaScript: rows stand at the edges of days in zones whose clocks
 * change, and are asked for at moments at which days end.
 */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  // Its clocks change at midnight: a day begins at one o'clock, and another one lasts an hour longer.
  'America/Santiago',
] as const;

/** When rows are read: at ends of days, months and years, and where clocks change. */
const moments = [
  '2026-03-28T23:00:00Z',
  '2026-03-29T00:59:59Z',
  '2026-04-05T03:30:00Z',
  '2026-09-06T04:00:00Z',
  '2026-10-25T00:30:00Z',
  '2026-12-31T23:59:59Z',
  '2027-01-01T00:00:00Z',
  '2028-02-29T12:00:00Z',
].map((text) => Date.parse(text));

const clocks = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ]),
);
type Zone = (typeof zones)[number];

/** `2026-03-29`: the day that it is somewhere at a moment. */
const dayIn = (zone: Zone, moment: number): string => clocks.get(zone)?.format(moment) ?? '';

const daysAfter = (day: string, count: number): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
};

/** The same day of another month, or the last one of it. */
function monthsAfter(day: string, count: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = year * 12 + month - 1 + count;
  const first = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  for (let last = date; ; last -= 1) {
    const text = `${first}-${String(last).padStart(2, '0')}`;
    if (new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)) return text;
  }
}

const lengths = { week: 7, month: 1, quarter: 3, year: 12 } as const;
type Unit = 'day' | keyof typeof lengths;

const later = (day: string, count: number, unit: Unit): string =>
  unit === 'day' || unit === 'week'
    ? daysAfter(day, count * (unit === 'week' ? 7 : 1))
    : monthsAfter(day, count * lengths[unit]);

/** What the days of a week, month, quarter or year have in common. */
function spanOf(day: string, unit: Exclude<Unit, 'day'>): string {
  if (unit === 'year') return day.slice(0, 4);
  if (unit === 'month') return day.slice(0, 7);
  if (unit === 'quarter') return `${day.slice(0, 4)} ${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
  let monday = day;
  while (new Date(`${monday}T00:00:00Z`).getUTCDay() !== 1) monday = daysAfter(monday, -1);
  return monday;
}

interface Asked {
  readonly operator: 'within' | 'older' | 'later';
  readonly words: string;
  /** Whether a day is found, as seen on another one. */
  finds(day: string, today: string): boolean;
}

const units: readonly Unit[] = ['day', 'week', 'month', 'quarter', 'year'];
const counted = fc.record({ count: fc.integer({ min: 0, max: 40 }), unit: fc.constantFrom(...units) });
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.constantFrom(...(['yesterday', 'today', 'tomorrow'] as const)).map((words): Asked => {
    const offset = { yesterday: -1, today: 0, tomorrow: 1 }[words];
    return { operator: 'within', words, finds: (day, today) => day === daysAfter(today, offset) };
  }),
  fc
    .record({ word: fc.constantFrom('last', 'this', 'next'), unit: fc.constantFrom(...units.slice(1)) })
    .map(({ word, unit }): Asked => {
      const offset = { last: -1, this: 0, next: 1 }[word] ?? 0;
      const of = unit as Exclude<Unit, 'day'>;
      const finds = (day: string, today: string) => {
        // The first of a month is a day of every month before it and behind it.
        const inside = of === 'week' ? today : `${today.slice(0, 7)}-01`;
        return spanOf(day, of) === spanOf(later(inside, offset, of), of);
      };
      return { operator: 'within', words: `${word} ${unit}`, finds };
    }),
  counted.map(({ count, unit }): Asked => {
    const finds = (day: string, today: string) => day >= later(today, -count, unit) && day <= today;
    return { operator: 'within', words: `last ${count} ${unit}s`, finds };
  }),
  counted.map(({ count, unit }): Asked => {
    const finds = (day: string, today: string) => day <= later(today, count, unit) && day >= today;
    return { operator: 'within', words: `next ${count} ${unit}s`, finds };
  }),
  counted.map(({ count, unit }): Asked => {
    const finds = (day: string, today: string) => day < later(today, -count, unit);
    return { operator: 'older', words: `${count} ${unit}s`, finds };
  }),
  counted.map(({ count, unit }): Asked => {
    const finds = (day: string, today: string) => day > later(today, count, unit);
    return { operator: 'later', words: `${count} ${unit}s`, finds };
  }),
);

/** The first moment of a day, looked for second by second. */
function beginOf(zone: Zone, day: string): number {
  let [before, from] = [
    Date.parse(`${day}T00:00:00Z`) - 86_400_000,
    Date.parse(`${day}T00:00:00Z`) + 86_400_000,
  ];
  while (from - before > 1000) {
    const middle = before + Math.floor((from - before) / 2000) * 1000;
    if (dayIn(zone, middle) < day) before = middle;
    else from = middle;
  }
  return from;
}

/** Moments around the edges of days, near those at which rows are read and further away. */
function edges(): readonly number[] {
  const found = new Set<number>();
  for (const zone of zones)
    for (const now of moments)
      for (const count of [-365, -31, -7, -1, 0, 1, 2, 8, 31]) {
        const begin = beginOf(zone, daysAfter(dayIn(zone, now), count));
        for (const at of [begin - 1000, begin]) found.add(at);
      }
  return [...found];
}

const written = (moment: number) => new Date(moment).toISOString().slice(0, 19).replace('T', ' ');

describeEachMetadata('filters by the day on which rows are read', (open) => {
  afterEach(() => void jest.restoreAllMocks());

  test('find the days that calendars give, to the second, in every zone', async () => {
    const { rowStore, handleOf, newProject, schema, dispose } = await createDataPath(await open());
    const scope = await newProject('Atlas');
    const table = await schema.createTable(scope, {
      title: 'Visits',
      columns: [
        { title: 'Id', columnName: 'id', type: 'ID' },
        { title: 'Moment', type: 'DateTime' },
        { title: 'Local', type: 'DateTime', meta: { timezone: 'Asia/Kathmandu' } },
        { title: 'Day', type: 'Date' },
      ],
    });
    const rows = edges().map((at) => ({ at, day: dayIn('UTC', at) }));
    const cells = rows.map(({ at, day }, index) => ({
      Id: index + 1,
      Moment: written(at),
      Local: written(at),
      Day: day,
    }));
    const empty: { readonly [title: string]: CellValue } = { Id: rows.length + 1 };
    await rowStore.createMany(await handleOf(scope, table.id), [...cells, empty]);
    const clock = jest.spyOn(Date, 'now');
    const found = async (where: string) => {
      const read = { where, fields: ['Id'], sort: ['Id'] };
      const list = await rowStore.list(await handleOf(scope, table.id), read, { limit: 5000, offset: 0 });
      return list.map((row) => Number(row['Id']));
    };
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom(...zones),
        fc.constantFrom(...moments),
        async ({ operator, words, finds }, zone, now) => {
          const today = dayIn(zone, now);
          const idsOf = (isFound: (row: (typeof rows)[number]) => boolean) =>
            rows.flatMap((row, index) => (isFound(row) ? [index + 1] : []));
          clock.mockReturnValue(now);
          const condition = `${operator},${words} in ${zone}`;
          const expected = idsOf(({ at }) => finds(dayIn(zone, at), today));
          for (const title of ['Moment', 'Local'])
            expect([title, await found(`(${title},${condition})`)]).toEqual([title, expected]);
          expect(await found(`(Day,${condition})`)).toEqual(idsOf(({ day }) => finds(day, today)));
        },
      ),
      { numRuns: 150, seed: 5 },
    );
    clock.mockRestore();
    await dispose();
  });
});
