import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

type Row = Readonly<Record<string, unknown>>;
type Answer = TableEntity & { readonly msg: string; readonly code: string };

const repeated = (item: string, times: number) => Array<string>(times).fill(item).join(',');

/** What it computes: a busy machine answers late. */
async function processorTime(work: () => Promise<void>): Promise<number> {
  const begin = process.cpuUsage();
  await work();
  return process.cpuUsage(begin).user / 1000;
}

function describeLargeFormulas(name: string, start: () => Promise<TestServer>): void {
  describe(name, () => {
    let server: TestServer;
    let client: TestClient;
    let projectId: string;
    let tables = 0;

    beforeAll(async () => {
      server = await start();
      client = await server.signUp();
      const { body } = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Work' });
      projectId = body.id;
    });
    afterAll(() => server?.dispose());

    /** A table with the number 3 in its only row. */
    async function numbers() {
      tables += 1;
      const title = `Numbers ${tables}`;
      const made = await client.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
        title,
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'N', uidt: 'Number' },
          { title: 'Word', uidt: 'SingleLineText' },
        ],
      });
      expect(made).toMatchObject({ status: 200 });
      const rows = `/api/v1/db/data/noco/Work/${encodeURIComponent(title)}`;
      expect(await client.post(rows, { N: 3, Word: 'a' })).toMatchObject({ status: 200 });
      const add = async (column: string, formula: string) =>
        client.post<Answer>(`/api/v1/db/meta/tables/${made.body.id}/columns`, {
          title: column,
          uidt: 'Formula',
          formula,
          formula_raw: formula,
        });
      const read = async (query = '') => client.get<{ list: readonly Row[] }>(`${rows}?${query}`);
      return { add, read, rows, tableId: made.body.id };
    }

    test('What is too large is refused as soon as it is, however often formulas stand in formulas', async () => {
      const { add, read } = await numbers();
      expect(await add('A', `ADD({N}, ${repeated('1', 380)})`)).toMatchObject({ status: 200 });
      expect(await add('E', 'ADD({A}, {A}, {A}, {A}, {A})')).toMatchObject({ status: 200 });
      const large = { status: 400, body: { code: 'EXPRESSION_TOO_LARGE' } };
      const spent = await processorTime(async () => {
        expect(await add('Many', `ADD(${repeated('{E}', 100)})`)).toMatchObject(large);
        expect(await add('More', `SUM(${repeated('{E}', 430)})`)).toMatchObject(large);
      });
      expect(spent).toBeLessThan(1500);
      const { body } = await read();
      expect(body.list.map(({ A, E }) => [Number(A), Number(E)])).toEqual([[383, 1915]]);
    });

    test('A list of long formulas is read, by conditions on them and with sums of them too', async () => {
      const { add, read, rows, tableId } = await numbers();
      const sum = await add('Sum', `ADD({N}, ${repeated('1', 1990)})`);
      expect(sum).toMatchObject({ status: 200 });
      expect(await add('Least', `MIN(${repeated('{N}', 3)}, ${repeated('1', 1100)})`)).toMatchObject({
        status: 200,
      });
      expect(await add('Joined', `CONCAT(${repeated('{Word}', 100)})`)).toMatchObject({ status: 200 });
      expect(await add('All', `AND(${repeated('{N} = 3', 250)})`)).toMatchObject({ status: 200 });
      for (let at = 0; at < 16; at += 1)
        expect(await add(`Sum ${at}`, `ADD({N}, ${repeated('1', 1990)})`)).toMatchObject({ status: 200 });
      const answer = await read('limit=1');
      expect(answer).toMatchObject({ status: 200 });
      const [row] = answer.body.list;
      expect([row?.['Sum'], row?.['Least'], row?.['Sum 0'], row?.['Sum 15']].map(Number)).toEqual([
        1993, 1, 1993, 1993,
      ]);
      expect(row?.['Joined']).toBe('a'.repeat(100));
      expect(row?.['All']).toBe(true);
      const terms = Array(8).fill('(Sum,gt,5)').join('~and');
      const spent = await processorTime(async () => {
        expect(await read(`where=${terms}`)).toMatchObject({
          status: 200,
          body: { list: [{ 'Sum 15': 1993 }] },
        });
      });
      expect(spent).toBeLessThan(3000);
      const meta = await client.get<TableEntity>(`/api/v1/db/meta/tables/${tableId}`);
      expect(meta).toMatchObject({ status: 200 });
      const id = meta.body.columns?.find(({ title }) => title === 'Sum')?.id ?? '';
      const sums = encodeURIComponent(JSON.stringify(Array(60).fill({ column: id, aggregation: 'sum' })));
      const figures = await client.get<{ list: readonly { value: unknown }[] }>(
        `${rows}/aggregate?aggregations=${sums}`,
      );
      expect(figures).toMatchObject({ status: 200 });
      expect(figures.body.list.map(({ value }) => Number(value))).toEqual(Array(60).fill(1993));
    });

    test('Values as deep within each other as a formula takes them are read', async () => {
      const { add, read } = await numbers();
      const within = (levels: number, open: string, last: string, close: string) =>
        `${open.repeat(levels)}${last}${close.repeat(levels)}`;
      const deep = [
        within(90, 'ABS(', '{N}', ')'),
        within(90, 'ADD(1, ', '{N}', ')'),
        within(60, 'IF({N} > 2, ', '{N}', ', 1)'),
        within(30, 'CONCAT(', '{Word}', ', "b")'),
        within(60, 'AND({N} = 3, ', '{N} = 3', ')'),
      ];
      for (const [at, formula] of deep.entries()) {
        expect(await add(`Deep ${at} 0`, formula)).toMatchObject({ status: 200 });
        // On top of each other as high as they may be.
        let refused = '';
        for (let on = 1; refused === ''; on += 1) {
          const below = `{Deep ${at} ${on - 1}}`;
          const levels = [within(9, 'ABS(', below, ')'), within(9, 'ADD(1, ', below, ')')];
          levels.push(within(5, `IF({N} > 2, `, below, ', 1)'));
          levels.push(within(3, 'CONCAT(', below, ', "b")'), within(5, 'AND({N} = 3, ', below, ')'));
          const { status, body } = await add(`Deep ${at} ${on}`, levels[at] ?? '');
          if (status !== 200) refused = body.code;
        }
        expect(refused).toBe('EXPRESSION_TOO_LARGE');
      }
      expect(await read()).toMatchObject({ status: 200, body: { list: [{ 'Deep 0 1': 3 }] } });
    });

    test('A formula that became too large through another table says why its cells are empty', async () => {
      const parents = await numbers();
      const children = await numbers();
      const created = await parents.add('Big', '{N} + 1');
      const big = created.body.columns?.find(({ title }) => title === 'Big')?.id ?? '';
      const columnOf = async (title: string) => {
        const { body } = await client.get<TableEntity>(`/api/v1/db/meta/tables/${children.tableId}`);
        return body.columns?.find((one) => one.title === title);
      };
      const columns = `/api/v1/db/meta/tables/${children.tableId}/columns`;
      const ends = { type: 'bt', parentId: parents.tableId, childId: children.tableId };
      const linked = await client.post(columns, { title: 'Parent', uidt: 'LinkToAnotherRecord', ...ends });
      expect(linked).toMatchObject({ status: 200 });
      const way = { fk_relation_column_id: (await columnOf('Parent'))?.id, fk_lookup_column_id: big };
      expect(await client.post(columns, { title: 'Of parent', uidt: 'Lookup', ...way })).toMatchObject({
        status: 200,
      });
      expect(await children.add('Many', `ADD(${repeated('{Of parent}', 60)})`)).toMatchObject({
        status: 200,
      });
      expect(await client.post(`${children.rows}/1/bt/Parent/1`)).toMatchObject({ status: 200 });
      expect((await children.read()).body.list.map(({ Many }) => Number(Many))).toEqual([240]);
      expect((await columnOf('Many'))?.colOptions).toMatchObject({ error: null });

      const change = (formula: string) =>
        client.patch(`/api/v1/db/meta/columns/${big}`, { title: 'Big', uidt: 'Formula', formula });
      expect(await change(`ADD({N}, ${repeated('1', 980)})`)).toMatchObject({ status: 200 });
      const problem = { code: 'EXPRESSION_TOO_LARGE', params: { length: 100_000 } };
      const error = expect.stringContaining('100000 characters');
      expect((await columnOf('Many'))?.colOptions).toMatchObject({ error, problem });
      expect((await columnOf('Of parent'))?.colOptions).not.toHaveProperty('problem');
      const [row] = (await children.read()).body.list;
      expect([row?.['Many'], Number(row?.['Of parent'])]).toEqual([null, 983]);
      expect(await change('{N} + 2')).toMatchObject({ status: 200 });
      expect((await columnOf('Many'))?.colOptions).toMatchObject({ error: null });
      expect((await children.read()).body.list.map(({ Many }) => Number(Many))).toEqual([300]);
    });

    test('Figures of doubles are empty where there is no room for them, and the other figures and rows are there', async () => {
      const table = await numbers();
      const columns = `/api/v1/db/meta/tables/${table.tableId}/columns`;
      await client.post(columns, { title: 'Share', uidt: 'Percent' });
      const link = {
        uidt: 'LinkToAnotherRecord',
        type: 'hm',
        parentId: table.tableId,
        childId: table.tableId,
      };
      const linked = await client.post<TableEntity>(columns, { title: 'Parts', ...link });
      const id = (title: string) => linked.body.columns?.find((one) => one.title === title)?.id;
      for (const rollup_function of ['sum', 'avg', 'max', 'count'])
        await client.post(columns, {
          title: rollup_function,
          uidt: 'Rollup',
          fk_relation_column_id: id('Parts'),
          fk_rollup_column_id: id('Share'),
          rollup_function,
        });
      for (const Share of [1.7e308, 1.7e308, 5, -1.7e308])
        expect(await client.post(table.rows, { Share })).toMatchObject({ status: 200 });
      for (const key of [2, 3]) await client.post(`${table.rows}/1/hm/Parts/${key}`);
      for (const key of [4]) await client.post(`${table.rows}/2/hm/Parts/${key}`);
      const { body } = await table.read('fields=Id,sum,avg,max,count&sort=Id&limit=2');
      const told = (row: Row | undefined) => [
        row?.['sum'],
        row?.['avg'],
        row?.['max'],
        Number(row?.['count']),
      ];
      expect(body.list.map(told)).toEqual([
        [null, null, 1.7e308, 2],
        [5, 5, 5, 1],
      ]);
      const names = ['sum', 'average', 'median', 'range', 'minimum', 'maximum', 'filled'];
      const asked = names.map((aggregation) => ({ column: id('Share'), aggregation }));
      const figures = async (where: string) => {
        const query = `aggregations=${encodeURIComponent(JSON.stringify(asked))}&where=${where}`;
        const answer = await client.get<{ list: readonly { value: unknown }[] }>(
          `${table.rows}/aggregate?${query}`,
        );
        return answer.body.list.map(({ value }) => (value === null ? null : Number(value)));
      };
      expect(await figures('(Share,notnull)')).toEqual([null, null, null, null, -1.7e308, 1.7e308, 4]);
      expect(await figures('(Share,eq,5)')).toEqual([5, 5, 5, 0, 5, 5, 1]);
      expect(await table.read('where=(sum,gt,4)')).toMatchObject({
        status: 200,
        body: { list: [{ Id: 2 }] },
      });
    });

    test('What a formula would give is told with the digits that the list has, and nothing of it is kept', async () => {
      const { add, read, rows, tableId } = await numbers();
      expect(await client.post(rows, { N: '9007199254740993' })).toMatchObject({ status: 200 });
      const preview = async (body: object) =>
        client.post<{ list: readonly unknown[]; code: string }>(
          `/api/v1/plugins/columns-formula/tables/${tableId}/formula-preview`,
          body,
        );
      const told = await preview({ formula: '{N} + 2' });
      expect(told).toMatchObject({ status: 200 });
      expect(told.body.list.map(String)).toEqual(['5', '9007199254740995']);
      expect((await read()).body.list[0]).not.toHaveProperty('Plus');
      const added = await add('Plus', '{N} + 2');
      expect((await read()).body.list.map(({ Plus }) => Plus)).toEqual(told.body.list);
      const columnId = added.body.columns?.find(({ title }) => title === 'Plus')?.id;
      const changed = await preview({ formula: '{N} * 3', columnId });
      expect(changed.body.list.map(String)).toEqual(['9', '27021597764222979']);
      expect((await read()).body.list.map(({ Plus }) => Plus)).toEqual(told.body.list);
      expect(await preview({ formula: '{Plus} + 1', columnId })).toMatchObject({
        status: 400,
        body: { code: 'COLUMN_CIRCLE' },
      });
      expect(await preview({ formula: '{N' })).toMatchObject({
        status: 400,
        body: { code: 'FORMULA_INVALID' },
      });
      expect(await preview({ formula: '{N}', columnId: 'cl_unknown' })).toMatchObject({ status: 404 });
    });

    test('Many conditions on heavy formulas are answered, or refused with the limit', async () => {
      const { add, read } = await numbers();
      const within = (levels: number, open: string, last: string, close: string) =>
        `${open.repeat(levels)}${last}${close.repeat(levels)}`;
      const heavy = {
        Sum: [`ADD({N}, ${repeated('1', 1990)})`, 'gt,5'],
        Least: [`MIN(${repeated('{N}', 3)}, ${repeated('1', 1100)})`, 'lt,5'],
        Deep: [within(90, 'ADD(1, ', '{N}', ')'), 'gt,5'],
        Either: [within(60, 'IF({N} > 2, ', '{N}', ', 1)'), 'lt,5'],
        Middle: ['MEDIAN({N}, MEDIAN({N}, 1, MEDIAN({N}, 2, 3)), MEDIAN({N}, 4, 5))', 'lt,9'],
        Joined: [`CONCAT(${repeated('{Word}', 100)})`, 'like,a%'],
        Padded: [within(3, 'PADLEFT(', '{Word}', ', 50, "ab")'), 'like,%a'],
        Found: ['REGEX_REPLACE(REGEX_EXTRACT({Word} & "b", "[a-c]+"), "a", "c")', 'like,c%'],
        Held: [`AND(${repeated('{N} = 3', 250)})`, 'eq,true'],
        Root: [within(3, 'POWER(', '{N}', ', 0.5)'), 'lt,9'],
        Round: [within(3, 'ROUNDUP(', '{N} / 7', ', 2)'), 'lt,9'],
      } as const;
      for (const [title, [formula]] of Object.entries(heavy))
        expect([title, await add(title, formula)]).toMatchObject([title, { status: 200 }]);
      const answered: unknown[] = [];
      for (const [title, [, condition]] of Object.entries(heavy))
        for (const by of ['~or', '~and'])
          for (const count of [12, 100]) {
            const where = Array(count).fill(`(${title},${condition})`).join(by);
            const { status, body } = await read(`where=${encodeURIComponent(where)}`);
            const { list, code } = body as { list?: readonly unknown[]; code?: string };
            const outcome = status === 200 ? `${list?.length ?? 0} row` : (code ?? '');
            if (outcome !== '1 row' && outcome !== 'EXPRESSION_TOO_LARGE')
              answered.push([title, by, count, status, JSON.stringify(body).slice(0, 200)]);
          }
      expect(answered).toEqual([]);
    });

    test('A formula that is too long with the ids of its columns is refused with the limit', async () => {
      const { add, read } = await numbers();
      expect(await add('Ids', `ADD(${repeated('{N}', 999)})`)).toMatchObject({
        status: 400,
        body: { code: 'FORMULA_INVALID', msg: expect.stringContaining('at most 10000') },
      });
      expect(await read()).toMatchObject({ status: 200 });
    });
  });
}

describeLargeFormulas('Large formulas with the projects in SQLite', () => createTestServer());

describeEachServer('Large formulas with the projects on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeLargeFormulas(dialect, () => createTestServer({ database: databases }));
});
