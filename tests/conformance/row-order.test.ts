import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

type Row = Readonly<Record<string, unknown>> & { readonly Id: number };

function describeOrder(start: () => Promise<TestServer>): void {
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

  const pathOf = (table: string) => `/api/v1/db/data/noco/Work/${table}`;
  const bulkOf = (table: string) => pathOf(table).replace('/data/', '/data/bulk/');

  /** A table with a row for each title, whose keys count from 1. */
  async function tableWith(title: string, rows: readonly string[], key: object = { uidt: 'ID' }) {
    const { status, body } = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project}/tables`, {
      title,
      columns: [
        { title: 'Id', ...key },
        { title: 'Title', uidt: 'SingleLineText' },
      ],
    });
    expect(status).toBe(200);
    const made = await client.post(
      bulkOf(title),
      rows.map((Title) => ({ Title })),
    );
    expect(made.status).toBe(200);
    return body;
  }

  async function titlesOf(table: string, query = ''): Promise<readonly unknown[]> {
    const { body } = await client.get<{ list: readonly Row[] }>(`${pathOf(table)}?limit=1000${query}`);
    return body.list.map(({ Title }) => Title);
  }

  async function insert(table: string, Title: string, place: string): Promise<Row> {
    const { status, body } = await client.post<Row>(`${pathOf(table)}?${place}`, { Title });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  }

  function undo(answer: { readonly headers: Headers }) {
    const operation = answer.headers.get('x-trellis-operation');
    return client.post(`/api/v1/db/data/operations/Work/${operation}/undo`);
  }

  test('a row is added before or after another one, and later ones behind all', async () => {
    await tableWith('Steps', ['a', 'b', 'c']);
    await insert('Steps', 'before b', 'before=2');
    await insert('Steps', 'after b', 'after=2');
    await insert('Steps', 'first', 'before=1');
    await client.post(pathOf('Steps'), { Title: 'last' });
    await client.post(bulkOf('Steps'), [{ Title: 'x' }, { Title: 'y' }]);
    await insert('Steps', 'very last', 'after=9');
    const all = ['first', 'a', 'before b', 'b', 'after b', 'c', 'last', 'x', 'y', 'very last'];
    expect(await titlesOf('Steps')).toEqual(all);
    expect(await titlesOf('Steps', '&where=(Title,neq,c)')).toEqual(all.filter((title) => title !== 'c'));
    expect(await titlesOf('Steps', '&sort=Title')).toEqual(all.toSorted());
  });

  test('many rows are added at one place in their order', async () => {
    await tableWith('Pasted', ['a', 'b']);
    const rows = Array.from({ length: 250 }, (_, at) => ({ Title: `row ${at}` }));
    expect(await client.post(`${bulkOf('Pasted')}?before=2`, rows)).toMatchObject({ status: 200 });
    expect(await titlesOf('Pasted')).toEqual(['a', ...rows.map(({ Title }) => Title), 'b']);
  });

  test('rows can be added at the same place again and again', async () => {
    await tableWith('Stacked', ['a', 'z']);
    const below: string[] = [];
    let beside = 1;
    for (let at = 0; at < 60; at += 1) {
      beside = (await insert('Stacked', `row ${at}`, `after=${beside}`)).Id;
      below.push(`row ${at}`);
    }
    for (let at = 60; at < 120; at += 1) {
      await insert('Stacked', `row ${at}`, `after=${beside}`);
      below.splice(60, 0, `row ${at}`);
    }
    expect(await titlesOf('Stacked')).toEqual(['a', ...below, 'z']);
  });

  test('rows that are added at the same moment at the same place all stand there', async () => {
    await tableWith('Crowded', ['a', 'z']);
    await insert('Crowded', 'middle', 'after=1');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        client.post(`${pathOf('Crowded')}?after=1`, { Title: `row ${at}` }),
      ),
    );
    for (const { status } of answers) expect(status).toBe(200);
    const titles = await titlesOf('Crowded');
    expect(titles).toHaveLength(15);
    expect([titles[0], ...titles.slice(-2)]).toEqual(['a', 'middle', 'z']);
    // Those of them that have one number are told apart: between any two is room.
    const { body } = await client.get<{ list: readonly Row[] }>(`${pathOf('Crowded')}?limit=100`);
    const [second, third] = body.list.slice(1, 3);
    await insert('Crowded', 'between', `after=${second?.Id}`);
    const now = await client.get<{ list: readonly Row[] }>(`${pathOf('Crowded')}?limit=100`);
    expect(now.body.list.slice(1, 4).map(({ Title }) => Title)).toEqual([
      second?.Title,
      'between',
      third?.Title,
    ]);
  });

  test('rows are moved beside another one and back, and nothing else of them changes', async () => {
    const table = await tableWith('Moved', ['a', 'b', 'c', 'd', 'e']);
    const path = `/api/v1/db/meta/tables/${table.id}/columns`;
    expect(await client.post(path, { title: 'Changed', uidt: 'LastModifiedTime' })).toMatchObject({
      status: 200,
    });
    const changed = async () =>
      (await client.get<{ list: readonly Row[] }>(`${pathOf('Moved')}?sort=Id`)).body.list.map(
        (row) => row.Changed,
      );
    const before = await changed();
    const move = await client.post(`${bulkOf('Moved')}/move?before=1`, { rows: ['4', '2'] });
    expect(move).toMatchObject({ status: 200, body: { rows: 2 } });
    expect(await titlesOf('Moved')).toEqual(['d', 'b', 'a', 'c', 'e']);
    await client.post(`${bulkOf('Moved')}/move?after=5`, { rows: ['4'] });
    expect(await titlesOf('Moved')).toEqual(['b', 'a', 'c', 'e', 'd']);
    expect(await changed()).toEqual(before);
    expect(await undo(move)).toMatchObject({ status: 200 });
    expect((await titlesOf('Moved')).filter((title) => title !== 'd')).toEqual(['a', 'b', 'c', 'e']);
  });

  test('undo puts deleted rows back where they stood, and takes added ones away', async () => {
    await tableWith('Undone', ['a', 'b', 'c']);
    const added = await client.post(`${pathOf('Undone')}?after=1`, { Title: 'new' });
    const gone = await client.delete(`${pathOf('Undone')}/4`);
    expect(await titlesOf('Undone')).toEqual(['a', 'b', 'c']);
    expect(await undo(gone)).toMatchObject({ status: 200 });
    expect(await titlesOf('Undone')).toEqual(['a', 'new', 'b', 'c']);
    expect(await undo(added)).toMatchObject({ status: 200 });
    expect(await titlesOf('Undone')).toEqual(['a', 'b', 'c']);
  });

  test('a row that was deleted before anybody arranged the table comes back where its key puts it', async () => {
    await tableWith('Before', ['a', 'b', 'c']);
    const gone = await client.delete(`${pathOf('Before')}/2`);
    await insert('Before', 'first', 'before=1');
    expect(await undo(gone)).toMatchObject({ status: 200 });
    expect(await titlesOf('Before')).toEqual(['first', 'a', 'b', 'c']);
  });

  test('the order is no column of the table, for nobody', async () => {
    const table = await tableWith('Hidden', ['a', 'b']);
    const made = await insert('Hidden', 'c', 'before=1');
    expect(Object.keys(made).toSorted()).toEqual(['Id', 'Title']);
    const { body } = await client.get<TableEntity>(`/api/v1/db/meta/tables/${table.id}`);
    expect(body.columns?.map(({ title }) => title)).toEqual(['Id', 'Title']);
    const { body: page } = await client.get<{ list: readonly Row[] }>(`${pathOf('Hidden')}?offset=1`);
    expect(page.list.map((row) => Object.keys(row))).toEqual([
      ['Id', 'Title'],
      ['Id', 'Title'],
    ]);
    await client.patch(`${pathOf('Hidden')}/1`, { 'Row order': 5, row_order: 5 });
    expect(await titlesOf('Hidden')).toEqual(['c', 'a', 'b']);
    const { body: column } = await client.post<TableEntity>(`/api/v1/db/meta/tables/${table.id}/columns`, {
      title: 'Row order',
      uidt: 'Number',
    });
    expect(column.columns?.map(({ title }) => title)).toEqual(['Id', 'Title', 'Row order']);
    await client.patch(`${pathOf('Hidden')}/1`, { 'Row order': 5 });
    expect(await titlesOf('Hidden')).toEqual(['c', 'a', 'b']);
    await client.post(bulkOf('Hidden').concat('/move?before=3'), { rows: ['2'] });
    const { body: history } = await client.get<{ list: readonly object[] }>(`${pathOf('Hidden')}/2/history`);
    expect(JSON.stringify(history)).not.toMatch(/[0-9]{6,}":|row_order/);
  });

  test('deep pages are slices of the whole order', async () => {
    const rows = Array.from({ length: 1200 }, (_, at) => `row ${at}`);
    await tableWith('Deep', rows);
    await client.post(`${bulkOf('Deep')}/move?before=3`, { rows: ['1200', '1100'] });
    const whole = [
      'row 0',
      'row 1',
      'row 1199',
      'row 1099',
      ...rows.slice(2, 1099),
      ...rows.slice(1100, 1199),
    ];
    for (const offset of [1050, 1050, 1051, 1100, 1050]) {
      const { body } = await client.get<{ list: readonly Row[] }>(
        `${pathOf('Deep')}?limit=20&offset=${offset}`,
      );
      expect(body.list.map(({ Title }) => Title)).toEqual(whole.slice(offset, offset + 20));
    }
  });

  test('tables whose keys do not count are arranged by hand, too', async () => {
    await tableWith('Keyed', [], { uidt: 'SingleLineText', pk: true, rqd: true });
    await client.post(bulkOf('Keyed'), [
      { Id: 'b', Title: 'b' },
      { Id: 'a', Title: 'a' },
      { Id: 'c', Title: 'c' },
    ]);
    expect(await titlesOf('Keyed')).toEqual(['a', 'b', 'c']);
    expect(await client.post(`${bulkOf('Keyed')}/move?before=a`, { rows: ['c'] })).toMatchObject({
      status: 200,
    });
    expect(await titlesOf('Keyed')).toEqual(['c', 'a', 'b']);
  });

  test('a place that is not there is refused, and nothing is added', async () => {
    await tableWith('Refused', ['a']);
    const answers = await Promise.all([
      client.post(`${pathOf('Refused')}?before=99`, {}),
      client.post(`${pathOf('Refused')}?before=none`, {}),
      client.post(`${pathOf('Refused')}?before=1&after=1`, {}),
      client.post(`${bulkOf('Refused')}/move`, { rows: ['1'] }),
      client.post(`${bulkOf('Refused')}/move?before=1`, ['1']),
      client.post(`${bulkOf('Refused')}/move?before=1`, { rows: ['99'] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 400, 400, 200]);
    expect(await titlesOf('Refused')).toEqual(['a']);
  });
}

describeEachHome('rows in an order of their own', describeOrder);
