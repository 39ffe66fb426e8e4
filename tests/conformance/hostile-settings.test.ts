import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const meta = '/api/v1/db/meta';

/** Whatever is sent to be kept as the setting of a column, a view or a filter, on one database. */
function describeSettings(database: () => Promise<string | undefined>): void {
  let server: TestServer;
  let client: TestClient;
  let project: ProjectEntity;
  let table: TableEntity;
  let round = 0;

  beforeAll(async () => {
    server = await createTestServer({ database: await database() });
    client = await server.signUp();
  });

  afterAll(async () => {
    await server?.dispose();
  });

  beforeEach(async () => {
    round += 1;
    project = (await client.post<ProjectEntity>(`${meta}/projects`, { title: `Settings ${round}` })).body;
    const made = await client.post<TableEntity>(`${meta}/projects/${project.id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Stars', uidt: 'Rating' },
        { title: 'Data', uidt: 'JSON' },
      ],
    });
    expect(made).toMatchObject({ status: 200 });
    table = made.body;
  });

  const columnId = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';
  const addColumn = (body: object) =>
    client.post<{ msg?: string }>(`${meta}/tables/${table.id}/columns`, body);
  const rows = () => `/api/v1/db/data/noco/Settings ${round}/Things`;

  function nested(levels: number): string {
    return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  }

  test('options of a column are held to the schema of its type, so that its cells can always be written', async () => {
    const metas = [{ max: { toString: 'x' } }, { max: 1e15 }, { max: 'abc' }, { icon: 7 }, { color: 'red' }];
    for (const options of metas) {
      const added = await addColumn({ title: 'Bad', uidt: 'Rating', meta: options });
      // With a code of its own, by which the page says it in the reader's language.
      expect({ options, ...added }).toMatchObject({
        status: 400,
        body: {
          code: 'COLUMN_SETTING',
          params: { problemCode: expect.stringMatching(/^OPTION_/), setting: expect.any(String) },
        },
      });
      const changed = await client.patch(`${meta}/columns/${columnId('Stars')}`, {
        uidt: 'Rating',
        meta: options,
      });
      expect({ options, status: changed.status }).toEqual({ options, status: 400 });
    }
    expect(await client.post(rows(), { Stars: 4 })).toMatchObject({ status: 200, body: { Stars: 4 } });
    const foreign = { iconIdx: 0, icon: { full: 'mdi-star', empty: 'mdi-star-outline' }, max: 3 };
    expect(await addColumn({ title: 'Other client', uidt: 'Rating', meta: foreign })).toMatchObject({
      status: 200,
    });
    expect(await client.post(rows(), { 'Other client': 3 })).toMatchObject({ status: 200 });
  });

  test('what is wrong within an option is named by its place in it', async () => {
    const option = { id: 'so_1', title: 'Open', color: '#112233' };
    for (const [options, setting] of [
      [7, 'Options'],
      [[option, { ...option, color: 'red' }], 'Options/1/color'],
      [[{ id: 'so_1', title: 'Open' }], 'Options/0/color'],
    ])
      expect(await addColumn({ title: 'State', uidt: 'SingleSelect', meta: { options } })).toMatchObject({
        status: 400,
        body: { code: 'COLUMN_SETTING', params: { setting } },
      });
  });

  test('a meta that nests deep or is large is refused in words', async () => {
    for (const text of [nested(5000), nested(25), JSON.stringify({ a: 'x'.repeat(70_000) })]) {
      const answer = await addColumn({ title: 'Deep', uidt: 'SingleLineText', meta: text });
      expect({ status: answer.status, msg: answer.body.msg }).toMatchObject({ status: 400 });
      expect(answer.body.msg).not.toMatch(/stack|RangeError/);
    }
  });

  test('only known native types and plain numbers are taken for a column in the database', async () => {
    for (const wrong of [
      { dt: 'Name as x' },
      { dt: 'varchar); drop table x' },
      { dtxp: '0x27' },
      { dtxp: '1e3' },
    ]) {
      const answer = await addColumn({ title: 'Odd', uidt: 'SingleLineText', ...wrong });
      expect({ wrong, status: answer.status }).toEqual({ wrong, status: 400 });
    }
    const answer = await addColumn({ title: 'Even', uidt: 'SingleLineText', dt: 'varchar', dtxp: 39 });
    expect(answer).toMatchObject({ status: 200 });
  });

  test('sizes that no column can have are refused in words', async () => {
    const scale = await addColumn({ title: 'c', uidt: 'Decimal', dtxp: 10, dtxs: 20 });
    expect(scale).toMatchObject({ status: 400, body: { msg: expect.stringContaining('scale') } });
    const long = await addColumn({ title: 'c', uidt: 'SingleLineText', dtxp: 65_536 });
    expect([200, 400]).toContain(long.status);
    const longest = await addColumn({ title: 'd', uidt: 'SingleLineText', dtxp: 99_999_999 });
    expect(longest).toMatchObject({ status: 400, body: { msg: expect.stringContaining('length') } });
  });

  test('a default value that the column cannot hold is refused before the database sees it', async () => {
    const answer = await addColumn({
      title: 'Price',
      uidt: 'Decimal',
      dtxp: 10,
      dtxs: 2,
      cdf: '9007199254740992',
    });
    // SQLite keeps decimals of any size; the servers cannot.
    expect([200, 400]).toContain(answer.status);
    const far = await addColumn({ title: 'Far', uidt: 'Number', cdf: '99999999999999999999' });
    expect(far).toMatchObject({ status: 400, body: { code: 'COLUMN_DEFAULT' } });
  });

  test('a new length or new digits change the column, and values that would not fit are named first', async () => {
    await addColumn({ title: 'Code', uidt: 'SingleLineText', dtxp: 10 });
    await addColumn({ title: 'Price', uidt: 'Decimal', dtxp: 8, dtxs: 2 });
    table = (await client.get<TableEntity>(`${meta}/tables/${table.id}`)).body;
    expect(await client.post(rows(), { Code: 'a'.repeat(11) })).toMatchObject({ status: 400 });
    expect(await client.post(rows(), { Code: '1234567', Price: 12345.5 })).toMatchObject({ status: 200 });
    const resize = (title: string, body: object) =>
      client.patch<TableEntity & { msg: string }>(`${meta}/columns/${columnId(title)}`, { title, ...body });

    expect(await resize('Code', { uidt: 'SingleLineText', dtxp: 20 })).toMatchObject({ status: 200 });
    expect(await client.post(rows(), { Code: 'b'.repeat(20), Price: 1 })).toMatchObject({ status: 200 });
    expect(await client.post(rows(), { Code: 'b'.repeat(21) })).toMatchObject({ status: 400 });
    expect(await resize('Price', { uidt: 'Decimal', dtxp: 20, dtxs: 4 })).toMatchObject({ status: 200 });
    expect(await client.post(rows(), { Price: '123456789.1234' })).toMatchObject({ status: 200 });

    const refused = await resize('Code', { uidt: 'SingleLineText', dtxp: 7 });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'RETYPE_LOSES_VALUES', params: { lost: 1, total: 2 } },
    });
    expect(refused.body.msg).toContain('(7)');
    const narrow = { uidt: 'Decimal', dtxp: 6, dtxs: 2 };
    expect(await resize('Price', narrow)).toMatchObject({
      status: 409,
      body: { params: { lost: 2, total: 3 } },
    });
    // Digits that a smaller scale would round away are counted as well.
    expect(await client.post(rows(), { Price: '0.125' })).toMatchObject({ status: 200 });
    expect(await resize('Price', { ...narrow, dtxp: 20 })).toMatchObject({
      status: 409,
      body: { params: { lost: 2, total: 4 } },
    });
    const list = await client.get<{ list: readonly { Code: string | null }[] }>(rows());
    expect(list.body.list.map(({ Code }) => Code)).toEqual(['1234567', 'b'.repeat(20), null, null]);
  });

  test('a full table says so, deleted columns counted, before the database runs out of room', async () => {
    const columns = Array.from({ length: 499 }, (_, index) => ({ title: `N${index}`, uidt: 'Number' }));
    const wide = await client.post<TableEntity>(`${meta}/projects/${project.id}/tables`, {
      title: 'Wide',
      columns: [{ title: 'Id', uidt: 'ID' }, ...columns],
    });
    expect(wide).toMatchObject({ status: 200 });
    const last = wide.body.columns?.at(-1)?.id ?? '';
    expect(await client.delete(`${meta}/columns/${last}`)).toMatchObject({ status: 200 });
    const more = { title: 'More', uidt: 'Number' };
    expect(await client.post(`${meta}/tables/${wide.body.id}/columns`, more)).toMatchObject({
      status: 400,
      body: { code: 'TOO_MANY_COLUMNS' },
    });
  });

  test('halves of characters and control characters are refused in titles, not replaced', async () => {
    for (const title of ['a\uD800b', 'a\u0007b']) {
      const answers = [
        await client.post(`${meta}/projects`, { title }),
        await client.patch(`${meta}/projects/${project.id}`, { title }),
        await client.post(`${meta}/projects/${project.id}/tables`, {
          title,
          columns: [{ title: 'Id', uidt: 'ID' }],
        }),
        await client.patch(`${meta}/tables/${table.id}`, { title }),
        await addColumn({ title, uidt: 'SingleLineText' }),
        await client.patch(`${meta}/columns/${columnId('Name')}`, { title }),
        await client.post(`${meta}/tables/${table.id}/grids`, { title }),
        await client.patch(`${meta}/views/${table.views?.[0]?.id ?? ''}`, { title }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    }
  });

  test('every level of a saved filter is looked at', async () => {
    const path = `${meta}/views/${table.views?.[0]?.id ?? ''}/filters`;
    const name = columnId('Name');
    const wrong = [
      { children: [{ children: 'x' }] },
      { children: [{ children: [null] }] },
      { is_group: true, children: [{ logical_op: 5, fk_column_id: name }] },
      { is_group: true, children: [{ comparison_op: [], fk_column_id: name }] },
      { is_group: true, children: [{ comparison_op: { $gt: 0 }, fk_column_id: name }] },
      { fk_column_id: name, comparison_op: 'nonsense', value: 'x' },
      { is_group: true, children: [{ fk_column_id: name, comparison_op: 'nonsense', value: 'x' }] },
      { fk_column_id: name, comparison_op: 'eq', value: JSON.parse(nested(30)) as object },
      { fk_column_id: name, comparison_op: 'eq', value: 'x'.repeat(30_000) },
    ];
    for (const body of wrong) {
      const answer = await client.post(path, body);
      expect({ body, status: answer.status }).toEqual({ body, status: 400 });
    }
    expect((await client.get<readonly unknown[]>(path)).body).toEqual([]);
    const saved = await client.post<{ id: string }>(path, {
      fk_column_id: name,
      comparison_op: 'eq',
      value: 'x',
    });
    expect(
      await client.patch(`${meta}/filters/${saved.body.id}`, { comparison_op: 'nonsense' }),
    ).toMatchObject({
      status: 400,
    });
  });

  test('no value of a condition is read in the words of an engine', async () => {
    const condition = (column: string, value: string) =>
      `${rows()}?filterArrJson=[{"fk_column_id":"${columnId(column)}","comparison_op":"like","value":${value}}]`;
    const deep = await client.get<{ msg: string }>(condition('Data', '['.repeat(6000) + ']'.repeat(6000)));
    expect(deep).toMatchObject({ status: 400 });
    expect(deep.body.msg).not.toMatch(/stack/);
    expect(await client.get(condition('Name', '%22a%5Cu0000b%22'))).toMatchObject({ status: 400 });
  });
}

describeEachServer('settings on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeSettings(() => databases.url());
});

describeSettings(() => Promise.resolve(undefined));
