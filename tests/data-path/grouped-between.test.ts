import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { dateTime, momentsOnCalendar } from '../../plugins/columns-basic/shared/index.ts';
import { createDataPath } from './data-path.ts';

const timezone = 'Europe/Berlin';
/** Around the night of 29 March 2026, when clocks in Berlin pass over an hour, and the days begin an hour earlier in UTC. */
const days = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'];
const context = { options: { ...dateTime.options, timezone } } as never;
const begin = (day: string) => momentsOnCalendar.read(`${day}T00:00:00`, context) ?? '';

describeEachMetadata('rows that are grouped between values', (open) => {
  async function startTable() {
    const path = await createDataPath(await open());
    const { rowStore, schema } = path;
    const scope = await path.newProject('Days');
    const { id } = await schema.createTable(scope, {
      title: 'Events',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Day', type: 'Date' },
        { title: 'Moment', type: 'DateTime', meta: { timezone } },
        { title: 'Number', type: 'Number' },
      ],
    });
    const handle = await schema.open(scope, id);
    const column = (title: string) => handle.table.columnByTitle.get(title)?.id ?? '';
    return { path, rowStore, handle, column };
  }

  test('stand together by the day on which clocks of their column show them, and empty ones alone', async () => {
    const { path, rowStore, handle, column } = await startTable();
    const first = Date.parse('2026-03-26T00:00:00Z');
    const moments = fc.option(
      fc.integer({ min: 0, max: 8 * 24 * 4 }).map((quarters) => first + quarters * 15 * 60_000),
    );
    const rows = fc.sample(fc.record({ at: moments, last: moments }), { numRuns: 200, seed: 7 });
    const text = (at: number | null) =>
      at === null ? null : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
    const dayOf = (at: number | null) => text(at)?.slice(0, 10) ?? null;
    await rowStore.createMany(
      handle,
      rows.map(({ at, last }) => ({ Moment: text(at), Day: dayOf(last), Number: 1 })),
    );
    const bounds = days.slice(1);
    const levels = await rowStore.groupFigures(
      handle,
      {
        groups: [
          { columnId: column('Moment'), direction: 'asc', bounds: bounds.map(begin) },
          { columnId: column('Day'), direction: 'desc', bounds },
        ],
      },
      [{ columnId: column('Number'), aggregation: 'sum' }],
    );
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone });
    const reached = (day: string | null) =>
      day === null ? null : bounds.filter((bound) => day >= bound).length;
    const expected = new Map<string, number>();
    for (const { at, last } of rows) {
      const key = JSON.stringify([reached(at === null ? null : shown.format(at)), reached(dayOf(last))]);
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
    const found = levels[1] ?? [];
    expect(new Map(found.map(({ values, count }) => [JSON.stringify(values), count]))).toEqual(expected);
    expect(found.map(({ figures }) => Number(figures[0]))).toEqual(found.map(({ count }) => count));
    expect(levels[0]?.map(({ values }) => values[0])).toEqual([null, 0, 1, 2, 3, 4]);
    const ofFirst = found.filter(({ values }) => values[0] === 0).map(({ values }) => values[1]);
    expect(ofFirst.filter((value) => value !== null)).toEqual([4, 3, 2, 1, 0]);
    await path.dispose();
  });

  test('are those that the query asks for, and values that the column cannot hold are refused', async () => {
    const { path, rowStore, handle, column } = await startTable();
    await rowStore.createMany(
      handle,
      [1, 5, 9, 12, null].map((Number) => ({ Number })),
    );
    const grouped = (bounds: readonly (string | number)[]) =>
      rowStore.groupFigures(
        handle,
        { where: '(Number,lt,12)', groups: [{ columnId: column('Number'), direction: 'asc', bounds }] },
        [],
      );
    expect(await grouped([5, 10])).toEqual([
      [
        { values: [0], count: 1, figures: [] },
        { values: [1], count: 2, figures: [] },
      ],
    ]);
    await expect(grouped(['many'])).rejects.toMatchObject({ status: 400, code: 'FILTER_VALUE' });
    await path.dispose();
  });
});
