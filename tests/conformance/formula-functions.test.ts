import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineFormulaFunction, type ColumnEntity, type TableEntity } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

type Row = Readonly<Record<string, unknown>>;
interface Refusal {
  readonly code?: string;
  readonly msg?: string;
}

/** Made of nodes that every database has. */
const doubled = defineFormulaFunction({
  id: 'DOUBLED',
  group: 'Numbers',
  parameters: [{ name: 'number', takes: 'number' }],
  result: 'number',
  summary: 'Twice a number.',
  example: 'DOUBLED(21)',
  build: ([value]) => ({
    kind: 'arithmetic',
    operator: 'multiply',
    left: value as never,
    right: { kind: 'literal', value: 2, storage: 'integer' },
  }),
  run: ([value]) => Number(value) * 2,
});

/** Made of SQL of its own, which differs from database to database. */
const reversed = defineFormulaFunction({
  id: 'REVERSED',
  group: 'Texts',
  parameters: [
    { name: 'text', takes: 'text' },
    { name: 'mark', takes: 'text', optional: true },
  ],
  result: 'text',
  summary: 'A text from its end to its beginning, with a mark behind it.',
  example: 'REVERSED("abc", "!")',
  build: ([value, mark = { kind: 'literal', value: '', storage: 'text' }]) => ({
    kind: 'concat',
    items: [{ kind: 'call', function: 'ACME_REVERSED', arguments: [value as never] }, mark],
  }),
  run: ([value, mark = '']) =>
    Array.from(value as string)
      .toReversed()
      .join('') + (mark as string),
});

const broken = defineFormulaFunction({
  ...doubled,
  id: 'BROKEN',
  build: () => {
    throw new TypeError('out of order');
  },
});

const characters = (text: string) =>
  `(with recursive each_one(place, made) as (select 1, '' union all select place + 1, substr(${text}, place, 1) || made from each_one where place <= length(${text})) select made from each_one order by place desc limit 1)`;

const acme = testPlugin(
  'acme-formulas',
  (ctx) => {
    ctx.register('functions', {
      id: 'ACME_REVERSED',
      parameters: [{ kinds: ['text'] }],
      result: ([value]) => ({ kind: 'text', nullable: value?.nullable ?? true }),
      body: { kind: 'sql', text: { default: 'reverse({0})', sqlite: characters('{0}') } },
    });
    for (const one of [doubled, reversed, broken]) ctx.register('formulaFunctions', one);
  },
  {
    dependencies: { 'columns-formula': '^1.0.0' },
    contributes: {
      functions: [{ id: 'ACME_REVERSED' }],
      formulaFunctions: [{ id: 'DOUBLED' }, { id: 'REVERSED' }, { id: 'BROKEN' }],
    },
  },
);

function describeFunctions(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let table: TableEntity;
  const rowsPath = '/api/v1/db/data/noco/Shop/Parts';
  const set = async (state: 'enable' | 'disable') =>
    expect(await owner.post(`/api/v1/app-store/plugins/acme-formulas/${state}`, {})).toMatchObject({
      status: 200,
    });

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp();
    const project = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    const made = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Parts',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Count', uidt: 'Number' },
      ],
    });
    table = made.body;
    for (const [Name, Count] of [
      ['Ada', 4],
      ['Bob', 1],
      [null, null],
    ])
      await owner.post(rowsPath, { Name, Count });
    await add('Two', 'doubled({Count}) + 1');
    await add('Back', 'UPPER(REVERSED({Name}, "!"))');
  });
  afterAll(() => server?.dispose());

  const send = (title: string, formula: string) =>
    owner.post<TableEntity & Refusal>(`/api/v1/db/meta/tables/${table.id}/columns`, {
      title,
      uidt: 'Formula',
      formula,
    });
  async function add(title: string, formula: string): Promise<void> {
    const made = await send(title, formula);
    expect(made).toMatchObject({ status: 200 });
    table = made.body;
  }
  const list = async (query = '') =>
    (await owner.get<{ list: readonly Row[] }>(`${rowsPath}?sort=Id&${query}`)).body.list;
  const column = async (title: string): Promise<ColumnEntity | undefined> =>
    (await owner.get<TableEntity>(`/api/v1/db/meta/tables/${table.id}`)).body.columns?.find(
      (one) => one.title === title,
    );

  test('are computed, filtered and sorted by as those of the product', async () => {
    const rows = await list();
    expect(rows.map(({ Two, Back }) => [Two, Back])).toEqual([
      [9, 'ADA!'],
      [3, 'BOB!'],
      [null, null],
    ]);
    expect(await list('where=(Back,eq,BOB!)')).toMatchObject([{ Name: 'Bob' }]);
    expect((await list('sort=-Two&limit=1'))[0]).toMatchObject({ Name: 'Ada' });
    expect(await column('Two')).toMatchObject({ colOptions: { result: 'number', error: null } });
  });

  test('refuse what they do not take, with the place of it', async () => {
    expect(await send('Wrong', 'DOUBLED({Name})')).toMatchObject({
      status: 400,
      body: { code: 'FORMULA_INVALID', msg: 'Argument 1 of DOUBLED, "number", takes: number. This is: text' },
    });
    expect(await send('Wrong', 'REVERSED()')).toMatchObject({
      status: 400,
      body: { msg: 'REVERSED takes: REVERSED(text, [mark]). Arguments that were given: 0' },
    });
  });

  test('that fail are refused by their name, and no table is lost by them', async () => {
    expect(await send('Wrong', 'BROKEN({Count})')).toMatchObject({
      status: 400,
      body: { msg: 'The function BROKEN failed; the plugin that brings it has a fault' },
    });
    expect(await list()).toHaveLength(3);
  });

  test('are said to be missing where their plugin is off: formulas keep their texts, and rows are read on', async () => {
    await set('disable');
    const rows = await list();
    expect(rows.map(({ Name }) => Name)).toEqual(['Ada', 'Bob', null]);
    expect(rows[0]).not.toHaveProperty('Two');
    expect(await column('Two')).toMatchObject({
      colOptions: {
        formula_raw: 'doubled({Count}) + 1',
        error: 'The function DOUBLED is missing: the plugin that brings it is switched off',
      },
    });
    expect(await send('More', 'DOUBLED({Count})')).toMatchObject({
      status: 400,
      body: { msg: 'There is no function DOUBLED' },
    });
    await set('enable');
    expect((await list())[0]).toMatchObject({ Two: 9, Back: 'ADA!' });
    expect(await column('Two')).toMatchObject({ colOptions: { error: null } });
  });
}

describeEachHome('functions that a plugin adds to formulas', (start) =>
  describeFunctions(() => start({ plugins: [acme] })),
);

test('names that formulas cannot call, or call already, are refused with their plugin', async () => {
  for (const id of ['round', 'ROUND']) {
    const wrong = testPlugin(
      'acme-wrong',
      (ctx) => void ctx.register('formulaFunctions', { ...doubled, id }),
      {
        dependencies: { 'columns-formula': '^1.0.0' },
        contributes: { formulaFunctions: [{ id }] },
      },
    );
    const server = await createTestServer({ plugins: [wrong] });
    const owner = await server.signUp();
    const { body } = await owner.get<{ list: readonly Row[] }>('/api/v1/app-store/plugins');
    expect(body.list.find((one) => one['id'] === 'acme-wrong')).toMatchObject({ state: 'failed' });
    await server.dispose();
  }
});
