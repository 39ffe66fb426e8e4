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
