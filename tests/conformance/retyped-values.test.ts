import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ColumnEntity, ColumnTrial, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

type Meta = Readonly<Record<string, unknown>>;

/** One change of a type: cells before and after, and of how many the trial says that something is lost. */
interface Change {
  readonly from: string;
  readonly meta?: Meta;
  readonly cells: readonly unknown[];
  readonly to: string;
  readonly toMeta?: Meta;
  readonly after: readonly unknown[];
  readonly lost?: number;
}

const options = (...titles: readonly string[]): Meta => ({
  options: titles.map((title) => ({ id: `sl_${title}`, title, color: '#cfdffe' })),
});
const dayFirst = { date_format: 'DD-MM-YYYY' };
const berlin = { date_format: 'MM-DD-YYYY', time_format: 'HH:mm', timezone: 'Europe/Berlin' };

const dates: readonly Change[] = [
  {
    from: 'Date',
    meta: dayFirst,
    cells: ['2026-12-05'],
    to: 'DateTime',
    toMeta: { ...berlin, timezone: 'UTC' },
    after: ['2026-12-05 00:00:00'],
  },
  {
    from: 'Date',
    meta: dayFirst,
    cells: ['2026-12-05'],
    to: 'DateTime',
    toMeta: berlin,
    after: ['2026-12-04 23:00:00'],
  },
  {
    from: 'DateTime',
    meta: berlin,
    cells: ['2026-12-04 23:30:00'],
    to: 'Date',
    toMeta: dayFirst,
    after: ['2026-12-05'],
  },
  { from: 'Date', meta: dayFirst, cells: ['2026-12-05', '0987-01-02'], to: 'Year', after: [2026, 987] },
  { from: 'DateTime', meta: berlin, cells: ['2025-12-31 23:30:00'], to: 'Year', after: [2026] },
  { from: 'DateTime', meta: berlin, cells: ['2026-12-04 23:30:00'], to: 'Time', after: ['00:30:00'] },
];

const numbers: readonly Change[] = [
  { from: 'Currency', cells: [1234, 1.5], to: 'Number', after: [1234, null], lost: 1 },
  { from: 'Currency', cells: [1234.5], to: 'Percent', after: [1234.5] },
  { from: 'Percent', cells: [12, -3], to: 'Number', after: [12, -3] },
  { from: 'Percent', cells: [12.5], to: 'Decimal', after: [12.5] },
  { from: 'Percent', cells: [12], to: 'Currency', after: [12] },
  { from: 'Duration', cells: [5400], to: 'Number', after: [5400] },
  { from: 'Duration', cells: [90], to: 'Percent', after: [90] },
  { from: 'Checkbox', cells: [true, false, null], to: 'Number', after: [1, 0, null] },
  { from: 'Currency', cells: [1, 0, 2], to: 'Checkbox', after: [true, false, null], lost: 1 },
  {
    from: 'Decimal',
    meta: { scale: 20 },
    cells: ['0.12345678901234567891', 0.5],
    to: 'Percent',
    after: [0.12345678901234568, 0.5],
    lost: 1,
  },
];

const selects: readonly Change[] = [
  {
    from: 'LongText',
    cells: ['red, green', ' green ', 'GREEN,red', 'red,mauve', 'mauve'],
    to: 'MultiSelect',
    toMeta: options('red', 'green'),
    after: ['red,green', 'green', 'green,red', 'red', null],
    lost: 2,
  },
  {
    from: 'LongText',
    cells: [' Green ', 'mauve', 'red'],
    to: 'SingleSelect',
    toMeta: options('red', 'green'),
    after: ['green', null, 'red'],
    lost: 1,
  },
  {
    from: 'MultiSelect',
    meta: options('red', 'green'),
    cells: ['red,green', 'green', null],
    to: 'SingleSelect',
    after: ['red', 'green', null],
    lost: 1,
  },
  {
    from: 'SingleSelect',
    meta: options('red', 'green'),
    cells: ['red', null],
    to: 'MultiSelect',
    after: ['red', null],
  },
];

/** A cell in the form of what is expected: databases write numbers, yes and no, and moments each in their way. */
function likened(cell: unknown, expected: unknown): unknown {
  if (cell === null || cell === undefined) return null;
  if (typeof expected === 'number') return Number(cell);
  if (typeof expected === 'boolean') return Boolean(cell);
  return typeof cell === 'string'
    ? cell.replace(/(?<=\d)T(?=\d)/, ' ').replace(/(?:\.0+)?(?:Z|\+00:00)?$/, '')
    : cell;
}

function describeChanges(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let projectId: string;
  let count = 0;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp();
    const { body } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Changes' });
    projectId = body.id;
  });
  afterAll(() => server?.dispose());

  async function tableWith({ from, meta, cells }: Change) {
    const title = `T${(count += 1)}`;
    const { scale, ...shown } = meta ?? {};
    const made = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title,
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Cell', uidt: from, meta: shown, ...(scale !== undefined && { dtxp: '30', dtxs: scale }) },
      ],
    });
    expect(made).toMatchObject({ status: 200 });
    const rows = `/api/v1/db/data/noco/Changes/${title}`;
    for (const cell of cells) expect(await owner.post(rows, { Cell: cell })).toMatchObject({ status: 200 });
    const column = made.body.columns?.find((one) => one.title === 'Cell') as ColumnEntity;
    return { rows, path: `/api/v1/db/meta/columns/${column.id}` };
  }

  async function expectChanged(change: Change): Promise<ColumnEntity | undefined> {
    const { rows, path } = await tableWith(change);
    const body = { title: 'Cell', uidt: change.to, ...(change.toMeta && { meta: change.toMeta }) };
    const { lost = 0 } = change;
    expect((await owner.post<ColumnTrial>(`${path}/trial`, body)).body).toMatchObject({
      converts: true,
      lost,
    });
    const done = await owner.patch<TableEntity>(path, { ...body, meta: { ...body.meta, acceptLoss: true } });
    expect(done).toMatchObject({ status: 200 });
    const { body: read } = await owner.get<{ list: readonly Meta[] }>(`${rows}?sort=Id`);
    expect(read.list.map(({ Cell }, at) => likened(Cell, change.after[at]))).toEqual(change.after);
    return done.body.columns?.find((one) => one.title === 'Cell');
  }

  test.each(dates)('days and moments stay the same ones: $from to $to', async (change) => {
    await expectChanged(change);
  });

  test.each(numbers)('numbers stay what they are, however they are written: $from to $to', async (change) => {
    await expectChanged(change);
  });

  test.each(selects)('selects hold options of their list alone: $from to $to', async (change) => {
    const column = await expectChanged(change);
    expect(column?.meta).toMatchObject({ options: [{ title: 'red' }, { title: 'green' }] });
  });
}

describeEachHome('a change of a type', describeChanges);
