import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import Database from 'better-sqlite3';

const meta = '/api/v1/db/meta';

interface Named {
  readonly id: string;
  readonly title: string;
}
interface Table extends Named {
  readonly columns: readonly Named[];
}
interface List {
  readonly list: readonly (Named & { readonly kind: string; readonly is_meta: boolean })[];
}

describe('what was deleted, over the API', () => {
  let server: TestServer;
  let owner: TestClient;
  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp();
  });
  afterAll(() => server.dispose());

  async function openShop(title: string): Promise<Named> {
    const folder = join(server.dataDir, 'sqlite');
    await mkdir(folder, { recursive: true });
    const file = new Database(join(folder, `${title}.db`));
    file.exec('create table item (id integer primary key, name text, price real)');
    file.close();
    const { body } = await owner.post<Named>(`${meta}/projects`, external(title, `${title}.db`));
    return body;
  }
  const external = (title: string, filename: string) => ({
    title,
    external: true,
    bases: [{ type: 'sqlite3', config: { connection: { filename } } }],
  });
  const tablesOf = async (projectId: string) =>
    (await owner.get<{ list: readonly Named[] }>(`${meta}/projects/${projectId}/tables`)).body.list;
  const columnsOf = async (tableId: string) =>
    (await owner.get<Table>(`${meta}/tables/${tableId}`)).body.columns;

  test('a deleted column is listed, restored with its values, and dropped for good when it is told to', async () => {
    const { body: project } = await owner.post<Named>(`${meta}/projects`, { title: 'Own' });
    const { body: table } = await owner.post<Table>(`${meta}/projects/${project.id}/tables`, {
      title: 'People',
      columns: [{ title: 'Name', uidt: 'SingleLineText' }],
    });
    const rows = `/api/v1/db/data/v1/${project.id}/${table.id}`;
    await owner.post(rows, { Name: 'Ada' });
    const column = table.columns.find(({ title }) => title === 'Name')?.id ?? '';
    const trash = `${meta}/projects/${project.id}/trash`;
    await owner.delete(`${meta}/columns/${column}`);
    expect((await owner.get<List>(trash)).body.list).toMatchObject([
      { kind: 'column', id: column, title: 'Name', is_meta: true, table: { id: table.id, title: 'People' } },
    ]);
    const stranger = await server.signUp();
    expect((await stranger.get(trash)).status).toBe(403);
    expect((await stranger.post(`${trash}/columns/${column}/restore`)).status).toBe(403);

    const restored = await owner.post<Table>(`${trash}/columns/${column}/restore`);
    expect(restored.body.columns.map(({ title }) => title)).toContain('Name');
    expect((await owner.get<{ list: unknown }>(rows)).body.list).toMatchObject([{ Name: 'Ada' }]);

    await owner.delete(`${meta}/columns/${column}`);
    expect((await owner.delete(`${trash}/columns/${column}`)).status).toBe(200);
    expect((await owner.get<List>(trash)).body.list).toEqual([]);
    expect((await owner.post(`${trash}/columns/${column}/restore`)).status).toBe(404);
  });

  test.each(['hm', 'mm'])(
    'a deleted link comes back from either end with what is linked: %s',
    async (type) => {
      const { body: project } = await owner.post<Named>(`${meta}/projects`, { title: `Linked ${type}` });
      const make = async (title: string) => {
        const columns = [{ title: 'Name', uidt: 'SingleLineText' }];
        return (await owner.post<Table>(`${meta}/projects/${project.id}/tables`, { title, columns })).body;
      };
      const [country, city] = [await make('Country'), await make('City')];
      const made = await owner.post(`${meta}/tables/${country.id}/columns`, {
        title: 'Cities',
        uidt: 'LinkToAnotherRecord',
        parentId: country.id,
        childId: city.id,
        type,
      });
      expect(made).toMatchObject({ status: 200 });
      const rows = (of: Table) => `/api/v1/db/data/v1/${project.id}/${of.id}`;
      await owner.post(rows(country), { Name: 'Peru' });
      await owner.post(rows(city), { Name: 'Lima' });
      const linked = `${rows(country)}/1/${type}/Cities`;
      await owner.post(`${linked}/1`);
      const links = async () => (await owner.get<{ list: readonly object[] }>(linked)).body.list;
      expect(await links()).toMatchObject([{ Name: 'Lima' }]);
      const before = (await columnsOf(city.id)).map(({ title }) => title);

      const column = (await columnsOf(country.id)).find(({ title }) => title === 'Cities')?.id ?? '';
      await owner.delete(`${meta}/columns/${column}`);
      const trash = `${meta}/projects/${project.id}/trash`;
      const list = (await owner.get<List>(trash)).body.list;
      expect(list.map(({ kind }) => kind)).toEqual(['column', 'column']);
      const other = list.find(({ id }) => id !== column)?.id ?? '';
      expect((await owner.post(`${trash}/columns/${other}/restore`)).status).toBe(200);
      expect((await owner.get<List>(trash)).body.list).toEqual([]);
      expect(await links()).toMatchObject([{ Name: 'Lima' }]);
      expect((await columnsOf(city.id)).map(({ title }) => title)).toEqual(before);

      await owner.delete(`${meta}/columns/${column}`);
      await owner.delete(`${trash}/columns/${column}`);
      expect((await owner.get<List>(trash)).body.list).toEqual([]);
    },
  );

  test('a deleted table is listed, comes back with its rows, links and views, and is dropped for good when it is told to', async () => {
    const { body: project } = await owner.post<Named>(`${meta}/projects`, { title: 'Whole' });
    const make = async (title: string) => {
      const columns = [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ];
      return (await owner.post<Table>(`${meta}/projects/${project.id}/tables`, { title, columns })).body;
    };
    const [country, city] = [await make('Country'), await make('City')];
    const titlesOf = async (of: Table) => (await columnsOf(of.id)).map(({ title }) => title);
    const idOf = async (of: Table, title: string) =>
      (await columnsOf(of.id)).find((column) => column.title === title)?.id ?? '';
    const link = { uidt: 'LinkToAnotherRecord', parentId: country.id, childId: city.id };
    for (const [title, type] of [
      ['Cities', 'hm'],
      ['Sisters', 'mm'],
    ])
      expect(
        await owner.post(`${meta}/tables/${country.id}/columns`, { ...link, title, type }),
      ).toMatchObject({
        status: 200,
      });
    const counted = {
      title: 'How many',
      uidt: 'Count',
      fk_relation_column_id: await idOf(country, 'Cities'),
    };
    expect(await owner.post(`${meta}/tables/${country.id}/columns`, counted)).toMatchObject({ status: 200 });
    const rows = (of: Table) => `/api/v1/db/data/v1/${project.id}/${of.id}`;
    const list = async (of: Table) => (await owner.get<{ list: readonly object[] }>(rows(of))).body.list;
    await owner.post(rows(country), { Name: 'Peru' });
    await owner.post(rows(city), { Name: 'Lima' });
    await owner.post(`${rows(country)}/1/hm/Cities/1`);
    await owner.post(`${rows(country)}/1/mm/Sisters/1`);
    const { body: view } = await owner.post<Named>(`${meta}/tables/${city.id}/grids`, { title: 'By name' });
    const name = await idOf(city, 'Name');
    await owner.post(`${meta}/views/${view.id}/sorts`, { fk_column_id: name, direction: 'desc' });
    await owner.post(`${meta}/views/${view.id}/filters`, {
      fk_column_id: name,
      comparison_op: 'eq',
      value: 'Lima',
    });
    await owner.post(`${meta}/audits/comments`, { fk_model_id: city.id, row_id: '1', description: 'Big' });
    const look = async () => ({
      rows: [await list(country), await list(city)],
      columns: [await titlesOf(country), await titlesOf(city)],
      views: (await owner.get<List>(`${meta}/tables/${city.id}/views`)).body.list.map(({ title }) => title),
      sorts: (await owner.get(`${meta}/views/${view.id}/sorts`)).body,
      filters: (await owner.get(`${meta}/views/${view.id}/filters`)).body,
      comments: (await owner.get(`${meta}/audits/comments?fk_model_id=${city.id}&row_id=1`)).body,
    });
    const before = await look();
    expect(before.rows[0]).toMatchObject([
      { Name: 'Peru', Cities: [{ Name: 'Lima' }], Sisters: [{ Name: 'Lima' }], 'How many': 1 },
    ]);

    const trash = `${meta}/projects/${project.id}/trash`;
    const deleted = async () => (await owner.get<List>(trash)).body.list;
    // As long as other tables lead to it, it is not deleted.
    const remove = () => owner.delete<{ readonly msg?: string }>(`${meta}/tables/${city.id}`);
    expect(await remove()).toMatchObject({ status: 400, body: { msg: expect.stringContaining('Country') } });
    expect(await deleted()).toEqual([]);
    const links = [await idOf(country, 'Cities'), await idOf(country, 'Sisters')];
    for (const id of links) expect((await owner.delete(`${meta}/columns/${id}`)).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect((await deleted()).find(({ id }) => id === city.id)).toMatchObject({
      kind: 'table',
      title: 'City',
      is_meta: true,
    });
    expect((await tablesOf(project.id)).map(({ title }) => title)).toEqual(['Country']);
    expect((await owner.get(rows(city))).status).toBe(404);
    expect(await titlesOf(country)).not.toContain('Cities');
    expect(await list(country)).toMatchObject([{ Name: 'Peru' }]);
    const stranger = await server.signUp();
    expect((await stranger.post(`${trash}/tables/${city.id}/restore`)).status).toBe(403);
    expect((await stranger.delete(`${trash}/tables/${city.id}`)).status).toBe(403);

    const restored = await owner.post<Table>(`${trash}/tables/${city.id}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { id: city.id, title: 'City' } });
    for (const id of links)
      expect(await owner.post(`${trash}/columns/${id}/restore`)).toMatchObject({ status: 200 });
    expect(await deleted()).toEqual([]);
    expect(await look()).toEqual(before);

    for (const id of links) await owner.delete(`${meta}/columns/${id}`);
    await remove();
    expect((await owner.delete(`${trash}/tables/${city.id}`)).status).toBe(200);
    // What counted the links of the other table has gone to the trash with them, and is of that table.
    expect((await deleted()).map(({ kind, title }) => [kind, title])).toEqual([['column', 'How many']]);
    expect((await owner.post(`${trash}/tables/${city.id}/restore`)).status).toBe(404);
    expect(await titlesOf(country)).toEqual(['Id', 'Name']);
    expect(await list(country)).toMatchObject([{ Name: 'Peru' }]);
    // Its title is free, and what is made by it has nothing of the former one.
    const again = await make('City');
    expect(await list(again)).toEqual([]);
  });

  test('a column of an opened database comes back as long as the database has it', async () => {
    const shop = await openShop('shop');
    const [item] = await tablesOf(shop.id);
    const columns = await columnsOf(item?.id ?? '');
    const idOf = (title: string) => columns.find((column) => column.title === title)?.id ?? '';
    const trash = `${meta}/projects/${shop.id}/trash`;
    await owner.delete(`${meta}/columns/${idOf('Name')}`);
    await owner.delete(`${meta}/columns/${idOf('Price')}`);
    const file = new Database(join(server.dataDir, 'sqlite', 'shop.db'));
    file.exec('alter table item drop column price');
    file.close();
    expect((await owner.post(`${trash}/columns/${idOf('Name')}/restore`)).status).toBe(200);
    expect(await owner.post(`${trash}/columns/${idOf('Price')}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'TRASH_GONE' },
    });
  });

  test('a deleted project comes back with its tables, and to nobody but those who had it', async () => {
    const { body: project } = await owner.post<Named>(`${meta}/projects`, { title: 'Gone' });
    await owner.post(`${meta}/projects/${project.id}/tables`, { title: 'Kept', columns: [] });
    await owner.delete(`${meta}/projects/${project.id}`);
    const deleted = `${meta}/deleted-projects`;
    const stranger = await server.signUp();
    expect((await stranger.get<List>(deleted)).body.list).toEqual([]);
    expect((await stranger.post(`${deleted}/${project.id}/restore`)).status).toBe(404);
    expect((await owner.get<List>(deleted)).body.list.map(({ title }) => title)).toEqual(['Gone']);
    await owner.post(`${meta}/projects`, { title: 'Gone' });
    const restored = await owner.post<Named>(`${deleted}/${project.id}/restore`);
    expect(restored.body).toMatchObject({ id: project.id, title: 'Gone1' });
    expect((await tablesOf(project.id)).map(({ title }) => title)).toEqual(['Kept']);
  });

  test('a project on a file does not come back while another project has the file open', async () => {
    const first = await openShop('books');
    await owner.delete(`${meta}/projects/${first.id}`);
    const { body: second } = await owner.post<Named>(`${meta}/projects`, external('Again', 'books.db'));
    const restore = () => owner.post(`${meta}/deleted-projects/${first.id}/restore`);
    expect(await restore()).toMatchObject({ status: 409, body: { code: 'FILE_OPEN_AS' } });
    await owner.delete(`${meta}/projects/${second.id}`);
    expect((await restore()).status).toBe(200);
    expect((await tablesOf(first.id)).map(({ title }) => title)).toEqual(['Item']);
  });
});
