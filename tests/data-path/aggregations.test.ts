import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

describeEachMetadata('figures over the rows of a table', (open) => {
  test('are the same on every database, for the rows of the query alone', async () => {
    const path = await createDataPath(await open());
    const { rowStore, schema } = path;
    const scope = await path.newProject('Figures');
    const { id } = await schema.createTable(scope, {
      title: 'Sales',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Shop', type: 'SingleLineText' },
        { title: 'Price', type: 'Decimal', precision: '10', scale: '2' },
        { title: 'Day', type: 'Date' },
      ],
    });
    const handle = await schema.open(scope, id);
    const column = (title: string) => handle.table.columnByTitle.get(title)?.id ?? '';
    await rowStore.createMany(handle, [
      { Shop: 'Bern', Price: '1.50', Day: '2026-01-02' },
      { Shop: 'Bern', Price: '2.25', Day: '2026-03-04' },
      { Shop: 'Basel', Price: null, Day: '2025-12-31' },
    ]);
    const figures = async (where?: string) =>
      (
        await rowStore.aggregate(handle, { where }, [
          { columnId: column('Shop'), aggregation: 'count' },
          { columnId: column('Shop'), aggregation: 'unique' },
          { columnId: column('Price'), aggregation: 'sum' },
          { columnId: column('Price'), aggregation: 'average' },
          { columnId: column('Price'), aggregation: 'maximum' },
          { columnId: column('Price'), aggregation: 'empty' },
          { columnId: column('Price'), aggregation: 'filled' },
          { columnId: column('Day'), aggregation: 'earliest' },
          { columnId: column('Shop'), aggregation: 'sum' },
          { columnId: column('Shop'), aggregation: 'median' },
        ])
      ).map((value) => (value === null ? null : String(value as string)));
    expect(await figures()).toEqual(['3', '2', '3.75', '1.875', '2.25', '1', '2', '2025-12-31', null, null]);
    expect(await figures('(Shop,eq,Basel)')).toEqual([
      '1',
      '1',
      null,
      null,
      null,
      '1',
      '0',
      '2025-12-31',
      null,
      null,
    ]);
    await expect(
      rowStore.aggregate(handle, {}, [{ columnId: 'cl_unknown', aggregation: 'sum' }]),
    ).rejects.toMatchObject({ status: 400, code: 'AGGREGATE_COLUMN_UNKNOWN' });
    await path.dispose();
  });

  test('add up whole numbers exactly, also beyond 64 bits and below zero', async () => {
    const path = await createDataPath(await open());
    const { rowStore, schema } = path;
    const scope = await path.newProject('Sums');
    const { id } = await schema.createTable(scope, {
      title: 'Numbers',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Kind', type: 'SingleLineText' },
        { title: 'Number', type: 'Number' },
      ],
    });
    const handle = await schema.open(scope, id);
    const columnId = handle.table.columnByTitle.get('Number')?.id ?? '';
    const kinds = {
      huge: ['9223372036854775807', '9223372036854775807', '1'],
      low: ['-9223372036854775808', '-9223372036854775808'],
      mixed: ['4294967296', '-1', '-4294967297', null],
      small: [-3, 1, null],
      middle: ['4611686018427387904', '-4611686018427387905'],
      none: [null, null],
    };
    await rowStore.createMany(
      handle,
      Object.entries(kinds).flatMap(([Kind, numbers]) => numbers.map((Number) => ({ Kind, Number }))),
    );
    const sumOf = async (where: string) => {
      const [sum] = await rowStore.aggregate(handle, { where }, [{ columnId, aggregation: 'sum' }]);
      return sum === null ? null : String(sum as string);
    };
    expect(await sumOf('(Kind,eq,huge)')).toBe('18446744073709551615');
    expect(await sumOf('(Kind,eq,low)')).toBe('-18446744073709551616');
    expect(await sumOf('(Kind,eq,mixed)')).toBe('-2');
    expect(await sumOf('(Kind,eq,small)')).toBe('-2');
    expect(await sumOf('(Kind,eq,middle)')).toBe('-1');
    expect(await sumOf('(Kind,eq,none)')).toBeNull();
    const middleOf = async (where: string) => {
      const figures = ['median', 'minimum', 'maximum', 'range'].map((aggregation) => ({
        columnId,
        aggregation,
      }));
      return (await rowStore.aggregate(handle, { where }, figures)).map(String);
    };
    expect(await middleOf('(Kind,eq,huge)')).toEqual([
      '9223372036854775807',
      '1',
      '9223372036854775807',
      '9223372036854775806',
    ]);
    expect(await middleOf('(Kind,eq,middle)')).toEqual([
      '-0.5',
      '-4611686018427387905',
      '4611686018427387904',
      '9223372036854775809',
    ]);
    await path.dispose();
  });

  test('tell of the middle, the range and the share of the rows', async () => {
    const path = await createDataPath(await open());
    const { rowStore, schema } = path;
    const scope = await path.newProject('Shares');
    const { id } = await schema.createTable(scope, {
      title: 'Answers',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Points', type: 'Number' },
        { title: 'Price', type: 'Decimal', precision: '10', scale: '2' },
        { title: 'Day', type: 'Date' },
        { title: 'Done', type: 'Checkbox' },
        { title: 'Note', type: 'SingleLineText' },
      ],
    });
    const handle = await schema.open(scope, id);
    const column = (title: string) => handle.table.columnByTitle.get(title)?.id ?? '';
    const figures = async (...wanted: readonly (readonly [string, string])[]) =>
      rowStore.aggregate(
        handle,
        {},
        wanted.map(([title, aggregation]) => ({ columnId: column(title), aggregation })),
      );
    expect(
      await figures(
        ['Points', 'median'],
        ['Points', 'range'],
        ['Note', 'percent-filled'],
        ['Day', 'range-days'],
      ),
    ).toEqual([null, null, null, null]);
    await rowStore.createMany(handle, [
      { Points: 4, Price: '0.10', Day: '2026-01-02', Done: true, Note: 'a' },
      { Points: 1, Price: '0.30', Day: '2026-03-04', Done: false, Note: '' },
      { Points: null, Price: null, Day: null, Done: null, Note: null },
      { Points: 10, Price: '0.20', Day: null, Done: true, Note: 'A' },
    ]);
    expect((await figures(['Points', 'median'], ['Price', 'median'])).map(Number)).toEqual([4, 0.2]);
    expect((await figures(['Points', 'range'], ['Price', 'range'])).map(Number)).toEqual([9, 0.2]);
    expect((await figures(['Day', 'range-days'], ['Points', 'range-days'])).map(String)).toEqual([
      '61',
      'null',
    ]);
    expect(
      (await figures(['Done', 'checked'], ['Done', 'unchecked'], ['Note', 'empty'])).map(Number),
    ).toEqual([2, 2, 2]);
    // An empty text is no value to either.
    expect((await figures(['Note', 'filled'], ['Note', 'unique'])).map(Number)).toEqual([2, 2]);
    expect(
      (
        await figures(
          ['Done', 'percent-checked'],
          ['Done', 'percent-unchecked'],
          ['Note', 'percent-filled'],
          ['Note', 'percent-empty'],
          ['Day', 'percent-empty'],
          ['Price', 'percent-unique'],
          ['Note', 'percent-unique'],
        )
      ).map(Number),
    ).toEqual([50, 50, 50, 50, 50, 75, 50]);
    expect(await figures(['Points', 'minimum'], ['Day', 'latest'], ['Day', 'earliest'])).toEqual([
      1,
      '2026-03-04',
      '2026-01-02',
    ]);
    expect((await figures(['Price', 'minimum'])).map(Number)).toEqual([0.1]);
    await path.dispose();
  });
});

describeEachMetadata('groups of rows', (open) => {
  test('come level by level in the order of their rows, with figures over each', async () => {
    const path = await createDataPath(await open());
    const { rowStore, schema } = path;
    const scope = await path.newProject('Groups');
    const { id } = await schema.createTable(scope, {
      title: 'Sales',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Shop', type: 'SingleLineText' },
        { title: 'Paid', type: 'Checkbox' },
        { title: 'Price', type: 'Decimal', precision: '10', scale: '2' },
      ],
    });
    const handle = await schema.open(scope, id);
    const column = (title: string) => handle.table.columnByTitle.get(title)?.id ?? '';
    await rowStore.createMany(handle, [
      { Shop: 'Bern', Paid: true, Price: '1.50' },
      { Shop: 'bern', Paid: false, Price: '2.50' },
      { Shop: null, Paid: true, Price: '7.00' },
      { Shop: 'Basel', Paid: true, Price: null },
      { Shop: 'Bern', Paid: true, Price: '2.25' },
      { Shop: 'Bern', Paid: false, Price: '4.00' },
    ]);
    const groups = [
      { columnId: column('Shop'), direction: 'desc' },
      { columnId: column('Paid'), direction: 'asc' },
    ] as const;
    const wanted = [
      { columnId: column('Price'), aggregation: 'sum' },
      { columnId: column('Price'), aggregation: 'median' },
      { columnId: column('Shop'), aggregation: 'sum' },
    ];
    const levels = await rowStore.groupFigures(handle, { groups }, wanted);
    const told = levels.map((level) =>
      level.map(({ values, count, figures: [sum = null, middle = null, ...others] }) => [
        ...values,
        count,
        ...[sum, middle].map((figure) => (figure === null ? null : Number(figure))),
        ...others,
      ]),
    );
    expect(told).toEqual([
      [
        ['bern', 1, 2.5, 2.5, null],
        ['Bern', 3, 7.75, 2.25, null],
        ['Basel', 1, null, null, null],
        [null, 1, 7, 7, null],
      ],
      [
        ['bern', false, 1, 2.5, 2.5, null],
        ['Bern', false, 1, 4, 4, null],
        ['Bern', true, 2, 3.75, 1.875, null],
        ['Basel', true, 1, null, null, null],
        [null, true, 1, 7, 7, null],
      ],
    ]);
    const rows = await rowStore.list(handle, { groups, sort: ['-Price'] }, { limit: 25, offset: 0 });
    expect(rows.map(({ Id }) => Number(Id))).toEqual([2, 6, 5, 1, 4, 3]);
    await expect(
      rowStore.groupFigures(handle, { groups: [{ columnId: 'cl_unknown', direction: 'asc' }] }, []),
    ).rejects.toMatchObject({ status: 400, code: 'COLUMN_UNKNOWN' });
    await expect(
      rowStore.list(handle, { groups: Array.from({ length: 4 }, () => groups[0]) }, { limit: 1, offset: 0 }),
    ).rejects.toMatchObject({ status: 400, code: 'GROUPS_TOO_MANY' });
    await path.dispose();
  });

  test('count the rows that stand together, whatever their values are', async () => {
    const path = await createDataPath(await open());
    const { rowStore, schema } = path;
    const scope = await path.newProject('Runs');
    const { id } = await schema.createTable(scope, {
      title: 'Things',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Text', type: 'LongText' },
        { title: 'Number', type: 'Decimal', precision: '10', scale: '2' },
        { title: 'Moment', type: 'DateTime' },
      ],
    });
    const handle = await schema.open(scope, id);
    const texts = [
      null,
      '',
      'a',
      'A',
      'a ',
      'ä',
      'Ä',
      'b',
      'ß',
      'ss',
      `${'x'.repeat(1200)}1`,
      `${'x'.repeat(1200)}2`,
    ];
    const numbers = [null, '0.00', '-1.50', '10.00', '9.00'];
    const moments = [null, '2026-01-02 03:04:05', '2026-01-02 03:04:06'];
    const values = fc.record({
      Text: fc.constantFrom(...texts),
      Number: fc.constantFrom(...numbers),
      Moment: fc.constantFrom(...moments),
    });
    const rows = fc.sample(values, { numRuns: 120, seed: 7 });
    await rowStore.createMany(handle, rows);
    const titles = ['Text', 'Number', 'Moment'];
    for (const direction of ['asc', 'desc'] as const) {
      const groups = titles.map((title) => ({
        columnId: handle.table.columnByTitle.get(title)?.id ?? '',
        direction,
      }));
      const listed = await rowStore.list(handle, { groups }, { limit: 200, offset: 0 });
      const levels = await rowStore.groupFigures(handle, { groups }, []);
      for (const [level, found] of levels.entries()) {
        const keys = listed.map((row) =>
          JSON.stringify(titles.slice(0, level + 1).map((title) => start(row[title]))),
        );
        const runs: { readonly key: string | undefined; count: number }[] = [];
        for (const key of keys) {
          const last = runs.at(-1);
          if (last?.key === key) last.count += 1;
          else runs.push({ key, count: 1 });
        }
        expect(found.map(({ values: of, count }) => ({ key: JSON.stringify(of.map(start)), count }))).toEqual(
          runs,
        );
      }
    }
    await path.dispose();
  });
});

/** Texts are grouped by their first 1,000 characters, and one decimal has several texts. */
function start(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^-?\d+\.\d+$/.test(value) ? String(Number(value)) : value.slice(0, 1000);
}
