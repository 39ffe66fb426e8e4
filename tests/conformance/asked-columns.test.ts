import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ColumnEntity, FilterOperator, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { askedColumn, type WebColumnType } from '@trellis/sdk/web';
import { datedColumn, rulesOfDays } from '@trellis/sdk/web/cards';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { selectOperators } from '../../plugins/columns-select/shared/operators.ts';
import { filterOperators } from '../../plugins/filters-basic/shared/index.ts';
import { keysOfDays } from '../../plugins/view-calendar/web/use-day-counts.ts';
import { operatorsFor } from '../../sdk/web/views/filter-tree.ts';
import { basicTypes, switchableTypes } from './filled-types.ts';

const meta = '/api/v1/db/meta';
const data = '/api/v1/db/data/noco/Work';
const operators: readonly FilterOperator[] = [...filterOperators, ...selectOperators];
const types = [
  ...basicTypes,
  ...Object.values(switchableTypes).flat(),
] as unknown as readonly WebColumnType[];

const option = (title: string) => ({ id: `sl_${title}`, title, color: '#cfdffe' });
const moods = { options: ['Happy', 'Tired'].map(option) };
const skills = { options: ['Sew', 'Cook', 'Dig'].map(option) };

/** What a filter compares with, by what the column is asked as. */
const samples: Readonly<Record<string, string>> = {
  Date: '2016-03-04',
  Checkbox: 'true',
  SingleSelect: 'Happy',
  MultiSelect: 'Sew',
  SingleLineText: 'Plan!',
  Time: '14:05',
};
const valuesOf: Readonly<Record<string, string>> = { within: 'this year', older: '7 days', later: '7 days' };

function valueFor({ id, arity }: FilterOperator, uidt: string): string {
  const one = samples[uidt] ?? '2';
  if (id === 'is' || id === 'isnot') return 'null';
  return valuesOf[id] ?? (arity === 'two' ? `${one},${one}` : arity === 'none' ? '' : one);
}

/** People and their tasks, with columns of every kind that are computed from them. */
function describeAsked(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let project = '';
  const tables = new Map<string, TableEntity>();

  async function ok<Body>(answer: Promise<{ readonly status: number; readonly body: Body }>): Promise<Body> {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  }
  const table = (title: string) => tables.get(title) as TableEntity;
  const column = (of: string, title: string) =>
    table(of).columns?.find((each) => each.title === title) as ColumnEntity;
  async function make(title: string, columns: readonly object[]): Promise<void> {
    const body = { title, columns: [{ title: 'Id', uidt: 'ID' }, ...columns] };
    tables.set(title, await ok(owner.post<TableEntity>(`${meta}/projects/${project}/tables`, body)));
  }
  async function add(to: string, title: string, uidt: string, body: object): Promise<void> {
    const path = `${meta}/tables/${table(to).id}/columns`;
    tables.set(to, await ok(owner.post<TableEntity>(path, { title, uidt, ...body })));
  }
  const lookUp = (to: string, title: string, link: string, of: ColumnEntity) =>
    add(to, title, 'Lookup', {
      fk_relation_column_id: column(to, link).id,
      fk_lookup_column_id: of.id,
    });
  const rollUp = (title: string, of: string, fn: string) =>
    add('Person', title, 'Rollup', {
      fk_relation_column_id: column('Person', 'Tasks').id,
      fk_rollup_column_id: column('Task', of).id,
      rollup_function: fn,
    });
  const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
  const ask = (of: string, title: string, comparison_op: string, value: unknown) =>
    owner.get<{ readonly list: readonly Readonly<Record<string, unknown>>[]; readonly msg?: string }>(
      `${data}/${of}?filterArrJson=${json([{ fk_column_id: column(of, title).id, comparison_op, value }])}`,
    );
  const found = async (of: string, title: string, operator: string, value: unknown) =>
    (await ok(ask(of, title, operator, value))).list.map((row) => row.Name);

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    project = (await ok(owner.post<{ id: string }>(`${meta}/projects`, { title: 'Work' }))).id;
    await make('Person', [
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      { title: 'Born', uidt: 'Date' },
      { title: 'Mood', uidt: 'SingleSelect', meta: moods },
      { title: 'Skills', uidt: 'MultiSelect', meta: skills },
    ]);
    await make('Task', [
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      { title: 'Start', uidt: 'Date' },
      { title: 'Days', uidt: 'Number' },
      { title: 'Stars', uidt: 'Rating' },
      { title: 'Kind', uidt: 'SingleSelect', meta: moods },
    ]);
    await add('Person', 'Tasks', 'LinkToAnotherRecord', {
      type: 'hm',
      parentId: table('Person').id,
      childId: table('Task').id,
    });
    tables.set('Task', await ok(owner.get<TableEntity>(`${meta}/tables/${table('Task').id}`)));
    const formulas = {
      Due: 'DATEADD({Start}, {Days}, "day")',
      Long: '{Days} > 3',
      Twice: '{Days} * 2',
      Loud: '{Name} & "!"',
    };
    for (const [title, formula] of Object.entries(formulas)) await add('Task', title, 'Formula', { formula });
    await add('Task', 'Spent', 'Formula', { formula: '{Days} * 3600', meta: { number_format: 'duration' } });
    await add('Task', 'At', 'Formula', {
      formula: 'IF({Days} > 3, "09:30:00", "14:05:00")',
      meta: { text_format: 'time', time_format: 'h:mm A' },
    });
    for (const title of ['Born', 'Mood', 'Skills'])
      await lookUp('Task', `${title} of them`, 'Person', column('Person', title));
    await add('Task', 'Age', 'Formula', { formula: 'DATEADD({Born of them}, 1, "year")' });
    await lookUp('Person', 'Starts', 'Tasks', column('Task', 'Start'));
    await lookUp('Person', 'Dues', 'Tasks', column('Task', 'Due'));
    await lookUp('Person', 'Kinds', 'Tasks', column('Task', 'Kind'));
    await rollUp('Sum', 'Days', 'sum');
    await rollUp('Average', 'Days', 'avg');
    await rollUp('All stars', 'Stars', 'sum');
    await rollUp('Best', 'Stars', 'max');
    await rollUp('Last', 'Start', 'max');
    await rollUp('Kinds of tasks', 'Kind', 'countDistinct');
    await add('Person', 'Number', 'Count', { fk_relation_column_id: column('Person', 'Tasks').id });

    const people = [
      { Name: 'Ada', Born: '1985-12-10', Mood: 'Happy', Skills: 'Sew,Dig' },
      { Name: 'Bo', Born: '1990-01-01', Mood: 'Tired', Skills: 'Sew' },
      { Name: 'Cy' },
    ];
    for (const row of people) await ok(owner.post(`${data}/Person`, row));
    const tasks = [
      { Name: 'Plan', Start: '2016-03-01', Days: 3, Stars: 5, Kind: 'Happy' },
      { Name: 'Build', Start: '2016-03-10', Days: 4, Stars: 4, Kind: 'Tired' },
      { Name: 'Ship', Start: '2016-05-01', Days: null, Stars: 1, Kind: null },
      { Name: 'Rest' },
    ];
    for (const row of tasks) await ok(owner.post(`${data}/Task`, row));
    for (const [person, task] of [
      [1, 1],
      [1, 2],
      [2, 3],
    ])
      await ok(owner.post(`${data}/Person/${person}/hm/Tasks/${task}`));
  });
  afterAll(() => server?.dispose());

  test('columns tell as what their values are asked for', () => {
    const told = (of: string, ...titles: readonly string[]) =>
      titles.map((title) => {
        const { uidt, storage, several } = column(of, title).asked ?? {};
        return [title, uidt, storage, ...(several === true ? ['several'] : [])].join(' ');
      });
    expect(told('Task', 'Name', 'Due', 'Long', 'Twice', 'Loud', 'Spent', 'At', 'Age', 'Person')).toEqual([
      'Name  ',
      'Due Date date',
      'Long Checkbox boolean',
      'Twice Decimal decimal',
      'Loud SingleLineText text',
      'Spent Duration decimal',
      'At Time text',
      'Age Date date',
      'Person  ',
    ]);
    expect(told('Task', 'Born of them', 'Mood of them', 'Skills of them')).toEqual([
      'Born of them Date date',
      `Mood of them SingleSelect ${column('Person', 'Mood').storage}`,
      `Skills of them MultiSelect ${column('Person', 'Skills').storage}`,
    ]);
    expect(told('Person', 'Starts', 'Dues', 'Kinds')).toEqual([
      'Starts Date date several',
      'Dues Date date several',
      `Kinds SingleSelect ${column('Task', 'Kind').storage} several`,
    ]);
    // Stars added up are more than a rating holds.
    expect(told('Person', 'Sum', 'Average', 'All stars', 'Best', 'Last', 'Kinds of tasks', 'Number')).toEqual(
      [
        'Sum Number decimal',
        'Average Number float',
        'All stars Decimal decimal',
        `Best Rating ${column('Task', 'Stars').storage}`,
        'Last Date date',
        'Kinds of tasks Number bigint',
        'Number Number bigint',
      ],
    );
    expect(column('Person', 'Kinds').asked?.meta).toMatchObject({ options: [{ title: 'Happy' }, {}] });
  });

  test('each comparison that the page offers is answered', async () => {
    const asked = ['Task', 'Person'].flatMap((of) =>
      (table(of).columns ?? []).flatMap((each) => (each.asked ? [{ of, each }] : [])),
    );
    expect(asked.length).toBe(20);
    const refused: unknown[] = [];
    for (const { of, each } of asked) {
      const { type } = askedColumn(each, types);
      const offered = operatorsFor(type, operators);
      expect([each.title, offered.length > 3]).toEqual([each.title, true]);
      for (const operator of offered) {
        const { status, body } = await ask(of, each.title, operator.id, valueFor(operator, type?.id ?? ''));
        if (status !== 200) refused.push([of, each.title, operator.id, status, body]);
      }
    }
    expect(refused).toEqual([]);
  });

  test('formulas are compared as what they give', async () => {
    expect(await found('Task', 'Due', 'btw', '2016-03-04,2016-03-14')).toEqual(['Plan', 'Build']);
    expect(await found('Task', 'Due', 'within', '2016-03-04 in UTC')).toEqual(['Plan']);
    expect(await found('Task', 'Due', 'older', '1 days in UTC')).toEqual(['Plan', 'Build']);
    expect(await found('Task', 'Long', 'eq', 'true')).toEqual(['Build']);
    expect(await found('Task', 'Twice', 'gt', '7.5')).toEqual(['Build']);
    expect(await found('Task', 'Twice', 'btw', '5.5,6.5')).toEqual(['Plan']);
    expect(await found('Task', 'Loud', 'like', 'pl')).toEqual(['Plan']);
    for (const [title, value, why] of [
      ['Twice', 'abc', 'must be a number'],
      ['Due', 'soon', 'must be a date'],
      ['Long', 'perhaps', 'must be true or false'],
    ] as const) {
      const { status, body } = await ask('Task', title, 'eq', value);
      expect([title, status, body.msg]).toEqual([title, 400, expect.stringContaining(why)]);
    }
  });

  test('formulas that give durations and times are compared and exported as such', async () => {
    expect(await found('Task', 'Spent', 'eq', '3:00')).toEqual(['Plan']);
    expect(await found('Task', 'Spent', 'gt', '210 min')).toEqual(['Build']);
    expect(await found('Task', 'At', 'lt', '12:00')).toEqual(['Build']);
    expect(await found('Task', 'At', 'eq', '2:05 pm')).toEqual(['Plan', 'Ship', 'Rest']);
    expect(await ask('Task', 'Spent', 'gt', 'long')).toMatchObject({ status: 400 });
    const csv = await owner.get<string>(`${data}/Task/export/csv`);
    expect(String(csv.body)).toMatch(/^1,Plan,.*,3:00,2:05 PM,/m);
  });

  test('lookups over a link to one row are compared as the column that they show', async () => {
    expect(await found('Task', 'Mood of them', 'anyof', 'Happy')).toEqual(['Plan', 'Build']);
    expect(await found('Task', 'Skills of them', 'anyof', 'Dig,Cook')).toEqual(['Plan', 'Build']);
    expect(await found('Task', 'Skills of them', 'allof', 'Sew')).toEqual(['Plan', 'Build', 'Ship']);
    expect(await found('Task', 'Skills of them', 'noneof', 'Dig')).toEqual(['Ship', 'Rest']);
    expect(await found('Task', 'Born of them', 'gte', '1990-01-01')).toEqual(['Ship']);
  });

  test('of lookups over several rows one value has to do, or none', async () => {
    expect(await found('Person', 'Starts', 'within', '2016-03-10 in UTC')).toEqual(['Ada']);
    expect(await found('Person', 'Dues', 'btw', '2016-03-04,2016-03-05')).toEqual(['Ada']);
    expect(await found('Person', 'Kinds', 'anyof', 'Tired')).toEqual(['Ada']);
    expect(await found('Person', 'Kinds', 'allof', 'Tired,Happy')).toEqual(['Ada']);
    expect(await found('Person', 'Kinds', 'noneof', 'Tired')).toEqual(['Bo', 'Cy']);
  });

  test('figures are compared as what they are made of', async () => {
    expect(await found('Person', 'Average', 'btw', '3.4,3.6')).toEqual(['Ada']);
    expect(await found('Person', 'All stars', 'eq', '9')).toEqual(['Ada']);
    expect(await found('Person', 'Last', 'later', '1 days in UTC')).toEqual([]);
    expect(await found('Person', 'Number', 'eq', '0')).toEqual(['Cy']);
    expect(await found('Person', 'Number', 'gt', '1')).toEqual(['Ada']);
  });

  test('a calendar and a timeline stand on computed days, and not on lists of them', async () => {
    const path = `${meta}/tables/${table('Task').id}`;
    const due = column('Task', 'Due').id;
    const born = column('Task', 'Born of them').id;
    expect(
      await owner.post(`${path}/calendars`, { title: 'Due', meta: { ranges: [{ fromId: due }] } }),
    ).toMatchObject({
      status: 200,
    });
    expect(
      await owner.post(`${path}/timelines`, { title: 'Bars', meta: { fromId: due, toId: born } }),
    ).toMatchObject({ status: 200 });
    // Where nobody chose, days that people write come first.
    expect(await owner.post(`${path}/timelines`, { title: 'Usual' })).toMatchObject({
      status: 200,
      body: { meta: { fromId: column('Task', 'Start').id, toId: '' } },
    });
    expect(
      await owner.post(`${meta}/tables/${table('Person').id}/calendars`, {
        title: 'Several',
        meta: { ranges: [{ fromId: column('Person', 'Starts').id }] },
      }),
    ).toMatchObject({ status: 400 });
  });

  const firstDays = { Due: '2016-03-04', 'Born of them': '1985-12-10', Age: '1986-12-10' } as const;
  type Dated = keyof typeof firstDays;
  /** How a calendar reads a column, and the days of the month of its first row. */
  function monthOf(title: Dated) {
    const dated = datedColumn(column('Task', title), types);
    if (dated === undefined) throw new Error(`${title} says nothing of days.`);
    const month = firstDays[title].slice(0, 8);
    return { dated, span: { start: `${month}01`, end: `${month}28` } };
  }

  test.each(['Due', 'Born of them', 'Age'] as const)(
    'the rows of days are read, and found nearby, by %s',
    async (title) => {
      const { dated, span } = monthOf(title);
      expect(dated).toMatchObject({ unit: 'day', isWritten: false });
      const rows = async (query: string) =>
        (await ok(owner.get<{ list: readonly { Name: string }[] }>(`${data}/Task?${query}`))).list.map(
          ({ Name }) => Name,
        );
      const inSight = json(rulesOfDays({ from: dated }, span));
      expect(await rows(`filterArrJson=${inSight}`)).toEqual(['Plan', 'Build']);
      const empty = [{ fk_column_id: dated.id, comparison_op: 'null', value: null }];
      expect(await rows(`filterArrJson=${json(empty)}`)).toContain('Rest');
      const before = [{ fk_column_id: dated.id, comparison_op: 'lt', value: span.end }];
      const last = [{ fk_column_id: dated.id, direction: 'desc' }];
      const [nearest] = await rows(`limit=1&filterArrJson=${json(before)}&sortArrJson=${json(last)}`);
      expect(nearest).toBe(title === 'Due' ? 'Build' : 'Plan');
    },
  );

  test.each(['Due', 'Born of them'] as const)('the rows of each day are counted by %s', async (title) => {
    const { dated, span } = monthOf(title);
    const [key] = keysOfDays({ from: dated }, span);
    const by = json([{ fk_column_id: key?.columnId, direction: 'asc', bounds: key?.bounds }]);
    const path = `${data}/Task/groups?groupArrJson=${by}`;
    const { levels } = await ok(owner.get<{ levels: readonly unknown[] }>(path));
    expect(JSON.stringify(levels)).toContain(`[${Number(firstDays[title].slice(8)) - 1}]`);
  });

  test('a visitor of a shared view is told the same, and of the columns behind it nothing', async () => {
    const path = `${meta}/tables/${table('Task').id}/grids`;
    const view = await ok(owner.post<{ id: string }>(path, { title: 'Open' }));
    const { uuid } = await ok(owner.post<{ uuid: string }>(`${meta}/views/${view.id}/share`, {}));
    const base = `/api/v1/db/public/shared-view/${uuid}`;
    const visitor = server.client;
    const { model } = await ok(visitor.get<{ model: TableEntity }>(`${base}/meta`));
    const told = (title: string) => model.columns?.find((each) => each.title === title);
    for (const title of ['Due', 'Long', 'Twice', 'Loud', 'Age', 'Born of them', 'Mood of them'])
      expect([title, told(title)?.asked]).toEqual([title, column('Task', title).asked]);
    expect(told('Due')).toMatchObject({ meta: null });
    expect(JSON.stringify(told('Mood of them'))).not.toContain(column('Person', 'Mood').id);
    const seen = async (title: string, comparison_op: string, value: string) => {
      const rule = [{ fk_column_id: column('Task', title).id, comparison_op, value }];
      const rows = await ok(
        visitor.get<{ data: { list: readonly { Name: string }[] } }>(
          `${base}/rows?filterArrJson=${json(rule)}`,
        ),
      );
      return rows.data.list.map(({ Name }) => Name);
    };
    expect(await seen('Due', 'within', '2016-03-04 in UTC')).toEqual(['Plan']);
    expect(await seen('Long', 'eq', 'true')).toEqual(['Build']);
    expect(await seen('Skills of them', 'anyof', 'Dig')).toEqual(['Plan', 'Build']);
  });
}

describe('computed columns are asked as what they hold, on SQLite', () => {
  describeAsked(() => createTestServer());
});

describeEachServer('computed columns are asked as what they hold', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeAsked(() => createTestServer({ database: databases }));
});
