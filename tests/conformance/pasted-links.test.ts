import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

type Row = Readonly<Record<string, unknown>>;
interface Set {
  readonly refused: readonly { readonly row: string; readonly code: string; readonly msg: string }[];
}

/** Cells of link columns that get the rows that a paste names. */
function describePastes(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let client: TestClient;
  let round = 0;

  beforeAll(async () => {
    server = await start();
    client = await server.signUp();
  });
  afterAll(() => server?.dispose());

  async function atlas(type: 'hm' | 'mm', cities = ['Paris', 'Lyon', 'Lima', 'Paris, TX', 'Twin', 'Twin']) {
    round += 1;
    const title = `Paste${round}`;
    const project = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title });
    const make = async (name: string) =>
      (
        await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
          title: name,
          table_name: name.toLowerCase(),
          columns: [
            { title: 'Id', uidt: 'ID' },
            { title: 'Title', uidt: 'SingleLineText' },
          ],
        })
      ).body;
    const [country, city] = [await make('Country'), await make('City')];
    const bulk = (path: string) => `/api/v1/db/data/bulk/noco/${title}/${path}`;
    await client.post(
      bulk('Country'),
      ['France', 'Peru', 'Chad'].map((Title) => ({ Title })),
    );
    await client.post(
      bulk('City'),
      cities.map((Title) => ({ Title })),
    );
    await client.post(`/api/v1/db/meta/tables/${country.id}/columns`, {
      title: 'Cities',
      uidt: 'LinkToAnotherRecord',
      parentId: country.id,
      childId: city.id,
      type,
    });
    const list = async (table: string, column: string) => {
      const answer = await client.get<{ list: readonly Row[] }>(
        `/api/v1/db/data/noco/${title}/${table}?fields=${encodeURIComponent(column)}&sort=Id`,
      );
      return answer.body.list.map((row) => {
        const cell = row[column] as Row | readonly Row[] | null;
        const rows = Array.isArray(cell) ? cell : cell === null ? [] : [cell];
        return rows
          .map((one: Row) => String(one['Title']))
          .toSorted((left, right) => (left < right ? -1 : 1));
      });
    };
    const set = async (table: string, column: string, cells: readonly object[]) => {
      const answer = await client.put<Set>(bulk(`${table}/links/${encodeURIComponent(column)}`), cells);
      const operation = answer.headers.get('x-trellis-operation');
      const undo = () => client.post(`/api/v1/db/data/operations/${project.body.id}/${operation}/undo`);
      return { ...answer, operation, undo };
    };
    return { list, set };
  }

  test.each(['hm', 'mm'] as const)(
    'hold what one of several people set who set the same cell at once: %s',
    async (type) => {
      const titles = Array.from({ length: 25 }, (_, index) => `t${String(index).padStart(2, '0')}`);
      const { list, set } = await atlas(type, titles);
      const asked = Array.from({ length: 8 }, (_, index) => [
        ...titles.slice(3 * index, 3 * index + 3),
        't24',
      ]);
      const answers = await Promise.all(
        asked.map((some) => set('Country', 'Cities', [{ row: '2', rows: some.join(', ') }])),
      );
      expect(answers.map(({ status, body }) => [status, body.refused])).toEqual(asked.map(() => [200, []]));
      const [, held] = await list('Country', 'Cities');
      expect(asked).toContainEqual(held);
    },
  );

  test('to many are set by titles, as one write that is taken back as one', async () => {
    const { list, set } = await atlas('hm');
    const first = await set('Country', 'Cities', [
      { row: '1', rows: 'Lyon, Paris, TX' },
      { row: '2', rows: 'Lima\n' },
    ]);
    expect([first.status, first.body]).toEqual([200, { refused: [] }]);
    expect(await list('Country', 'Cities')).toEqual([['Lyon', 'Paris, TX'], ['Lima'], []]);
    // Cells swap what they hold, and a row moves from a cell that is not among them.
    const second = await set('Country', 'Cities', [
      { row: '2', rows: 'Lyon' },
      { row: '3', rows: 'Lima, Paris' },
    ]);
    expect(await list('Country', 'Cities')).toEqual([['Paris, TX'], ['Lyon'], ['Lima', 'Paris']]);
    expect(await second.undo()).toMatchObject({ status: 200 });
    expect(await list('Country', 'Cities')).toEqual([['Lyon', 'Paris, TX'], ['Lima'], []]);
    const same = await set('Country', 'Cities', [{ row: '2', rows: ['3'] }]);
    expect([same.body.refused, same.operation]).toEqual([[], null]);
  });

  test('both ways are set by titles and keys, and emptied', async () => {
    const { list, set } = await atlas('mm');
    await set('Country', 'Cities', [
      { row: '1', rows: ['1', '2'] },
      { row: '2', rows: 'Lyon,Lima,Lyon' },
    ]);
    expect(await list('Country', 'Cities')).toEqual([['Lyon', 'Paris'], ['Lima', 'Lyon'], []]);
    const changed = await set('Country', 'Cities', [
      { row: '1', rows: 'Lima, Paris' },
      { row: '2', rows: '' },
    ]);
    expect(await list('Country', 'Cities')).toEqual([['Lima', 'Paris'], [], []]);
    expect(await changed.undo()).toMatchObject({ status: 200 });
    expect(await list('Country', 'Cities')).toEqual([['Lyon', 'Paris'], ['Lima', 'Lyon'], []]);
    await set('City', 'Country List', [{ row: '3', rows: 'Chad' }]);
    expect(await list('Country', 'Cities')).toEqual([['Lyon', 'Paris'], ['Lyon'], ['Lima']]);
  });

  test('to one are set by a title, and refuse several', async () => {
    const { list, set } = await atlas('hm');
    const { body } = await set('City', 'Country', [
      { row: '1', rows: 'France' },
      { row: '2', rows: 'France, Peru' },
      { row: '3', rows: ['2'] },
    ]);
    expect(body.refused).toMatchObject([{ row: '2', code: 'LINKED_ONE_AT_MOST' }]);
    expect((await list('City', 'Country')).slice(0, 3)).toEqual([['France'], [], ['Peru']]);
    await set('City', 'Country', [{ row: '1', rows: '' }]);
    expect((await list('City', 'Country')).slice(0, 3)).toEqual([[], [], ['Peru']]);
  });

  test('say which cells name what is not there, or not told apart, and set the others', async () => {
    const { list, set } = await atlas('hm');
    const { body } = await set('Country', 'Cities', [
      { row: '1', rows: 'Lyon, Lyonn' },
      { row: '2', rows: 'Twin' },
      { row: '3', rows: 'Paris' },
      { row: '99', rows: 'Lima' },
    ]);
    expect(body.refused).toMatchObject([
      { row: '1', code: 'LINKED_TITLE_UNKNOWN', msg: "No row of 'City' is named “Lyonn”." },
      { row: '2', code: 'LINKED_TITLE_AMBIGUOUS' },
      { row: '99', code: 'ROW_MISSING' },
    ]);
    expect(await list('Country', 'Cities')).toEqual([[], [], ['Paris']]);
    const twice = await set('Country', 'Cities', [
      { row: '1', rows: 'Lima' },
      { row: '2', rows: 'Lima' },
      { row: '3', rows: ['77'] },
    ]);
    expect(twice.body.refused.map(({ row, code }) => [row, code])).toEqual([
      ['2', 'LINKED_TWICE'],
      ['3', 'LINKED_ROWS_GONE'],
    ]);
    expect(await list('Country', 'Cities')).toEqual([['Lima'], [], ['Paris']]);
  });

  test('refuse what is no list of cells, columns without a link, and more than one call may link', async () => {
    const { set } = await atlas('hm');
    expect(await set('Country', 'Cities', [{ row: '1' }])).toMatchObject({ status: 400 });
    expect(await set('Country', 'Title', [])).toMatchObject({ status: 404 });
    const many = Array.from({ length: 30_000 }, (_, index) => `x${index}`).join(',');
    expect(await set('Country', 'Cities', [{ row: '1', rows: many }])).toMatchObject({ status: 413 });
  });

  test('are found among thousands of titles', async () => {
    const titles = Array.from({ length: 1500 }, (_, index) => `City ${index}`);
    const { list, set } = await atlas('mm', titles);
    const { body } = await set('Country', 'Cities', [{ row: '1', rows: titles.slice(0, 1200).join('\n') }]);
    expect(body.refused).toEqual([]);
    expect(await list('City', 'Country List')).toEqual(
      titles.map((_, index) => (index < 1200 ? ['France'] : [])).slice(0, 25),
    );
  });
}

describeEachHome('pasted links', describePastes);
