import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { FilterEntity, TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import {
  askUntil,
  createTestServer,
  describePlugin,
  folderPlugin,
  type TestClient,
} from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

const meta = '/api/v1/db/meta';
const own = '/api/v1/plugins/acme-watch';
const rows = '/api/v1/db/data/noco/Shop/Things';

let server: Awaited<ReturnType<typeof createTestServer>>;
let boss: TestClient;
let project = '';
let table: TableEntity;

beforeAll(async () => {
  server = await createTestServer({ plugins: [await folderPlugin(folder)] });
  boss = await server.signUp('boss@example.com');
  await server.host.plugins.enable('acme-watch');
  project = (await boss.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
  const columns = [
    { title: 'Id', uidt: 'ID', pk: true, ai: true },
    { title: 'State', uidt: 'SingleSelect', colOptions: { options: [{ title: 'new' }, { title: 'used' }] } },
    { title: 'Sold', uidt: 'Checkbox' },
  ];
  const made = await boss.post<TableEntity>(`${meta}/projects/${project}/tables`, {
    title: 'Things',
    columns,
  });
  expect(made.status).toBe(200);
  table = made.body;
});
afterAll(() => server.dispose());

beforeEach(async () => {
  table = (await boss.get<TableEntity>(`${meta}/tables/${table.id}`)).body;
});

const column = (title: string) => {
  const found = table.columns?.find((of) => of.title === title);
  if (found === undefined) throw new Error(`There is no column ${title}.`);
  return found;
};

/** Watches for a state. @returns the address of the condition */
async function watch(value: string, by = boss): Promise<string> {
  const body = { columnId: column('State').id, value };
  const made = await by.post<{ id: string }>(`${own}/tables/${table.id}/watches`, body);
  expect(made.status).toBe(200);
  return `${meta}/filters/${made.body.id}`;
}

interface Option {
  readonly id: string;
  readonly title: string;
}

/** Sets the options of the column of states, with whatever cells lose by it. */
async function setStates(change: (options: readonly Option[]) => readonly Option[]): Promise<void> {
  const { id, meta: kept } = column('State');
  const options = change((kept as unknown as { readonly options: readonly Option[] }).options);
  const body = { colOptions: { options }, meta: { acceptLoss: true } };
  expect((await boss.patch(`${meta}/columns/${id}`, body)).status).toBe(200);
  table = (await boss.get<TableEntity>(`${meta}/tables/${table.id}`)).body;
}

test('keeps a filter that is read, changed and removed by its id', async () => {
  const filter = await watch('new');
  expect((await boss.get<FilterEntity>(filter)).body).toMatchObject({
    fk_column_id: column('State').id,
    value: 'new',
  });
  expect((await boss.patch(filter, { value: 'used' })).status).toBe(200);
  expect((await boss.get<FilterEntity>(filter)).body).toMatchObject({ comparison_op: 'eq', value: 'used' });
  const refused = await boss.patch(filter, { comparison_op: 'resembles' });
  expect(refused.body).toMatchObject({ code: 'FILTER_OPERATOR_DISABLED' });
  expect((await boss.delete(filter)).status).toBe(200);
  expect((await boss.get(filter)).status).toBe(404);

  const left = await watch('new');
  await server.host.plugins.disable('acme-watch', { cascade: [] });
  // As an id is answered that there never was.
  expect((await boss.get(left)).status).toBe(403);
  await server.host.plugins.enable('acme-watch');
  expect((await boss.get(left)).status).toBe(200);
});

test('asks for an option by its new name, and ends with an option that is deleted', async () => {
  const [renamed, other] = [await watch('new'), await watch('used')];
  await setStates((options) =>
    options.map((option) => (option.title === 'new' ? { ...option, title: 'mint' } : option)),
  );
  expect((await boss.get<FilterEntity>(renamed)).body.value).toBe('mint');
  expect((await boss.get<FilterEntity>(other)).body.value).toBe('used');
  await setStates((options) => options.filter(({ title }) => title !== 'mint'));
  expect([(await boss.get(renamed)).status, (await boss.get(other)).status]).toEqual([404, 200]);
});

test('a view on the wall shows no column that is made later, and another view does', async () => {
  const views: string[] = [];
  for (const title of ['On the wall', 'At hand'])
    views.push((await boss.post<{ id: string }>(`${meta}/tables/${table.id}/grids`, { title })).body.id);
  const [hung = '', other = ''] = views;
  expect((await boss.post(`${own}/views/${hung}/wall`, {})).status).toBe(200);
  const made = { title: 'Price', uidt: 'SingleLineText' };
  table = (await boss.post<TableEntity>(`${meta}/tables/${table.id}/columns`, made)).body;
  const isShown = async (view: string) => {
    const places = (await boss.get<readonly ViewColumnEntity[]>(`${meta}/views/${view}/columns`)).body;
    return places.find((place) => place.fk_column_id === column('Price').id)?.show;
  };
  expect([await isShown(hung), await isShown(other)].map(Boolean)).toEqual([false, true]);
  const shared = async () =>
    (await boss.get<{ projects: readonly { viewCount: object }[] }>('/api/v1/aggregated-meta-info')).body
      .projects[0]?.viewCount;
  expect(await shared()).toMatchObject({ sharedGridCount: 1, sharedTotal: 1 });
  expect((await boss.delete(`${own}/views/${hung}/wall`)).status).toBe(200);
  expect(await shared()).toMatchObject({ sharedGridCount: 0, sharedTotal: 0 });
});

test('a view that is deleted hangs on no wall any more', async () => {
  const { id } = (await boss.post<{ id: string }>(`${meta}/tables/${table.id}/grids`, { title: 'Old' })).body;
  const onWall = async () =>
    (await boss.get<{ list: readonly string[] }>(`${own}/tables/${table.id}/wall`)).body.list;
  expect((await boss.post(`${own}/views/${id}/wall`, {})).status).toBe(200);
  expect(await onWall()).toEqual([id]);
  expect((await boss.delete(`${meta}/views/${id}`)).status).toBe(200);
  // The plugin hears of it a moment later.
  expect(await askUntil(onWall, (views) => views.length === 0)).toEqual([]);
});

test('a button ticks the box that was chosen for it', async () => {
  const offered = await boss.get<{ list: readonly { label: string }[] }>(
    `/api/v1/plugins/columns-formula/tables/${table.id}/button-operations/acmeTick`,
  );
  expect(offered.body.list.map(({ label }) => label)).toEqual(['Sold']);
  const act = { action: 'run', operation: 'acmeTick', choice: column('Sold').id };
  const made = { title: 'Sell', uidt: 'Button', meta: { label: 'Sell', ...act } };
  table = (await boss.post<TableEntity>(`${meta}/tables/${table.id}/columns`, made)).body;
  const { Id } = (await boss.post<{ Id: number }>(rows, { State: 'used' })).body;
  const press = () =>
    boss.post(`/api/v1/plugins/columns-formula/columns/${column('Sell').id}/press`, { rowKey: String(Id) });
  expect((await boss.get<{ Sold: unknown }>(`${rows}/${Id}`)).body.Sold).toBeFalsy();
  expect((await press()).status).toBe(200);
  expect((await boss.get<{ Sold: unknown }>(`${rows}/${Id}`)).body.Sold).toBeTruthy();
  await server.host.plugins.disable('acme-watch', { cascade: [] });
  expect((await press()).body).toMatchObject({ code: 'PLUGIN_DISABLED' });
  await server.host.plugins.enable('acme-watch');
  const sold = column('Sold').id;
  expect((await boss.patch(`${meta}/columns/${sold}`, { uidt: 'SingleLineText' })).status).toBe(200);
  expect((await press()).body).toMatchObject({ code: 'TICK_NO_BOX', msg: expect.stringContaining("'Sold'") });
  expect((await boss.delete(`${meta}/columns/${sold}`)).status).toBe(200);
  expect((await press()).body).toMatchObject({
    code: 'TICK_BOX_GONE',
    msg: expect.stringContaining('choose another one'),
  });
});

test('forgets what an account watched that is deleted', async () => {
  const ben = await server.signUp('ben@example.com');
  const invited = { email: 'ben@example.com', roles: 'editor' };
  expect((await boss.post(`${meta}/projects/${project}/users`, invited)).status).toBe(200);
  const [kept, left] = [await watch('used'), await watch('used', ben)];
  expect((await boss.get(left)).status).toBe(200);
  expect((await boss.patch(left, { value: 'used' })).status).toBe(404);
  const { id } = (await ben.get<{ id: string }>('/api/v1/auth/user/me')).body;
  expect((await boss.delete(`/api/v1/users/${id}`)).status).toBe(200);
  expect([(await boss.get(left)).status, (await boss.get(kept)).status]).toEqual([404, 200]);
});

test('forgets what was watched in a project that is gone for good', async () => {
  await watch('used');
  const watched = async () =>
    (await boss.get<{ list: readonly string[] }>(`${own}/watches`)).body.list.length;
  expect((await boss.delete(`${meta}/projects/${project}`)).status).toBe(200);
  expect(await watched()).toBeGreaterThan(0);
  const deleted = '/api/v1/db/meta/deleted-projects';
  const [gone] = (await boss.get<{ list: readonly { id: string }[] }>(deleted)).body.list;
  expect((await boss.delete(`${deleted}/${gone?.id}`)).status).toBe(200);
  expect(await watched()).toBe(0);
});
