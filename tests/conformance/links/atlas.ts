import { afterAll, beforeAll } from '@jest/globals';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome, type StartServer } from '../each-home.ts';

export type Row = Readonly<Record<string, unknown>>;
export interface List {
  readonly list: readonly Row[];
  readonly pageInfo: { readonly totalRows: number };
}

/**
 * Runs a suite about links as people create and use them through the API.
 *
 * @param suite gets a function that creates a project with countries and cities, each with a few rows, and without links
 */
export function describeLinks(name: string, suite: (atlas: ReturnType<typeof useAtlas>) => void): void {
  describeEachHome(name, (start) => suite(useAtlas(start)));
}

export const columnOf = (table: TableEntity, title: string) =>
  table.columns?.find((column) => column.title === title) as ColumnEntity & { colOptions: Row };

function useAtlas(start: StartServer) {
  let server: TestServer;
  let client: TestClient;
  let round = 0;

  beforeAll(async () => {
    server = await start();
    client = await server.signUp();
  });
  afterAll(() => server?.dispose());

  return async () => {
    round += 1;
    const title = `Atlas${round}`;
    const project = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title });
    const make = async (name: string, extra: readonly object[] = []) =>
      (
        await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
          title: name,
          table_name: name.toLowerCase(),
          columns: [{ title: 'Id', uidt: 'ID' }, { title: 'Title', uidt: 'SingleLineText' }, ...extra],
        })
      ).body;
    const country = await make('Country');
    const city = await make('City', [
      { title: 'Pop', uidt: 'Number' },
      { title: 'Area', uidt: 'Decimal' },
    ]);
    const data = (path: string) => `/api/v1/db/data/noco/${title}/${path}`;
    for (const name of ['France', 'Peru', 'Chad']) await client.post(data('Country'), { Title: name });
    const cities = [
      ['Paris', 2_000_000, '105.4'],
      ['Lyon', 500_000, '47.87'],
      ['Lima', 10_000_000, '2672.3'],
      ['Nowhere', null, null],
    ];
    for (const [Title, Pop, Area] of cities) await client.post(data('City'), { Title, Pop, Area });
    const column = (tableId: string, body: object) =>
      client.post<TableEntity>(`/api/v1/db/meta/tables/${tableId}/columns`, body);
    const link = (type: 'hm' | 'bt' | 'mm', more: object = {}) =>
      column(type === 'bt' ? city.id : country.id, {
        title: type === 'bt' ? 'Land' : 'Cities',
        uidt: 'LinkToAnotherRecord',
        parentId: country.id,
        childId: city.id,
        type,
        ...more,
      });
    const table = async (id: string) => (await client.get<TableEntity>(`/api/v1/db/meta/tables/${id}`)).body;
    const list = async (path: string) => (await client.get<List>(data(path))).body;
    return { server, client, project: project.body.id, country, city, data, column, link, table, list };
  };
}
