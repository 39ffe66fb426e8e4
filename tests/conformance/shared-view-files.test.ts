import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const meta = '/api/v1/db/meta';

interface Attached {
  readonly url: string;
  readonly title: string;
}

/** Files in the cells of a shared view: whoever has the link reads them for as long as the view shows them. */
function describeFiles(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let table: TableEntity;
  let viewId = '';
  let base = '';
  let own = '';

  const id = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';
  const idIn = (url: string) => /([A-Za-z0-9_-]{22})(?:\.[a-z0-9]+)?$/.exec(url)?.[1] ?? '';
  const share = async (body: object) =>
    (await owner.patch<{ uuid: string }>(`${meta}/views/${viewId}/share`, body)).body;
  const isThere = async (url: string) => {
    const response = await fetch(server.url + url);
    const body = await response.text();
    return response.status === 200 && body === 'hello';
  };
  async function seen(client = server.client): Promise<string> {
    const rows = await client.get<{ data: { list: readonly { Files: string }[] } }>(`${base}/rows`);
    const [file] = JSON.parse(rows.body.data.list[0]?.Files ?? '[]') as readonly Attached[];
    return file?.url ?? '';
  }
  async function show(title: string, isShown: boolean): Promise<void> {
    const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${viewId}/columns`);
    const place = places.body.find(({ fk_column_id: of }) => of === id(title));
    await owner.patch(`${meta}/views/${viewId}/columns/${place?.id}`, { show: isShown });
  }

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp();
    const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' });
    const made = await owner.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
      title: 'Products',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Files', uidt: 'Attachment' },
      ],
    });
    table = made.body;
    const text = 'CONCAT("see ", {Files})';
    const formula = { title: 'Told', uidt: 'Formula', formula_raw: text, formula: text };
    table = (await owner.post<TableEntity>(`${meta}/tables/${table.id}/columns`, formula)).body;
    const form = new FormData();
    form.append('file', new Blob(['hello']), 'note.txt');
    const response = await fetch(`${server.url}/api/v1/db/storage/upload?path=noco/Shop/Products/Files`, {
      method: 'POST',
      headers: { 'xc-auth': owner.token ?? '' },
      body: form,
    });
    const files = (await response.json()) as readonly Attached[];
    own = files[0]?.url ?? '';
    const row = await owner.post('/api/v1/db/data/noco/Shop/Products', { Name: 'Pen', Files: files });
    expect(row).toMatchObject({ status: 200 });
    const view = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/grids`, { title: 'Open' });
    viewId = view.body.id;
    const shared = await owner.post<{ uuid: string }>(`${meta}/views/${viewId}/share`, {});
    base = `/api/v1/db/public/shared-view/${shared.body.uuid}`;
  });
  afterAll(() => server?.dispose());

  test('have addresses of their own for strangers, which no call tells the usual ones of', async () => {
    expect(await isThere(own)).toBe(true);
    const url = await seen();
    expect(await isThere(url)).toBe(true);
    expect(idIn(url)).toHaveLength(22);
    const group = encodeURIComponent(JSON.stringify([{ fk_column_id: id('Files'), direction: 'asc' }]));
    for (const path of [
      'rows',
      'rows?count=false',
      `group/${id('Files')}`,
      `rows/groups?groupArrJson=${group}`,
      `rows?groupArrJson=${group}`,
      'rows/export/csv',
      'rows/export/csv?raw=true',
      'meta',
    ]) {
      const { body } = await server.client.get<unknown>(`${base}/${path}`);
      expect([path, JSON.stringify(body).includes(idIn(own))]).toEqual([path, false]);
    }
    const head = await fetch(server.url + url);
    await head.text();
    expect([...head.headers.values()].join(' ')).not.toContain(idIn(own));
  });

  test('are read no more once their column is hidden, the link ends, is changed or is closed', async () => {
    const first = await seen();
    await show('Files', false);
    expect(await isThere(first)).toBe(false);
    await show('Files', true);
    expect(await isThere(first)).toBe(true);
    await share({ expires_at: '2001-01-01T00:00:00Z' });
    expect(await isThere(first)).toBe(false);
    await share({ expires_at: null });
    await share({ password: 'open sesame' });
    expect(await isThere(first)).toBe(false);
    const second = await seen(server.client.with({ headers: { 'xc-password': 'open sesame' } }));
    expect(await isThere(second)).toBe(true);
    const { uuid } = await share({ password: null, regenerate: true });
    expect(await isThere(second)).toBe(false);
    base = `/api/v1/db/public/shared-view/${uuid}`;
    const third = await seen();
    expect(await isThere(third)).toBe(true);
    await owner.delete(`${meta}/views/${viewId}/share`);
    expect(await isThere(third)).toBe(false);
    expect(await isThere(own)).toBe(true);
  });

  test('are found by no made-up address', async () => {
    const shared = await owner.post<{ uuid: string }>(`${meta}/views/${viewId}/share`, {});
    base = `/api/v1/db/public/shared-view/${shared.body.uuid}`;
    const url = await seen();
    const place = url.slice(0, url.lastIndexOf('/'));
    for (const wrong of [
      `${place}/${idIn(own)}.txt`,
      url.replace(viewId, 'vw_00000000000000'),
      url.replace(id('Files'), id('Name')),
      url.replace('shared-views', 'column-attachment'),
      url.replace('/.by/', '/.by/../'),
      `/download/.by/${idIn(url)}.txt`,
    ])
      expect([wrong, await isThere(wrong)]).toEqual([wrong, false]);
  });
}

describe('files of a shared view, on SQLite', () => {
  describeFiles(() => createTestServer());
});

describeEachServer('files of a shared view', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeFiles(() => createTestServer({ database: databases }));
});
