import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Veto, type TableEntity, type ViewColumnEntity } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

/** A type of views that strangers fill in; a name is a must. */
const slips = testPlugin('view-slip', (ctx) => {
  ctx.register('permissions', { id: 'slipViewCreate', label: 'Make slips', scope: 'project', roles: [] });
  ctx.register('viewTypes', {
    id: 'slip',
    label: 'Slip',
    sharing: { visitors: 'submit', word: 'form', knowsSenders: () => true },
    async willSubmit(values) {
      if (typeof values.Name !== 'string' || values.Name === '')
        throw new Veto('NAME_MISSING', 'Please tell your name.');
      return { ...values, Name: values.Name.trim() };
    },
  });
});

let server: TestServer;
let owner: TestClient;
let table: TableEntity;
let base = '';
let viewId = '';

beforeAll(async () => {
  server = await createTestServer({
    plugins: [slips],
    env: { TRELLIS_SITE_URL: 'https://trellis.example' },
  });
  owner = await server.signUp('owner@example.com');
  const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' });
  const made = await owner.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
    title: 'Guest',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Score', uidt: 'Number' },
    ],
  });
  table = made.body;
  const friends = await owner.post<TableEntity>(`${meta}/tables/${table.id}/columns`, {
    title: 'Friends',
    uidt: 'LinkToAnotherRecord',
    type: 'mm',
    parentId: table.id,
    childId: table.id,
  });
  table = friends.body;
  const view = await owner.post<{ id: string }>(`${meta}/tables/${table.id}/views`, {
    title: 'Slip',
    type: 'slip',
  });
  viewId = view.body.id;
  const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${view.body.id}/columns`);
  const score = table.columns?.find(({ title }) => title === 'Score')?.id;
  const place = places.body.find(({ fk_column_id: id }) => id === score);
  await owner.patch(`${meta}/views/${view.body.id}/columns/${place?.id}`, { show: false });
  const shared = await owner.post<{ uuid: string }>(`${meta}/views/${view.body.id}/share`, {});
  base = `/api/v1/db/public/shared-view/${shared.body.uuid}`;
});
afterAll(() => server?.dispose());

const guests = async () =>
  (await owner.get<{ list: readonly object[] }>('/api/v1/db/data/noco/Shop/Guest')).body.list;

test('a stranger adds a row with the columns that the view shows, and is told of no other', async () => {
  const sent = await server.client.post(`${base}/rows`, { data: { Name: ' Ada ', Score: 100 } });
  expect(sent).toMatchObject({ status: 200, body: { Name: 'Ada' } });
  expect(sent.body).not.toHaveProperty('Score');
  expect(sent.body).not.toHaveProperty('Id');
  expect(await guests()).toMatchObject([{ Name: 'Ada', Score: null }]);
});

test('the rules of the view type refuse a row by their own words, and a body that is no row is told', async () => {
  const before = await guests();
  expect(await server.client.post(`${base}/rows`, { data: { Name: '' } })).toMatchObject({
    status: 400,
    body: { msg: 'Please tell your name.' },
  });
  expect(await server.client.post(`${base}/rows`, { Name: 'Eve' })).toMatchObject({ status: 400 });
  expect(await guests()).toEqual(before);
});

test('rows cannot be read by the link of a view that is there to be filled in', async () => {
  for (const path of ['rows', 'rows/export/csv', `group/${table.columns?.[1]?.id}`])
    expect(await server.client.get(`${base}/${path}`)).toMatchObject({ status: 404 });
});

test('rows to link to are told by their keys and names, and by nothing else', async () => {
  const friends = table.columns?.filter(({ uidt }) => uidt === 'LinkToAnotherRecord') ?? [];
  const shown = await Promise.all(
    friends.map(async ({ id }) => server.client.get<object>(`${base}/nested/${id}`)),
  );
  expect(shown.find(({ status }) => status === 200)?.body).toMatchObject({ list: [{ Id: 1, Name: 'Ada' }] });
  expect(JSON.stringify(shown)).not.toContain('Score":');
  const path = `${base}/nested/${friends[0]?.id}`;
  for (const query of ['where=(Score,gt,0)', 'sort=Score', 'fields=Score'])
    expect(await server.client.get(`${path}?${query}`)).toMatchObject({ status: 400 });
});

test('no more rows are linked by a stranger at once than the link takes', async () => {
  const before = await guests();
  const Friends = Array.from({ length: 101 }, (_, at) => ({ Id: at + 1 }));
  expect(await server.client.post(`${base}/rows`, { data: { Name: 'Lou', Friends } })).toMatchObject({
    status: 400,
    body: { code: 'SHARED_VIEW_LINKS' },
  });
  expect(await guests()).toEqual(before);
});

test('a row that a stranger sends again under the key of the first time is added once', async () => {
  const before = (await guests()).length;
  const sender = server.client.with({ headers: { 'idempotency-key': 'a'.repeat(32) } });
  const [first, again] = [
    await sender.post(`${base}/rows`, { data: { Name: 'Twice' } }),
    await sender.post(`${base}/rows`, { data: { Name: 'Twice' } }),
  ];
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  // Whose first answer was lost is known all the same.
  expect(again.headers.getSetCookie()).toEqual([expect.stringContaining('trellis_sender=')]);
  expect(again.headers.getSetCookie()).toEqual(first.headers.getSetCookie());
  expect((await guests()).length).toBe(before + 1);
});

test('a browser is known again also inside the pages of other sites, where the link may be shown in them', async () => {
  const cookie = async (name: string) =>
    (await server.client.post(`${base}/rows`, { data: { Name: name } })).headers.get('set-cookie') ?? '';
  expect(await cookie('Uma')).toMatch(/^trellis_sender=.*SameSite=Lax/);
  const sites = { meta: { embedSites: ['https://shop.example'] } };
  expect(await owner.patch(`${meta}/views/${viewId}/share`, sites)).toMatchObject({ status: 200 });
  const framed = await cookie('Vic');
  for (const part of ['SameSite=None', 'Secure', 'Partitioned']) expect(framed).toContain(part);
});

test('the answer of the first time is given only to whom the link still opens', async () => {
  const views = await owner.get<{ list: readonly { id: string; title: string }[] }>(
    `${meta}/tables/${table.id}/views`,
  );
  const share = `${meta}/views/${views.body.list.find(({ title }) => title === 'Slip')?.id}/share`;
  const headers = { 'idempotency-key': 'b'.repeat(32) };
  const knowing = server.client.with({ headers: { ...headers, 'xc-password': 'Open sesame 1' } });
  const row = { data: { Name: 'Behind a password' } };
  expect((await owner.patch(share, { password: 'Open sesame 1' })).status).toBe(200);
  const first = await knowing.post(`${base}/rows`, row);
  expect(first.status).toBe(200);
  expect((await knowing.post(`${base}/rows`, row)).body).toEqual(first.body);
  const without = await server.client.with({ headers }).post(`${base}/rows`, row);
  expect(without.status).toBe(403);
  expect((await owner.delete(share)).status).toBe(200);
  expect((await knowing.post(`${base}/rows`, row)).status).toBe(404);
});
