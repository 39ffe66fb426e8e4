import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ColumnTrial, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

type Row = Readonly<Record<string, unknown>> & { readonly Id: number };

function describeNumbers(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let client: TestClient;
  let project: string;

  beforeAll(async () => {
    server = await start();
    client = await server.signUp();
    const made = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Work' });
    project = made.body.id;
  });
  afterAll(() => server?.dispose());

  const tables = () => `/api/v1/db/meta/projects/${project}/tables`;
  const columns = [
    { title: 'Id', uidt: 'ID' },
    { title: 'Title', uidt: 'SingleLineText' },
  ];
  const number = { title: 'No', uidt: 'AutoNumber' };
  const pathOf = (title: string) => `/api/v1/db/data/noco/Work/${title}`;
  const bulkOf = (title: string) => pathOf(title).replace('/data/', '/data/bulk/');

  async function createTable(title: string, more: readonly object[] = [number]): Promise<TableEntity> {
    const { status, body } = await client.post<TableEntity>(tables(), {
      title,
      columns: [...columns, ...more],
    });
    expect(status).toBe(200);
    return body;
  }

  async function numbersOf(title: string): Promise<readonly (number | null)[]> {
    const { body } = await client.get<{ list: readonly Row[] }>(`${pathOf(title)}?limit=1000&sort=No`);
    return body.list.map(({ No }) => (No === null ? null : Number(No)));
  }

  test('rows are numbered as they are added, whatever the client sends, and no number is given twice', async () => {
    await createTable('Counted');
    const path = pathOf('Counted');
    const one = await client.post<Row>(path, { Title: 'one', No: 99 });
    expect(one).toMatchObject({ status: 200 });
    expect(Number(one.body.No)).toBe(1);
    expect(await client.post(bulkOf('Counted'), [{ Title: 'two' }, { No: 5 }])).toMatchObject({
      status: 200,
    });
    expect(await numbersOf('Counted')).toEqual([1, 2, 3]);
    const last = (await client.get<{ list: readonly Row[] }>(`${path}?sort=-Id`)).body.list[0];
    const gone = await client.delete(`${path}/${last?.Id}`);
    await client.patch(`${path}/${one.body.Id}`, { Title: 'changed', No: 50 });
    expect(Number((await client.post<Row>(path, {})).body.No)).toBe(4);
    const operation = gone.headers.get('x-trellis-operation');
    expect(await client.post(`/api/v1/db/data/operations/Work/${operation}/undo`)).toMatchObject({
      status: 200,
    });
    expect(await numbersOf('Counted')).toEqual([1, 2, 3, 4]);
  });

  test('rows that are added at the same moment get numbers of their own', async () => {
    await createTable('Crowded');
    const calls = Array.from({ length: 20 }, (_, index) =>
      index % 4 === 0
        ? client.post(bulkOf('Crowded'), [{}, {}, {}])
        : client.post(pathOf('Crowded'), { Title: `row ${index}` }),
    );
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    expect(await numbersOf('Crowded')).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  test('the rows that are there are numbered by their keys when the column is added', async () => {
    const table = await createTable('Late', []);
    await client.post(
      bulkOf('Late'),
      Array.from({ length: 2345 }, (_, index) => ({ Title: `row ${index}` })),
    );
    expect(await client.post(`/api/v1/db/meta/tables/${table.id}/columns`, number)).toMatchObject({
      status: 200,
    });
    const { body } = await client.get<{ list: readonly Row[] }>(`${pathOf('Late')}?limit=1000&sort=-Id`);
    expect(Number(body.list[0]?.No)).toBe(2345);
    expect(Number(body.list[999]?.No)).toBe(1346);
    expect((await client.get(`${pathOf('Late')}/count?where=(No,null)`)).body).toMatchObject({ count: 0 });
    expect(Number((await client.post<Row>(pathOf('Late'), {})).body.No)).toBe(2346);
  });

  test('a column from the trash numbers the rows that were added meanwhile, after those that have a number', async () => {
    const table = await createTable('Restored');
    const id = table.columns?.find(({ title }) => title === 'No')?.id;
    await client.post(pathOf('Restored'), { Title: 'a' });
    expect(await client.delete(`/api/v1/db/meta/columns/${id}`)).toMatchObject({ status: 200 });
    await client.post(bulkOf('Restored'), [{ Title: 'b' }, { Title: 'c' }]);
    const restore = () => client.post(`/api/v1/db/meta/projects/${project}/trash/columns/${id}/restore`, {});
    expect(await restore()).toMatchObject({ status: 200 });
    expect(Number((await client.post<Row>(pathOf('Restored'), { Title: 'd' })).body.No)).toBe(4);
    expect(await numbersOf('Restored')).toEqual([1, 2, 3, 4]);

    // The number of a row that is gone is not given again.
    const gone = await client.post<Row>(pathOf('Restored'), { Title: 'e' });
    await client.delete(`${pathOf('Restored')}/${gone.body.Id}`);
    await client.delete(`/api/v1/db/meta/columns/${id}`);
    await client.post(pathOf('Restored'), { Title: 'f' });
    expect(await restore()).toMatchObject({ status: 200 });
    expect(await numbersOf('Restored')).toEqual([1, 2, 3, 4, 6]);
    expect(Number((await client.post<Row>(pathOf('Restored'), { Title: 'g' })).body.No)).toBe(7);

    await client.delete(`/api/v1/db/meta/columns/${id}`);
    expect(await client.post(`/api/v1/db/meta/tables/${table.id}/columns`, number)).toMatchObject({
      status: 200,
    });
    expect(await restore()).toMatchObject({ status: 400, body: { code: 'ONE_ROW_NUMBER' } });
  });

  test('a table has one column that numbers its rows', async () => {
    const refused = { status: 400, body: { code: 'ONE_ROW_NUMBER', msg: expect.stringContaining('No') } };
    const second = { title: 'Other', uidt: 'AutoNumber' };
    expect(
      await client.post(tables(), { title: 'Twice', columns: [...columns, number, second] }),
    ).toMatchObject(refused);
    const table = await createTable('Once', [number, { title: 'Size', uidt: 'Number' }]);
    expect(await client.post(`/api/v1/db/meta/tables/${table.id}/columns`, second)).toMatchObject(refused);
    const size = table.columns?.find(({ title }) => title === 'Size');
    expect(
      await client.patch(`/api/v1/db/meta/columns/${size?.id}`, { title: 'Size', uidt: 'AutoNumber' }),
    ).toMatchObject(refused);
  });

  test('a column of whole numbers that is to count up numbers the rows, when it is made and later', async () => {
    const counting = { title: 'No', uidt: 'Number', ai: true };
    const made = await createTable('Counting', [counting]);
    const found = (table: TableEntity) => table.columns?.find(({ title }) => title === 'No');
    expect(found(made)).toMatchObject({ uidt: 'AutoNumber', ai: true });
    const table = await createTable('Counts later', [
      { title: 'No', uidt: 'Number' },
      { title: 'Price', uidt: 'Decimal' },
    ]);
    await client.post(bulkOf('Counts later'), [{ Title: 'a', No: 7 }, { Title: 'b' }]);
    const patch = (title: string, body: object) => {
      const id = table.columns?.find((column) => column.title === title)?.id;
      return client.patch<TableEntity>(`/api/v1/db/meta/columns/${id}`, { title, ...body });
    };
    expect(await patch('Price', { ai: true })).toMatchObject({
      status: 400,
      body: { code: 'ONE_AUTO_INCREMENT' },
    });
    const changed = await patch('No', { uidt: 'Number', ai: true });
    expect(changed).toMatchObject({ status: 200 });
    expect(found(changed.body)).toMatchObject({ uidt: 'AutoNumber', ai: true });
    expect(Number((await client.post<Row>(pathOf('Counts later'), {})).body.No)).toBeGreaterThan(7);
    // Clients send whole columns back: one that counts already goes where it is told.
    const back = await patch('No', { uidt: 'Number', ai: true });
    expect(found(back.body)).toMatchObject({ uidt: 'Number', ai: false });
    expect(
      await client.post(`/api/v1/db/meta/tables/${made.id}/columns`, { ...counting, title: 'Again' }),
    ).toMatchObject({ status: 400, body: { code: 'ONE_ROW_NUMBER' } });
  });

  test('numbers go on after the greatest that people typed while the column was one of theirs', async () => {
    const table = await createTable('Retyped');
    const id = table.columns?.find(({ title }) => title === 'No')?.id;
    const retype = (uidt: string) => client.patch(`/api/v1/db/meta/columns/${id}`, { title: 'No', uidt });
    const { body } = await client.post<Row>(pathOf('Retyped'), {});
    expect(await retype('Number')).toMatchObject({ status: 200 });
    expect(await client.patch(`${pathOf('Retyped')}/${body.Id}`, { No: 41 })).toMatchObject({ status: 200 });
    expect(await retype('AutoNumber')).toMatchObject({ status: 200 });
    expect(Number((await client.post<Row>(pathOf('Retyped'), {})).body.No)).toBe(42);
  });

  /** A table with one column of any type, filled in the order of the keys, and what makes it one that numbers the rows. */
  async function toBeNumbered(title: string, uidt: string, cells: readonly unknown[]) {
    const table = await createTable(title, [{ title: 'No', uidt }]);
    const path = `/api/v1/db/meta/columns/${table.columns?.find((one) => one.title === 'No')?.id}`;
    await client.post(
      bulkOf(title),
      cells.map((No) => ({ No })),
    );
    const asked = { title: 'No', uidt: 'AutoNumber' };
    return {
      tried: async () => (await client.post<ColumnTrial>(`${path}/trial`, asked)).body,
      retype: (meta?: object) => client.patch(path, { ...asked, ...(meta && { meta }) }),
    };
  }

  async function byKey(title: string): Promise<readonly (number | null)[]> {
    const { body } = await client.get<{ list: readonly Row[] }>(`${pathOf(title)}?limit=1000&sort=Id`);
    return body.list.map(({ No }) => (No === null ? null : Number(No)));
  }

  test.each([
    ['Number', [5, null, 5, -2, null, 9], 1, [5, 10, 11, -2, 12, 9]],
    ['Number', [null, null], 0, [1, 2]],
    // Nothing can be counted behind a number at the end of what the column holds.
    ['Number', [2_147_483_647, 3, '9007199254740993'], 2, [4, 3, 5]],
    ['Rating', [3, 3, null, 1], 1, [3, 4, 5, 1]],
    ['SingleLineText', ['7', 'seven', null, '7.0', '2'], 2, [7, 8, 9, 10, 2]],
    ['Decimal', ['1.5', '4', null], 1, [5, 4, 6]],
    ['Checkbox', [true, true, false], 1, undefined],
  ] as const)('each row has a number of its own when a column of %s becomes one: %j', async (...of) => {
    const [uidt, cells, lost, numbers] = of;
    const title = `From ${uidt} ${JSON.stringify(cells)}`
      .replaceAll(/[^ \w]/g, ' ')
      .slice(0, 30)
      .trim();
    const { tried, retype } = await toBeNumbered(title, uidt, cells);
    const trial = await tried();
    expect(trial).toMatchObject({ converts: true, rows: cells.length });
    if (numbers !== undefined) expect(trial.lost).toBe(lost);
    if (trial.lost > 0) {
      expect(await retype()).toMatchObject({ status: 409, body: { params: { lost: trial.lost } } });
      expect(await retype({ acceptLoss: true })).toMatchObject({ status: 200 });
    } else expect(await retype()).toMatchObject({ status: 200 });
    const made = await byKey(title);
    if (numbers === undefined) expect(new Set(made).size).toBe(cells.length);
    else expect(made).toEqual(numbers);
    expect(made).not.toContain(null);
    const next = Math.max(...(made as number[])) + 1;
    expect(Number((await client.post<Row>(pathOf(title), {})).body.No)).toBe(next);
  });

  test('many rows are numbered when a column becomes one of numbers, also those that are written meanwhile', async () => {
    const cells = Array.from({ length: 2400 }, (_, index) => (index % 3 === 0 ? null : index % 1000));
    const { retype } = await toBeNumbered('Busy', 'Number', cells);
    let isDone = false;
    const retyped = retype({ acceptLoss: true }).finally(() => {
      isDone = true;
    });
    let added = 0;
    while (!isDone) {
      const answers = await Promise.all([
        client.post(pathOf('Busy'), { No: 7 }),
        client.post(bulkOf('Busy'), [{}, { No: 7 }]),
        client.patch(`${pathOf('Busy')}/${1 + (added % 2400)}`, { No: 8 }),
      ]);
      added += answers[0].status === 200 ? 1 : 0;
      added += answers[1].status === 200 ? 2 : 0;
    }
    expect(await retyped).toMatchObject({ status: 200 });
    await client.post(bulkOf('Busy'), [{}, {}]);
    const numbers: (number | null)[] = [];
    for (let offset = 0; offset < 2402 + added; offset += 1000) {
      const page = await client.get<{ list: readonly Row[] }>(
        `${pathOf('Busy')}?limit=1000&offset=${offset}&sort=Id&fields=No`,
      );
      numbers.push(...page.body.list.map(({ No }) => (No === null ? null : Number(No))));
    }
    expect(numbers).toHaveLength(2402 + added);
    expect(numbers).not.toContain(null);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
}

describeEachHome('numbers of rows', describeNumbers);
