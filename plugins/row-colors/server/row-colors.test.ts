import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { ColorOptions, ColorRule } from '../shared/index.ts';

const meta = '/api/v1/db/meta';
const data = '/api/v1/db/data/noco/Shop/Order';

let server: TestServer;
let owner: TestClient;
let table: TableEntity;
let round = 0;

const id = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';

const rule = (name: string, title: string, value: string): ColorRule => ({
  id: name,
  color: '#2d6fdb',
  filters: [{ kind: 'condition', id: 'c1', logicalOp: 'and', columnId: id(title), operator: 'eq', value }],
});

async function make(plural = 'grids', more: object = {}): Promise<ViewEntity> {
  round += 1;
  const path = `${meta}/tables/${table.id}/${plural}`;
  const { body } = await owner.post<ViewEntity>(path, { title: `View ${round}`, ...more });
  return body;
}

const save = (view: ViewEntity, kept: object, before?: object) =>
  owner.patch<ViewEntity>(`${meta}/views/${view.id}`, {
    meta: { additions: { 'row-colors': kept } },
    meta_before: before === undefined ? {} : { additions: { 'row-colors': before } },
  });

const keptOf = (view: ViewEntity) =>
  (view.meta?.additions as Readonly<Record<string, ColorOptions>> | undefined)?.['row-colors'];

async function hide(view: ViewEntity, title: string): Promise<void> {
  const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${view.id}/columns`);
  const place = places.body.find((of) => of.fk_column_id === id(title));
  await owner.patch(`${meta}/views/${view.id}/columns/${place?.id}`, { show: false });
}

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp('owner@example.com');
  const project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
  table = (
    await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, {
      title: 'Order',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Title', uidt: 'SingleLineText', pv: true },
        { title: 'Pay', uidt: 'Number' },
        { title: 'Day', uidt: 'Date' },
      ],
    })
  ).body;
  await owner.post(data, { Title: 'first', Pay: 7000 });
});
afterAll(() => server?.dispose());

test('a view keeps its rules beside the options of its type, whichever that is', async () => {
  const calendar = { meta: { ranges: [{ fromId: id('Day') }] } };
  for (const [plural, more] of [
    ['grids', {}],
    ['galleries', {}],
    ['calendars', calendar],
  ] as const) {
    const view = await make(plural, more);
    const kept = { place: 'stripe', rules: [rule('r1', 'Title', 'first')] };
    const saved = await save(view, kept);
    expect(saved).toMatchObject({ status: 200, body: { meta: { ...view.meta } } });
    expect(keptOf(saved.body)).toEqual(kept);
  }
});

test('what is no rule is refused, and says where', async () => {
  const view = await make();
  for (const [kept, at] of [
    [{ rules: [{ ...rule('r1', 'Title', 'x'), color: 'red; background: url(x)' }] }, 'color'],
    [{ rules: [{ ...rule('r1', 'Title', 'x'), filters: [{ kind: 'other' }] }] }, 'filters'],
    [{ place: 'left' }, 'place'],
    [{ spots: true }, 'spots'],
    ['rules', ''],
  ] as const) {
    const answer = await save(view, kept as object);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VIEW_OPTIONS_INVALID' } });
    expect(JSON.stringify(answer.body)).toContain(at);
  }
  const unknown = await owner.patch(`${meta}/views/${view.id}`, { meta: { additions: { stars: {} } } });
  expect(unknown).toMatchObject({ status: 409, body: { code: 'VIEW_ADDITION_DISABLED' } });
});

test('two people who change different rules keep both, and the second to change one is told', async () => {
  const view = await make();
  const [one, two] = [rule('r1', 'Title', 'a'), rule('r2', 'Title', 'b')];
  const before = { rules: [one, two] };
  await save(view, before);
  await save(view, { rules: [{ ...one, color: '#cf2750' }, two] }, before);
  const other = await save(view, { rules: [one, { ...two, color: '#1c8a2c' }] }, before);
  expect(keptOf(other.body)?.rules.map(({ color }) => color)).toEqual(['#cf2750', '#1c8a2c']);
  const third = await save(view, { rules: [{ ...one, color: '#946800' }, two] }, before);
  expect(third).toMatchObject({ status: 409, body: { code: 'OPTIONS_CHANGED' } });
});

test('a locked view keeps its colours, and a copy of another type takes them along', async () => {
  const view = await make();
  const kept = { rules: [rule('r1', 'Title', 'first')] };
  await save(view, kept);
  expect(keptOf(await make('galleries', { copy_from_id: view.id }))).toEqual(kept);
  expect(keptOf(await make('grids', { copy_from_id: view.id }))).toEqual(kept);
  await owner.patch(`${meta}/views/${view.id}`, { lock_type: 'locked' });
  expect(await save(view, { rules: [] }, kept)).toMatchObject({
    status: 400,
    body: { code: 'VIEW_LOCKED' },
  });
});

test('rows are read with the columns that a page colours them by, and nothing that is not there', async () => {
  const view = await make();
  await hide(view, 'Pay');
  const rows = `${data}/views/${view.id}`;
  const read = async (also: string) =>
    (await owner.get<{ list: readonly object[] }>(`${rows}?also=${also}`)).body.list[0];
  expect(await read('')).not.toHaveProperty('Pay');
  expect(await read(id('Pay'))).toMatchObject({ Title: 'first', Pay: 7000 });
  expect(await read('gone')).not.toHaveProperty('Pay');
});

test('a member is told of no rule over a column that is hidden from them, and reads no cell of it', async () => {
  const bob = await server.signUp('bob@example.com');
  const bobId = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
  const project = table.project_id ?? '';
  await owner.post(`${meta}/projects/${project}/users`, { email: 'bob@example.com', roles: 'editor' });
  const role = await owner.post<{ id: string }>(`/api/v1/plugins/sys-members/projects/${project}/roles`, {
    title: 'Without pay',
    base: 'editor',
    tables: {
      [table.id]: {
        access: 'write',
        create: true,
        delete: true,
        columns: { [id('Pay')]: 'none' },
        newColumns: 'write',
      },
    },
    newTables: 'write',
  });
  await owner.patch(`${meta}/projects/${project}/users/${bobId}`, {
    roles: 'editor',
    project_id: project,
    custom_role: role.body.id,
  });
  const view = await make();
  const [hidden, seen] = [rule('r1', 'Pay', '7000'), rule('r2', 'Title', 'first')];
  await save(view, { columnId: id('Pay'), rules: [hidden, seen] });
  const views = await bob.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${table.id}/views`);
  const told = views.body.list.find((of) => of.id === view.id) as ViewEntity;
  expect(keptOf(told)).toMatchObject({ columnId: '', rules: [seen] });
  expect(JSON.stringify((await bob.get(`${meta}/tables/${table.id}`)).body)).not.toContain('7000');
  const rows = await bob.get(`${data}/views/${view.id}?also=${id('Pay')}`);
  expect(JSON.stringify(rows.body)).toContain('first');
  expect(JSON.stringify(rows.body)).not.toContain('7000');
});

test('whoever has the link of a view is told of no rule over a column that it hides, and gets no cell of it', async () => {
  const view = await make();
  await hide(view, 'Pay');
  const seen = rule('r2', 'Title', 'first');
  const mixed = {
    ...rule('r3', 'Title', 'first'),
    filters: [
      { kind: 'group', logicalOp: 'and', children: [...seen.filters, ...rule('r1', 'Pay', '7000').filters] },
    ],
  };
  await save(view, { columnId: id('Pay'), rules: [rule('r1', 'Pay', '7000'), seen, mixed] });
  const { uuid } = (await owner.post<{ uuid: string }>(`${meta}/views/${view.id}/share`, {})).body;
  const base = `/api/v1/db/public/shared-view/${uuid}`;
  const told = await server.client.get<{
    readonly view: Pick<ViewEntity, 'meta'>;
    readonly model: { readonly views: readonly ViewEntity[] };
  }>(`${base}/meta`);
  for (const of of [told.body.view, ...told.body.model.views])
    expect(keptOf(of as ViewEntity)).toMatchObject({ columnId: '', rules: [seen] });
  expect(JSON.stringify(told.body)).not.toMatch(new RegExp(`7000|Pay|${id('Pay')}`));
  const rows = await server.client.get(`${base}/rows`);
  expect(JSON.stringify(rows.body)).toContain('first');
  expect(JSON.stringify(rows.body)).not.toMatch(/7000|Pay/);
  // What a member's page asks for beside the shown columns is nothing that a visitor can ask for.
  expect(await server.client.get(`${base}/rows?also=${id('Pay')}`)).toMatchObject({ status: 400 });
});

test('whoever has the link of a view is told of no rule by picked rows, and members are', async () => {
  const linked = await owner.post<TableEntity>(`${meta}/tables/${table.id}/columns`, {
    title: 'Parts',
    uidt: 'LinkToAnotherRecord',
    parentId: table.id,
    childId: table.id,
    type: 'mm',
  });
  const parts = linked.body.columns?.find(({ title }) => title === 'Parts');
  expect(parts?.colOptions).toMatchObject({ related_key_titles: ['Id'] });
  const view = await make();
  const seen = rule('r2', 'Title', 'first');
  const picked = (operator: string): ColorRule => ({
    id: operator,
    color: '#cf2750',
    filters: [
      ...seen.filters,
      {
        kind: 'group',
        logicalOp: 'and',
        children: [
          {
            kind: 'condition',
            id: 'c2',
            logicalOp: 'and',
            columnId: parts?.id ?? '',
            operator,
            value: '424242',
          },
        ],
      },
    ],
  });
  const kept = { rules: [picked('linkedto'), seen, picked('notlinkedto')] };
  expect(keptOf((await save(view, kept)).body)).toEqual(kept);
  // Members' pages read the linked rows with the rows, by which they colour them.
  const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${view.id}/columns`);
  const place = places.body.find((of) => of.fk_column_id === parts?.id);
  await owner.patch(`${meta}/views/${view.id}/columns/${place?.id}`, { show: false });
  const read = await owner.get<{ list: readonly object[] }>(`${data}/views/${view.id}?also=${parts?.id}`);
  expect(read.body.list[0]).toMatchObject({ Parts: [] });
  await owner.patch(`${meta}/views/${view.id}/columns/${place?.id}`, { show: true });
  const { uuid } = (await owner.post<{ uuid: string }>(`${meta}/views/${view.id}/share`, {})).body;
  const told = await server.client.get<{ readonly view: Pick<ViewEntity, 'meta'> }>(
    `/api/v1/db/public/shared-view/${uuid}/meta`,
  );
  expect(keptOf(told.body.view as ViewEntity)).toMatchObject({ rules: [seen] });
  expect(JSON.stringify(told.body)).not.toMatch(/424242|linkedto|related_key_titles/);
});

test('a rule follows an option of a list that is called otherwise, in every view', async () => {
  const column = await owner.post<TableEntity>(`${meta}/tables/${table.id}/columns`, {
    title: 'State',
    uidt: 'SingleSelect',
    colOptions: { options: [{ title: 'Open' }, { title: 'Done' }] },
  });
  const state = column.body.columns?.find(({ title }) => title === 'State');
  const condition = (operator: string, value: unknown, columnId = state?.id) => ({
    kind: 'condition',
    id: 'c1',
    logicalOp: 'and',
    columnId,
    operator,
    value,
  });
  const kept = {
    rules: [
      { id: 'r1', color: '#2d6fdb', filters: [condition('eq', 'Open')] },
      {
        id: 'r2',
        color: '#cf2750',
        filters: [
          { kind: 'group', logicalOp: 'and', children: [condition('in', 'Done,Open')] },
          condition('eq', 'Open', id('Title')),
          condition('like', 'pen'),
        ],
      },
    ],
  };
  const [view, other] = [await make(), await make('galleries')];
  expect(await save(view, kept)).toMatchObject({ status: 200 });
  await save(other, { rules: [rule('r1', 'Title', 'first')] });
  const options = (state?.colOptions as { readonly options: readonly object[] } | undefined)?.options ?? [];
  const renamed = await owner.patch(`${meta}/columns/${state?.id}`, {
    colOptions: { options: [{ ...options[0], title: 'Ready' }, options[1]] },
  });
  expect(renamed).toMatchObject({ status: 200 });
  const { body } = await owner.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${table.id}/views`);
  const found = (of: ViewEntity) => keptOf(body.list.find((one) => one.id === of.id) as ViewEntity);
  expect(found(view)).toEqual({
    rules: [
      { ...kept.rules[0], filters: [condition('eq', 'Ready')] },
      {
        ...kept.rules[1],
        filters: [
          { kind: 'group', logicalOp: 'and', children: [condition('in', 'Done,Ready')] },
          condition('eq', 'Open', id('Title')),
          condition('like', 'pen'),
        ],
      },
    ],
  });
  expect(found(other)).toEqual({ rules: [rule('r1', 'Title', 'first')] });
});
