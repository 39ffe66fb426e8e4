import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

interface Shown {
  readonly uuid: string;
}

let server: TestServer;
let owner: TestClient;
let table: TableEntity;
const views = new Map<string, { readonly id: string; readonly uuid?: string }>();

async function makeView(name: string, plural: string, isShared: boolean): Promise<void> {
  const { id } = (await owner.post<{ id: string }>(`${meta}/tables/${table.id}/${plural}`, { title: name }))
    .body;
  const uuid = isShared ? (await owner.post<Shown>(`${meta}/views/${id}/share`, {})).body.uuid : undefined;
  views.set(name, { id, ...(uuid !== undefined && { uuid }) });
}

const placesOf = async (name: string) =>
  (await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${views.get(name)?.id}/columns`)).body;

/** The names of the views that show a column. */
async function shownIn(title: string): Promise<readonly string[]> {
  const id = table.columns?.find((column) => column.title === title)?.id;
  const shown: string[] = [];
  for (const name of views.keys())
    if ((await placesOf(name)).some((place) => place.fk_column_id === id && place.show)) shown.push(name);
  return shown.toSorted();
}

async function add(body: object, path = `${meta}/tables/${table.id}/columns`): Promise<void> {
  const made = await owner.post<TableEntity>(path, body);
  expect(made.status).toBe(200);
  table = made.body;
}

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp('owner@example.com');
  const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' });
  const made = await owner.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
    title: 'Contact',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      { title: 'City', uidt: 'SingleLineText' },
    ],
  });
  table = made.body;
  await makeView('form', 'forms', false);
  await makeView('shared form', 'forms', true);
  await makeView('shared grid', 'grids', true);
  await makeView('shared gallery', 'galleries', true);
  await makeView('grid', 'grids', false);
  await makeView('choosing grid', 'grids', false);
  const city = table.columns?.find(({ title }) => title === 'City')?.id;
  const place = (await placesOf('choosing grid')).find(({ fk_column_id: of }) => of === city);
  await owner.patch(`${meta}/views/${views.get('choosing grid')?.id}/columns/${place?.id}`, { show: false });
});
afterAll(() => server?.dispose());

test('a column that is made later shows to no stranger, in no form and in no view that hides others', async () => {
  await add({ title: 'Secret note', uidt: 'SingleLineText' });
  expect(await shownIn('Secret note')).toEqual(['grid']);
  expect(
    await owner.post('/api/v1/db/data/noco/Shop/Contact', { Name: 'Eve', 'Secret note': 'fired soon' }),
  ).toMatchObject({ status: 200 });
  for (const name of ['shared grid', 'shared gallery']) {
    const rows = await server.client.get(`/api/v1/db/public/shared-view/${views.get(name)?.uuid}/rows`);
    expect(rows.status).toBe(200);
    expect(JSON.stringify(rows.body)).toContain('Eve');
    expect(JSON.stringify(rows.body)).not.toContain('fired soon');
  }
  const form = await server.client.get(
    `/api/v1/db/public/shared-view/${views.get('shared form')?.uuid}/meta`,
  );
  expect(form.status).toBe(200);
  expect(JSON.stringify(form.body)).not.toContain('Secret note');
});

test('nor do columns that are computed, link or are copied', async () => {
  await add({ title: 'Twice', uidt: 'Formula', formula_raw: 'CONCAT({Name}, {Name})' });
  await add({
    title: 'Friends',
    uidt: 'LinkToAnotherRecord',
    type: 'mm',
    parentId: table.id,
    childId: table.id,
  });
  const note = table.columns?.find(({ title }) => title === 'Secret note')?.id;
  await add({ title: 'Note again' }, `${meta}/columns/${note}/duplicate`);
  for (const title of ['Twice', 'Friends', 'Note again']) expect(await shownIn(title)).toEqual(['grid']);
});

test('the view that it was added from shows it although it hides others, unless strangers see it', async () => {
  await add({ title: 'Here', uidt: 'SingleLineText', view_id: views.get('choosing grid')?.id });
  expect(await shownIn('Here')).toEqual(['choosing grid', 'grid']);
  await add({
    title: 'Formula here',
    uidt: 'Formula',
    formula_raw: '1',
    view_id: views.get('choosing grid')?.id,
  });
  expect(await shownIn('Formula here')).toEqual(['choosing grid', 'grid']);
  await add({ title: 'There', uidt: 'SingleLineText', view_id: views.get('shared grid')?.id });
  expect(await shownIn('There')).toEqual(['grid']);
});

test('what must be answered is asked by every form, since no row could be sent without it', async () => {
  await owner.delete('/api/v1/db/data/noco/Shop/Contact/1');
  await add({ title: 'Code', uidt: 'SingleLineText', rqd: true });
  expect(await shownIn('Code')).toEqual(['form', 'grid', 'shared form']);
});
