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
