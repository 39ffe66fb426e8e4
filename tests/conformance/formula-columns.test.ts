import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

interface FormulaColOptions {
  readonly id: string;
  readonly fk_column_id: string;
  readonly formula: string;
  readonly formula_raw: string;
  readonly error: string | null;
  readonly result: string;
}
type Row = Readonly<Record<string, unknown>>;
type Refusal = { readonly msg: string; readonly code: string; readonly params?: Row };

function describeFormulas(name: string, start: () => Promise<TestServer>): void {
  describe(name, () => {
    let server: TestServer;
    let client: TestClient;
    let table: TableEntity;
    const rowsPath = '/api/v1/db/data/noco/Work/Orders';

    beforeAll(async () => {
      server = await start();
      client = await server.signUp();
      const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', {
        title: 'Work',
      });
      const made = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.id}/tables`, {
        title: 'Orders',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Title', uidt: 'SingleLineText' },
          { title: 'Price', uidt: 'Decimal' },
          { title: 'Count', uidt: 'Number' },
          { title: 'Day', uidt: 'Date' },
          { title: 'O\'Hara {"} `x`; --?', uidt: 'SingleLineText' },
        ],
      });
      expect(made).toMatchObject({ status: 200 });
      table = made.body;
      for (const row of [
        { Title: 'pen', Price: '1.50', Count: 4, Day: '2024-02-29', 'O\'Hara {"} `x`; --?': "it's?" },
        { Title: 'ink', Price: '12.25', Count: 0, Day: '2023-12-31' },
        { Title: null },
      ])
        expect(await client.post(rowsPath, row)).toMatchObject({ status: 200 });
    });
    afterAll(() => server?.dispose());

    const send = async (body: object) =>
      client.post<TableEntity & Refusal>(`/api/v1/db/meta/tables/${table.id}/columns`, body);
    async function add(title: string, formula: string): Promise<ColumnEntity> {
      const made = await send({ title, uidt: 'Formula', formula, formula_raw: formula });
      expect({ formula, ...made }).toMatchObject({ status: 200 });
      table = made.body;
      return column(title);
    }
    const patch = async (title: string, body: object) => {
      const answer = await client.patch<TableEntity & Refusal>(
        `/api/v1/db/meta/columns/${column(title).id}`,
        body,
      );
      if (answer.status === 200) table = answer.body;
      return answer;
    };
    const column = (title: string): ColumnEntity => {
      const found = table.columns?.find((of) => of.title === title);
      if (found === undefined) throw new Error(`There is no column ${title}`);
      return found;
    };
    const optionsOf = (title: string) => column(title).colOptions as FormulaColOptions;
    const list = async (query = '') => {
      const answer = await client.get<{ list: readonly Row[] } & Refusal>(`${rowsPath}?sort=Id&${query}`);
      expect(answer).toMatchObject({ status: 200 });
      return answer.body.list;
    };
    const cells = async (title: string, query = '') => (await list(query)).map((row) => row[title]);

    test('A formula is stored by the ids of its columns, and read and computed by their titles', async () => {
      await add('Label', 'CONCAT({Title},"-", Count)');
      expect(column('Label')).toMatchObject({ uidt: 'Formula', column_name: null, dt: null, virtual: true });
      expect(optionsOf('Label')).toMatchObject({
        id: expect.stringMatching(/^fm_/),
        fk_column_id: column('Label').id,
        formula: `CONCAT({{${column('Title').id}}},"-", {{${column('Count').id}}})`,
        formula_raw: 'CONCAT({Title},"-", {Count})',
        error: null,
        result: 'text',
      });
      expect(await cells('Label')).toEqual(['pen-4', 'ink-0', '-']);
    });

    test('A formula is filtered, sorted, counted and exported like any other column', async () => {
      await add('Total', '{Price} * {Count} - 0.5');
      const numbers = async (query = '') =>
        (await cells('Total', query)).map((value) => (value === null ? null : Number(value)));
      expect(await numbers()).toEqual([5.5, -0.5, null]);
      expect(await numbers('where=(Total,gt,0)')).toEqual([5.5]);
      expect(await numbers('where=(Total,eq,-0.5)')).toEqual([-0.5]);
      const sorted = await client.get<{ list: readonly Row[] }>(`${rowsPath}?sort=-Total`);
      expect(sorted.body.list.map((row) => row['Id'])).toEqual([1, 2, 3]);
      expect((await client.get(`${rowsPath}/count?where=(Total,lt,1)`)).body).toMatchObject({ count: 1 });
      await add('Late', '{Day} >= "2024-01-01"');
      expect(await cells('Id', 'where=(Late,eq,true)')).toEqual([1]);
      // As in a column of boxes, what is empty is not ticked.
      expect(await cells('Id', 'where=(Late,eq,0)')).toEqual([2, 3]);
      await add('Next', 'DATEADD({Day}, 1, "month")');
      expect(await cells('Next')).toEqual(['2024-03-29', '2024-01-31', null]);
      expect(await cells('Id', 'where=(Next,eq,2024-03-29)')).toEqual([1]);
      const fields = ['Title', 'Label', 'Total', 'Late', 'Next'].map((field) => `fields[]=${field}`);
      const csv = await client.get<string>(`${rowsPath}/export/csv?sort=Id&${fields.join('&')}`);
      expect(csv.body.trim().split('\r\n').slice(1)).toEqual([
        'pen,pen-4,5.5,true,2024-03-29',
        'ink,ink-0,-0.5,false,2024-01-31',
        // A text that begins as formulas do is made harmless, a number is not.
        ",'-,,,",
      ]);
    });

    test('Whole numbers are numbers on every database, however it works them out', async () => {
      const wholes = ['LEN({Title}) + 1', 'MAX(LEN({Title}), 5)', 'MOD({Count}, 3)', 'IF({Count} > 1, 1, 2)'];
      for (const [at, formula] of wholes.entries()) await add(`Whole ${at}`, formula);
      const [first] = await list('where=(Id,eq,1)');
      expect(wholes.map((_, at) => first?.[`Whole ${at}`])).toEqual([4, 5, 1, 1]);
    });

    test('Formulas build on formulas, and a circle is refused by its way', async () => {
      await add('Double', '{Total} * 2');
      expect((await cells('Double')).map((value) => (value === null ? null : Number(value)))).toEqual([
        11,
        -1,
        null,
      ]);
      const refused = await patch('Total', { title: 'Total', uidt: 'Formula', formula: '{Double} + 1' });
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'COLUMN_CIRCLE', msg: expect.stringContaining('Total → Double → Total') },
      });
      expect(await patch('Total', { formula: '{Total} + 1' })).toMatchObject({
        status: 400,
        body: { code: 'COLUMN_CIRCLE' },
      });
      expect(await patch('Double', { formula: '{Total} * 2.5' })).toMatchObject({ status: 200 });
      expect(optionsOf('Double').formula_raw).toBe('{Total} * 2.5');
    });

    test('A formula that one of the databases could not read is refused on all of them alike', async () => {
      const deep = (levels: number): string =>
        levels === 0 ? '{Count}' : `MEDIAN(${deep(levels - 1)}, {Count}, {Price})`;
      expect(await send({ title: 'Deep', uidt: 'Formula', formula: deep(16) })).toMatchObject({
        status: 400,
        body: { code: 'EXPRESSION_TOO_LARGE' },
      });
      const padded =
        'PADLEFT(PADLEFT({Title}, MEDIAN({Count}, {Price}, 9), "-"), MEDIAN({Count}, 12, 3), ".")';
      await add('Padded', padded);
      expect((await cells('Padded'))[0]).toBe('-pen');
    });

    test('A new title changes nothing, and neither does the whole column sent back', async () => {
      expect(await patch('Title', { title: 'Na}me', uidt: 'SingleLineText' })).toMatchObject({ status: 200 });
      expect(optionsOf('Label').formula_raw).toBe('CONCAT({Na\\}me},"-", {Count})');
      const { formula } = optionsOf('Label');
      expect(await patch('Label', { ...column('Label'), title: 'Tag' })).toMatchObject({ status: 200 });
      expect(optionsOf('Tag')).toMatchObject({ formula });
      expect(await patch('Tag', { formula: optionsOf('Tag').formula_raw })).toMatchObject({ status: 200 });
      expect(optionsOf('Tag').formula).toBe(formula);
      expect(await cells('Tag')).toEqual(['pen-4', 'ink-0', '-']);
      expect(await patch('Na}me', { title: 'Title', uidt: 'SingleLineText' })).toMatchObject({ status: 200 });
    });

    test('A formula whose column was deleted says so, keeps its text and leaves the rows, and can be mended', async () => {
      expect(await send({ title: 'Gone', uidt: 'SingleLineText' })).toMatchObject({ status: 200 });
      table = (await client.get<TableEntity>(`/api/v1/db/meta/tables/${table.id}`)).body;
      await add('Shout', 'UPPER({Gone}) & "!"');
      await add('Louder', '{Shout} & "!"');
      const after = await client.delete<TableEntity>(`/api/v1/db/meta/columns/${column('Gone').id}`);
      expect(after).toMatchObject({ status: 200 });
      table = after.body;
      expect(optionsOf('Shout')).toMatchObject({
        error: "Column 'Gone' was deleted",
        formula_raw: 'UPPER({Gone}) & "!"',
      });
      const rows = await list();
      expect(rows[0]).not.toHaveProperty('Shout');
      expect(rows[0]).not.toHaveProperty('Louder');
      expect(await client.get(`${rowsPath}?where=(Shout,eq,a)`)).toMatchObject({
        status: 409,
        body: { code: 'COLUMN_MISSING' },
      });
      expect(await patch('Shout', { formula: 'UPPER({Title}) & "!"' })).toMatchObject({ status: 200 });
      expect(optionsOf('Shout').error).toBeNull();
      expect(await cells('Louder')).toEqual(['PEN!!', 'INK!!', '!!']);
    });

    test.each([
      ['CONCAT({Title', 'Unclosed } at character 13', 13],
      ['{Count} + =', 'Unexpected "=" at character 10', 10],
      ['NOSUCH(1)', 'There is no function NOSUCH', 0],
      ['{Nowhere} + 1', "There is no column 'Nowhere'", 0],
      ['1 + {Title}', 'The sign + takes: number. This is: text', 4],
      ['ROUND({Title})', 'Argument 1 of ROUND, "number", takes: number. This is: text', 6],
      ['ROUND()', 'ROUND takes: ROUND(number, [digits]). Arguments that were given: 0', 0],
      ['DATEADD({Day}, 1, "1 day\'); drop table x; --")', 'one of: "second"', 18],
      ['{Title} = 1', 'The sign = takes: text. This is: number', 10],
      ['', 'Missing `formula`', undefined],
    ])('The formula %s is refused with what is wrong and where', async (formula, message, position) => {
      const refused = await send({ title: 'Refused', uidt: 'Formula', formula });
      expect(refused).toMatchObject({
        status: 400,
        body: {
          msg: expect.stringContaining(message),
          ...(position !== undefined && { params: { position } }),
        },
      });
    });

    test('A formula reads what is computed over linked rows, and is summed over them', async () => {
      const project = table.project_id;
      const people = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project}/tables`, {
        title: 'People',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Name', uidt: 'SingleLineText' },
        ],
      });
      const made = await client.post<TableEntity>(`/api/v1/db/meta/tables/${people.body.id}/columns`, {
        title: 'Orders',
        uidt: 'LinkToAnotherRecord',
        parentId: people.body.id,
        childId: table.id,
        type: 'hm',
      });
      expect(made).toMatchObject({ status: 200 });
      const idOf = (of: TableEntity, title: string) => of.columns?.find((one) => one.title === title)?.id;
      const rolled = await client.post<TableEntity>(`/api/v1/db/meta/tables/${people.body.id}/columns`, {
        title: 'Sum',
        uidt: 'Rollup',
        fk_relation_column_id: idOf(made.body, 'Orders'),
        fk_rollup_column_id: column('Price').id,
        rollup_function: 'sum',
      });
      expect(rolled).toMatchObject({ status: 200 });
      const overFormulas = [
        ['Totals', 'Total', 'sum'],
        ['Best', 'Total', 'max'],
        ['Last', 'Next', 'max'],
        ['Tags', 'Tag', 'countDistinct'],
      ] as const;
      for (const [title, of, rollup_function] of overFormulas)
        expect(
          await client.post(`/api/v1/db/meta/tables/${people.body.id}/columns`, {
            title,
            uidt: 'Rollup',
            fk_relation_column_id: idOf(made.body, 'Orders'),
            fk_rollup_column_id: column(of).id,
            rollup_function,
          }),
        ).toMatchObject({ status: 200 });
      const added = await client.post<TableEntity>(`/api/v1/db/meta/tables/${people.body.id}/columns`, {
        title: 'Doubled',
        uidt: 'Formula',
        formula: 'ROUND({Sum} * 2, 1) & " of " & {Name}',
      });
      expect(added).toMatchObject({ status: 200 });
      const refused = await client.post<Refusal>(`/api/v1/db/meta/tables/${people.body.id}/columns`, {
        title: 'Wrong',
        uidt: 'Formula',
        formula: 'YEAR({Sum})',
      });
      expect(refused).toMatchObject({ status: 400, body: { code: 'FORMULA_INVALID' } });
      const peoplePath = '/api/v1/db/data/noco/Work/People';
      expect(await client.post(peoplePath, { Name: 'Ada' })).toMatchObject({ status: 200 });
      for (const order of [1, 2])
        expect(await client.post(`${peoplePath}/1/hm/Orders/${order}`, {})).toMatchObject({ status: 200 });
      const rows = await client.get<{ list: readonly Row[] }>(peoplePath);
      const [ada] = rows.body.list;
      expect(ada).toMatchObject({ Doubled: '27.5 of Ada', Last: '2024-03-29' });
      expect([ada?.['Totals'], ada?.['Best'], ada?.['Tags']].map(Number)).toEqual([5, 5.5, 2]);
      const found = await client.get<{ list: readonly Row[] }>(`${peoplePath}?where=(Totals,eq,5)`);
      expect(found.body.list).toHaveLength(1);
    });

    test('Hostile titles and texts are values, and never SQL', async () => {
      await add('Quoted', "{O'Hara \\{\"\\} `x`; --?} & '\\'); drop table x; -- ? :a $1' & \"\\\\\"");
      expect(await cells('Quoted')).toEqual([
        "it's?'); drop table x; -- ? :a $1\\",
        "'); drop table x; -- ? :a $1\\",
        "'); drop table x; -- ? :a $1\\",
      ]);
    });

    test('A million characters and a hundred thousand brackets are refused at once', async () => {
      for (const formula of [
        '1'.repeat(1e6),
        '('.repeat(1e5),
        '-'.repeat(9000) + '1',
        'ABS('.repeat(2000),
        `${'1+'.repeat(4000)}1`,
      ]) {
        const begin = process.cpuUsage();
        const refused = await send({ title: 'Refused', uidt: 'Formula', formula });
        expect([400, 413]).toContain(refused.status);
        // What it computes: a busy machine answers late.
        expect(process.cpuUsage(begin).user / 1000).toBeLessThan(2000);
      }
    });
  });
}

describeFormulas('Formulas with the projects in SQLite', () => createTestServer());

describeEachServer('Formulas with the projects on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeFormulas(dialect, () => createTestServer({ database: databases }));
});
