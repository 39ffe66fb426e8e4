import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

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

  test('keep their usual addresses to themselves where they name the rows that a link leads to', async () => {
    const made = await owner.post<TableEntity>(`${meta}/projects/${table.project_id}/tables`, {
      title: 'Boxes',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Label', uidt: 'SingleLineText' },
      ],
    });
    const link = { title: 'Holds', uidt: 'LinkToAnotherRecord', type: 'mm', parentId: made.body.id };
    const path = `${meta}/tables/${made.body.id}/columns`;
    const boxes = (await owner.post<TableEntity>(path, { ...link, childId: table.id })).body;
    const holds = boxes.columns?.find(({ title }) => title === 'Holds')?.id ?? '';
    await owner.post(`${meta}/columns/${id('Files')}/primary`);
    await owner.post('/api/v1/db/data/noco/Shop/Boxes', { Label: 'red' });
    const linked = await owner.post('/api/v1/db/data/noco/Shop/Boxes/1/mm/Holds/1');
    expect(linked).toMatchObject({ status: 200 });
    const told: string[] = [];
    for (const [kind, at] of [
      ['grids', ['rows', `rows/1/mm/${holds}`]],
      ['forms', [`nested/${holds}`]],
    ] as const) {
      const view = await owner.post<ViewEntity>(`${meta}/tables/${boxes.id}/${kind}`, { title: kind });
      const { body } = await owner.post<{ uuid: string }>(`${meta}/views/${view.body.id}/share`, {});
      for (const of of at) {
        const answer = await server.client.get<unknown>(`/api/v1/db/public/shared-view/${body.uuid}/${of}`);
        told.push(JSON.stringify(answer.body));
      }
    }
    expect(told.map((text) => text.includes('note.txt'))).toEqual([true, true, true]);
    expect(told.filter((text) => text.includes(idIn(own)))).toEqual([]);
    const [url = ''] = /\/download\/[^"\\]+/.exec(told[1] ?? '') ?? [];
    expect(await isThere(url)).toBe(true);
  });

  test('are found by no part of their usual addresses, in whatever column that is looked for', async () => {
    const shared = await owner.post<{ uuid: string }>(`${meta}/views/${viewId}/share`, {});
    base = `/api/v1/db/public/shared-view/${shared.body.uuid}`;
    const part = idIn(own).slice(0, 3);
    const bySmaller = [{ url: '/download/zzzzzzzzzzzzzzzzzzzzzz' }];
    for (const where of [
      `(Files,like,${part})`,
      `(Files,nlike,${part})`,
      `(Files,lt,${JSON.stringify(bySmaller)})`,
      `(Told,like,${part})`,
      `(Name,eq,Pen)~and(Told,like,${part})`,
    ])
      for (const path of ['rows', 'rows/export/csv'])
        expect(await server.client.get(`${base}/${path}?where=${encodeURIComponent(where)}`)).toMatchObject({
          status: 400,
          body: { code: 'COLUMN_NOT_SEARCHED' },
        });
    const filters = [{ fk_column_id: id('Files'), comparison_op: 'like', value: part }];
    const byIds = `${base}/rows?filterArrJson=${encodeURIComponent(JSON.stringify(filters))}`;
    expect(await server.client.get(byIds)).toMatchObject({ body: { code: 'COLUMN_NOT_SEARCHED' } });
    const counted = async (where: string) =>
      (await server.client.get<{ data: { list: object[] } }>(`${base}/rows?where=${where}`)).body.data.list
        .length;
    expect([await counted('(Files,notnull)'), await counted('(Files,null)')]).toEqual([1, 0]);
    expect([await counted('(Files,notblank)'), await counted('(Files,blank)')]).toEqual([1, 0]);
    expect(await counted('(Name,like,Pe)')).toBe(1);
    // What the view itself asks stays, and so does what a member asks.
    const asked = { fk_column_id: id('Files'), comparison_op: 'like', value: 'note' };
    const filter = await owner.post<{ id: string }>(`${meta}/views/${viewId}/filters`, asked);
    expect(await counted('(Name,notnull)')).toBe(1);
    await owner.delete(`${meta}/filters/${filter.body.id}`);
    const found = await owner.get<{ list: object[] }>(
      `/api/v1/db/data/noco/Shop/Products?where=(Files,like,${part})`,
    );
    expect(found.body.list).toHaveLength(1);
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

describeEachHome('files of a shared view', describeFiles);
