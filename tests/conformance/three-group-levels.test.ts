import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CellValue, ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Desk';
const meta = '/api/v1/db/meta';

interface Group {
  readonly values: readonly CellValue[];
  readonly count: number;
  readonly figures: readonly CellValue[];
}

/** Deals of companies, with what they are grouped by: company, paid, size, the sum of their parts and the month of their day. */
const deals: readonly (readonly [
  name: string,
  company: number | null,
  amount: string | null,
  day: string | null,
])[] = [
  ['a', 1, '10.50', '2026-01-05'],
  ['b', 1, '20.00', '2026-01-31'],
  ['c', 1, '5.25', '2026-02-01'],
  ['d', 2, null, '2026-02-14'],
  ['e', 2, '7.00', '2026-02-28'],
  ['f', null, '1.00', null],
  ['g', null, '3.00', '2026-01-01'],
];
/** How many parts a deal has, and what they cost: the rollup is their sum. */
const parts: Readonly<Record<string, readonly number[]>> = {
  a: [2, 3],
  b: [5],
  d: [5],
  e: [4, 1, 0],
  g: [5],
};

/** Rows in three levels of groups by a link, a rollup and a formula, as a grid draws them. */
function describeLevels(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  const tables = new Map<string, TableEntity>();
  const table = (title: string) => tables.get(title) as TableEntity;
  const column = (of: string, title: string) =>
    table(of).columns?.find((one) => one.title === title) as ColumnEntity;
  async function add(of: string, body: object) {
    const answer = await owner.post<TableEntity>(`${meta}/tables/${table(of).id}/columns`, body);
    expect(answer).toMatchObject({ status: 200 });
    for (const title of tables.keys())
      tables.set(title, (await owner.get<TableEntity>(`${meta}/tables/${table(title).id}`)).body);
  }
  const keys = (...titles: readonly string[]) =>
    titles.map((title) => ({
      fk_column_id: column('Deals', title.replace(/^-/, '')).id,
      direction: title.startsWith('-') ? 'desc' : 'asc',
    }));
  const asked = (titles: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    new URLSearchParams({ groupArrJson: JSON.stringify(keys(...titles)), ...more }).toString();

  /** `value/value count sum` of each group, level by level. */
  async function levelsBy(titles: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const aggregations = JSON.stringify([
      { column: column('Deals', 'Amount').id, aggregation: 'sum' },
      { column: column('Deals', 'Name').id, aggregation: 'count' },
    ]);
    const path = `${data}/Deals/groups?${asked(titles, { aggregations, ...more })}`;
    const answer = await owner.get<{ levels: readonly (readonly Group[])[] }>(path);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.levels.map((level) =>
      level.map(({ values, count, figures: [sum, counted] }) => {
        expect(Number(counted)).toBe(count);
        return `${values.map(shown).join('/')} ${count} ${sum === null ? '–' : Number(sum)}`;
      }),
    );
  }
  const rowsBy = async (titles: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    (
      await owner.get<{ list: readonly { Name: string }[] }>(`${data}/Deals?${asked(titles, more)}`)
    ).body.list.map(({ Name }) => Name);

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    const project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Desk' })).body.id;
    const named = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText', pv: true },
    ];
    const make = async (title: string, ...columns: readonly object[]) => {
      const body = { title, columns: [...named, ...columns] };
      tables.set(title, (await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, body)).body);
    };
    await make('Companies');
    await make(
      'Deals',
      { title: 'Amount', uidt: 'Decimal', dtxp: '10', dtxs: '2' },
      { title: 'Day', uidt: 'Date' },
    );
    await make('Parts', { title: 'Cost', uidt: 'Number' });
    await add('Deals', {
      title: 'Company',
      uidt: 'LinkToAnotherRecord',
      parentId: table('Companies').id,
      childId: table('Deals').id,
      type: 'bt',
    });
    await add('Deals', {
      title: 'Parts',
      uidt: 'LinkToAnotherRecord',
      parentId: table('Deals').id,
      childId: table('Parts').id,
      type: 'hm',
    });
    await add('Deals', {
      title: 'Cost',
      uidt: 'Rollup',
      fk_relation_column_id: column('Deals', 'Parts').id,
      fk_rollup_column_id: column('Parts', 'Cost').id,
      rollup_function: 'sum',
    });
    const formula = 'DATETIME_FORMAT({Day}, "YYYY-MM")';
    await add('Deals', { title: 'Month', uidt: 'Formula', formula, formula_raw: formula });
    for (const Name of ['Beta', 'Alpha']) await owner.post(`${data}/Companies`, { Name });
    let part = 0;
    for (const [at, [Name, company, Amount, Day]] of deals.entries()) {
      await owner.post(`${data}/Deals`, { Name, Amount, Day });
      if (company !== null) await owner.post(`${data}/Deals/${at + 1}/bt/Company/${company}`);
      for (const Cost of parts[Name] ?? []) {
        await owner.post(`${data}/Parts`, { Name: `${Name} part`, Cost });
        await owner.post(`${data}/Deals/${at + 1}/hm/Parts/${(part += 1)}`);
      }
    }
  });
  afterAll(() => server?.dispose());

  test('have their counts and sums on each level, by a link, a rollup and a formula', async () => {
    const levels = await levelsBy(['Company', 'Cost', 'Month']);
    expect(levels).toEqual([
      [' 2 4', 'Alpha 2 7', 'Beta 3 35.75'],
      ['/ 1 1', '/5 1 3', 'Alpha/5 2 7', 'Beta/ 1 5.25', 'Beta/5 2 30.5'],
      ['// 1 1', '/5/2026-01 1 3', 'Alpha/5/2026-02 2 7', 'Beta//2026-02 1 5.25', 'Beta/5/2026-01 2 30.5'],
    ]);
    expect(await rowsBy(['Company', 'Cost', 'Month'])).toEqual(['f', 'g', 'd', 'e', 'c', 'a', 'b']);
  });

  test('stand in any order of the columns, and backwards', async () => {
    expect(await levelsBy(['-Month', 'Cost', '-Company'])).toEqual([
      ['2026-02 3 12.25', '2026-01 3 33.5', ' 1 1'],
      ['2026-02/ 1 5.25', '2026-02/5 2 7', '2026-01/5 3 33.5', '/ 1 1'],
      ['2026-02//Beta 1 5.25', '2026-02/5/Alpha 2 7', '2026-01/5/Beta 2 30.5', '2026-01/5/ 1 3', '// 1 1'],
    ]);
    expect(await rowsBy(['-Month', 'Cost', '-Company'])).toEqual(['c', 'd', 'e', 'a', 'b', 'g', 'f']);
  });

  test('tell of the rows of a filter alone', async () => {
    const more = { where: '(Cost,gt,0)' };
    expect(await levelsBy(['Company', 'Cost', 'Month'], more)).toEqual([
      [' 1 3', 'Alpha 2 7', 'Beta 2 30.5'],
      ['/5 1 3', 'Alpha/5 2 7', 'Beta/5 2 30.5'],
      ['/5/2026-01 1 3', 'Alpha/5/2026-02 2 7', 'Beta/5/2026-01 2 30.5'],
    ]);
    expect(await rowsBy(['Company', 'Cost', 'Month'], { ...more, sort: '-Name' })).toEqual([
      'g',
      'e',
      'd',
      'b',
      'a',
    ]);
  });
}

/** A value as the head of a group shows it; numbers of databases are texts or numbers. */
function shown(value: CellValue): string {
  if (value === null) return '';
  return Number.isFinite(Number(value)) ? String(Number(value)) : String(value as string);
}

describeEachHome('three levels of groups', describeLevels);
