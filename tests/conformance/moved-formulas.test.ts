import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ColumnEntity, ColumnTrial, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Desk';
const meta = '/api/v1/db/meta';

interface Option {
  readonly id: string;
  readonly title: string;
}

/** Formulas that name an option of a list, once the option is called otherwise. */
function describeMoved(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let project = '';
  const tables = new Map<string, TableEntity>();

  const table = (title: string) => tables.get(title) as TableEntity;
  const column = (of: string, title: string) =>
    table(of).columns?.find((one) => one.title === title) as ColumnEntity;
  const readAgain = async (title: string) => {
    const { body } = await owner.get<TableEntity>(`${meta}/tables/${table(title).id}`);
    tables.set(title, body);
  };
  async function add(of: string, body: object) {
    expect(await owner.post(`${meta}/tables/${table(of).id}/columns`, body)).toMatchObject({ status: 200 });
    await readAgain(of);
  }
  const addFormula = (of: string, title: string, formula: string) =>
    add(of, { title, uidt: 'Formula', formula_raw: formula, formula });

  /** The options of `State` with other names; undefined takes one away. */
  async function optionsAs(change: Readonly<Record<string, string | undefined>>) {
    await readAgain('Tasks');
    const of = column('Tasks', 'State');
    const { options } = of.meta as unknown as { readonly options: readonly Option[] };
    return {
      path: `${meta}/columns/${of.id}`,
      body: {
        options: options.flatMap((option) => {
          const title = option.title in change ? change[option.title] : option.title;
          return title === undefined ? [] : [{ ...option, title }];
        }),
      },
    };
  }
  async function setOptions(change: Readonly<Record<string, string | undefined>>, more: object = {}) {
    const { path, body } = await optionsAs(change);
    const flags = { acceptLoss: true, ...more };
    expect(await owner.patch(path, { colOptions: body, meta: flags })).toMatchObject({ status: 200 });
    await readAgain('Tasks');
    await readAgain('Goals');
  }
  const textOf = (of: string, title: string) =>
    (column(of, title).colOptions as { readonly formula_raw: string }).formula_raw;
  const cells = async (of: string, title: string) =>
    (await owner.get<{ list: Record<string, unknown>[] }>(`${data}/${of}?sort=Id`)).body.list.map(
      (row) => row[title],
    );

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Desk' })).body.id;
    const named = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    const make = async (title: string, ...columns: readonly object[]) => {
      const body = { title, columns: [...named, ...columns] };
      tables.set(title, (await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, body)).body);
    };
    const options = [{ title: 'Open' }, { title: 'Closed' }, { title: 'Late' }];
    await make('Tasks', { title: 'State', uidt: 'SingleSelect', colOptions: { options } });
    await make('Goals');
    for (const [Name, State] of [
      ['one', 'Open'],
      ['two', 'Closed'],
    ])
      await owner.post(`${data}/Tasks`, { Name, State });
    await owner.post(`${data}/Goals`, { Name: 'goal' });
    await add('Goals', {
      title: 'Step',
      uidt: 'LinkToAnotherRecord',
      parentId: table('Tasks').id,
      childId: table('Goals').id,
      type: 'bt',
    });
    await owner.post(`${data}/Goals/1/bt/Step/1`);
    await add('Goals', {
      title: 'State of step',
      uidt: 'Lookup',
      fk_relation_column_id: column('Goals', 'Step').id,
      fk_lookup_column_id: column('Tasks', 'State').id,
    });
    await addFormula('Tasks', 'Mark', `IF({State} = 'Open', "Open", "–")  & ""`);
    await addFormula('Tasks', 'Points', 'SWITCH({State}, "Open", 1, "Closed", 2, 0)');
    await addFormula('Tasks', 'Found', 'SEARCH({State}, "Open")');
    await addFormula('Tasks', 'Other', 'IF({Name} = "Open", 1, 0)');
    await addFormula('Goals', 'Ready', 'IF("Open" != {State of step}, "yes", "no")');
  });
  afterAll(() => server?.dispose());

  test('what a renamed option would change is told before anything is', async () => {
    const { path, body } = await optionsAs({ Open: 'To do' });
    const trial = await owner.post<ColumnTrial>(`${path}/trial`, { colOptions: body });
    expect(trial.body.naming).toEqual([
      expect.objectContaining({ table: 'Tasks', title: 'Mark', follows: true, remains: true }),
      expect.objectContaining({ table: 'Tasks', title: 'Points', follows: true, remains: false }),
      expect.objectContaining({ table: 'Tasks', title: 'Found', follows: false, remains: true }),
      expect.objectContaining({ table: 'Goals', title: 'Ready', follows: true, remains: false }),
    ]);
    expect(textOf('Tasks', 'Points')).toBe('SWITCH({State}, "Open", 1, "Closed", 2, 0)');
  });

  test('formulas that compare with a renamed option compare with its new name, and mean what they did', async () => {
    await setOptions({ Open: `It's "on"` });
    // What a formula gives as its result is the author's own text.
    expect(textOf('Tasks', 'Mark')).toBe(`IF({State} = 'It\\'s "on"', "Open", "–")  & ""`);
    expect(textOf('Tasks', 'Points')).toBe('SWITCH({State}, "It\'s \\"on\\"", 1, "Closed", 2, 0)');
    expect(textOf('Tasks', 'Found')).toBe('SEARCH({State}, "Open")');
    expect(textOf('Tasks', 'Other')).toBe('IF({Name} = "Open", 1, 0)');
    expect(await cells('Tasks', 'Mark')).toEqual(['Open', '–']);
    expect((await cells('Tasks', 'Points')).map(Number)).toEqual([1, 2]);
    expect(await cells('Goals', 'Ready')).toEqual(['no']);
    const audits = await owner.get<{ list: { description: string }[] }>(`${meta}/projects/${project}/audits`);
    expect(audits.body.list.map(({ description }) => description)).toContainEqual(
      expect.stringContaining('“Tasks.Mark”, “Tasks.Points”, “Goals.Ready”'),
    );
  });

  test('they stay as they are where whoever renames the option says so', async () => {
    await setOptions({ [`It's "on"`]: 'Open' }, { keepFormulas: true });
    expect(textOf('Tasks', 'Points')).toBe('SWITCH({State}, "It\'s \\"on\\"", 1, "Closed", 2, 0)');
    expect((await cells('Tasks', 'Points')).map(Number)).toEqual([0, 2]);
    expect(column('Tasks', 'State').meta).not.toHaveProperty('keepFormulas');
  });

  test('a formula that names an option which goes is told, and keeps its text', async () => {
    const { path, body } = await optionsAs({ Closed: undefined });
    const trial = await owner.post<ColumnTrial>(`${path}/trial`, { colOptions: body });
    expect(trial.body.naming).toEqual([
      expect.objectContaining({ title: 'Points', follows: false, remains: true }),
    ]);
    await setOptions({ Closed: undefined });
    expect(textOf('Tasks', 'Points')).toContain('"Closed", 2');
  });
}

describeEachHome('formulas that name options', describeMoved);
