import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

let server: TestServer;
let owner: TestClient;
let table: TableEntity;

const id = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';
const rule = (title: string, operator: string, value: string) => ({
  fk_column_id: id(title),
  comparison_op: operator,
  value,
});
const asked = (parameters: Readonly<Record<string, unknown>>) =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]),
  ).toString();

async function share(viewId: string, allows: object = {}): Promise<string> {
  const made = await owner.post<{ uuid: string }>(`${meta}/views/${viewId}/share`, {});
  await owner.patch(`${meta}/views/${viewId}/share`, { meta: allows });
  return `/api/v1/db/public/shared-view/${made.body.uuid}`;
}

async function hide(viewId: string, title: string): Promise<void> {
  const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${viewId}/columns`);
  const place = places.body.find(({ fk_column_id: of }) => of === id(title));
  expect(await owner.patch(`${meta}/views/${viewId}/columns/${place?.id}`, { show: false })).toMatchObject({
    status: 200,
  });
}

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp('owner@example.com');
  const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' });
  const made = await owner.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
    title: 'Task',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      {
        title: 'State',
        uidt: 'SingleSelect',
        meta: {
          options: [
            { id: 'sl_open', title: 'open', color: '#cfdffe' },
            { id: 'sl_done', title: 'done', color: '#d0f1fd' },
          ],
        },
      },
      { title: 'Cost', uidt: 'Number' },
      { title: 'Due', uidt: 'Date' },
      { title: 'Keeper', uidt: 'Collaborator' },
    ],
  });
  table = made.body;
  for (const row of [
    { Name: 'paint', State: 'open', Cost: 3, Due: '2026-03-04', Keeper: 'owner@example.com' },
    { Name: 'sweep', State: 'open', Cost: 4, Due: '2026-04-05' },
    { Name: 'build', State: 'done', Cost: 70, Due: '2026-03-06' },
    { Name: 'idle' },
  ])
    expect(await owner.post(`/api/v1/db/data/noco/Shop/Task`, row)).toMatchObject({ status: 200 });
});
afterAll(() => server?.dispose());

test('gives visitors the groups of a view and the figures over them, by columns that they see', async () => {
  const grid = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/grids`, { title: 'Costs' });
  const base = await share(grid.body.id);
  const groupArrJson = [{ fk_column_id: id('State'), direction: 'asc' }];
  const aggregations = [{ column: id('Cost'), aggregation: 'sum' }];
  const groups = await server.client.get(`${base}/rows/groups?${asked({ groupArrJson, aggregations })}`);
  expect(groups.body).toMatchObject({
    levels: [
      [
        { values: [null], count: 1 },
        { values: ['open'], count: 2, figures: ['7'] },
        { values: ['done'], count: 1, figures: ['70'] },
      ],
    ],
  });
  const rows = await server.client.get(`${base}/rows?${asked({ groupArrJson })}`);
  expect(rows.body).toMatchObject({
    data: { list: [{ Name: 'idle' }, { Name: 'paint' }, { Name: 'sweep' }, { Name: 'build' }] },
  });
  const filterArrJson = [rule('Name', 'like', 'e')];
  const totals = await server.client.get(`${base}/rows/aggregate?${asked({ filterArrJson, aggregations })}`);
  expect(totals.body).toEqual({ list: [{ aggregation: 'sum', value: '4' }] });
  await hide(grid.body.id, 'Cost');
  for (const path of ['rows/groups', 'rows/aggregate'])
    expect(await server.client.get(`${base}/${path}?${asked({ groupArrJson, aggregations })}`)).toMatchObject(
      {
        status: 400,
      },
    );
  const byHidden = [{ fk_column_id: id('Cost'), direction: 'asc' }];
  for (const path of ['rows', 'rows/groups'])
    expect(await server.client.get(`${base}/${path}?${asked({ groupArrJson: byHidden })}`)).toMatchObject({
      status: 400,
    });
});

test('reads the stacks of a kanban by its link, also where searches are off, and names no member', async () => {
  const made = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/kanbans`, {
    title: 'Board',
    fk_grp_col_id: id('State'),
  });
  const base = await share(made.body.id, { allowSearch: false });
  const arrangements = [
    { columnId: id('Keeper'), stacks: [{ id: 'owner@example.com' }] },
    { columnId: id('State'), stacks: [{ id: 'sl_done' }, { id: 'sl_open' }] },
  ];
  const options = { stackedBy: id('State'), arrangements, figureColumnId: id('Cost'), figure: 'sum' };
  expect(await owner.patch(`${meta}/views/${made.body.id}`, { meta: options })).toMatchObject({
    status: 200,
  });
  await hide(made.body.id, 'Cost');
  const told = await server.client.get<{ model: { views: readonly { meta: object }[] } }>(`${base}/meta`);
  expect(told.body.model.views[0]?.meta).toMatchObject({
    stackedBy: id('State'),
    arrangements: [arrangements[1]],
    figureColumnId: '',
    figure: '',
  });
  expect(JSON.stringify(told.body)).not.toContain('owner@example.com');
  const stack = [rule('State', 'eq', 'open')];
  const rows = await server.client.get(`${base}/rows?${asked({ filterArrJson: stack })}`);
  expect(rows.body).toMatchObject({ data: { list: [{ Name: 'paint' }, { Name: 'sweep' }] } });
  const search = [...stack, rule('Name', 'eq', 'paint')];
  expect(await server.client.get(`${base}/rows?${asked({ filterArrJson: search })}`)).toMatchObject({
    status: 403,
  });
});

test('keeps the rows of hidden stacks from whoever has the link of a kanban', async () => {
  const made = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/kanbans`, {
    title: 'Open tasks',
    fk_grp_col_id: id('State'),
  });
  const base = await share(made.body.id);
  const names = async (query = '') => {
    const rows = await server.client.get<{ data: { list: readonly { Name: string }[] } }>(
      `${base}/rows${query}`,
    );
    return rows.body.data.list.map(({ Name }) => Name);
  };
  expect(await names()).toEqual(['paint', 'sweep', 'build', 'idle']);
  const hideStacks = async (...stacks: readonly string[]) => {
    const hidden = stacks.map((stack) => ({ id: stack, hidden: true }));
    const options = { stackedBy: id('State'), arrangements: [{ columnId: id('State'), stacks: hidden }] };
    expect(await owner.patch(`${meta}/views/${made.body.id}`, { meta: options })).toMatchObject({
      status: 200,
    });
  };
  await hideStacks('sl_done');
  expect(await names()).toEqual(['paint', 'sweep', 'idle']);
  expect(await names(`?${asked({ filterArrJson: [rule('State', 'eq', 'done')] })}`)).toEqual([]);
  await hideStacks('sl_open', 'uncategorized');
  expect(await names()).toEqual(['build']);
  const groupArrJson = [{ fk_column_id: id('State'), direction: 'asc' }];
  expect((await server.client.get(`${base}/rows/groups?${asked({ groupArrJson })}`)).body).toMatchObject({
    levels: [[{ values: ['done'], count: 1 }]],
  });
  expect((await server.client.get(`${base}/rows/export/csv`)).body).not.toMatch(/paint|sweep|idle/);
  const told = await server.client.get<{ model: { views: readonly { meta: object }[] } }>(`${base}/meta`);
  expect(JSON.stringify(told.body)).not.toMatch(/sl_open|"open"|#cfdffe|'open'/);
  expect(JSON.stringify(told.body)).toContain('sl_done');
  expect(told.body.model.views[0]?.meta).toMatchObject({
    arrangements: [{ columnId: id('State'), stacks: [{ id: 'uncategorized', hidden: true }] }],
  });
});

test('tells of a grid neither by which hidden columns it is grouped nor what no option of its type is', async () => {
  const made = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/grids`, { title: 'Grouped' });
  const base = await share(made.body.id);
  const groups = ['Cost', 'State'].map((title) => ({ columnId: id(title), direction: 'asc' }));
  const options = { groups, rowHeight: 'tall', keptByOthers: { columnId: id('Cost') } };
  expect(await owner.patch(`${meta}/views/${made.body.id}`, { meta: options })).toMatchObject({
    status: 200,
  });
  await hide(made.body.id, 'Cost');
  const told = await server.client.get<{ view: { meta: object } }>(`${base}/meta`);
  expect(told.body.view.meta).toMatchObject({ rowHeight: 'tall', groups: [groups[1]] });
  expect(JSON.stringify(told.body)).not.toMatch(new RegExp(`keptByOthers|${id('Cost')}`));
});

test('reads the cards of a board by people by its link, but those of hidden people, and names nobody', async () => {
  const made = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/kanbans`, {
    title: 'By person',
    fk_grp_col_id: id('Keeper'),
  });
  const base = await share(made.body.id);
  const stacks = [{ id: 'owner@example.com', hidden: true }];
  const options = { stackedBy: id('Keeper'), arrangements: [{ columnId: id('Keeper'), stacks }] };
  const read = async () => {
    const rows = await server.client.get<{ data: { list: readonly { Name: string }[] } }>(`${base}/rows`);
    expect(JSON.stringify(rows.body)).not.toMatch(/Keeper|owner@example/);
    return rows.body.data.list.map(({ Name }) => Name);
  };
  await owner.patch(`${meta}/views/${made.body.id}`, { meta: { stackedBy: id('Keeper') } });
  expect(await read()).toEqual(['paint', 'sweep', 'build', 'idle']);
  await owner.patch(`${meta}/views/${made.body.id}`, { meta: options });
  expect(await read()).toEqual(['sweep', 'build', 'idle']);
  const told = await server.client.get(`${base}/meta`);
  expect(JSON.stringify(told.body)).not.toMatch(/Keeper|owner@example/);
  const forbidden = {
    groups: asked({ groupArrJson: [{ fk_column_id: id('Keeper'), direction: 'asc' }] }),
    one: asked({ filterArrJson: [rule('Keeper', 'eq', 'owner@example.com')] }),
    order: asked({ sortArrJson: [{ fk_column_id: id('Keeper'), direction: 'asc' }] }),
  };
  for (const path of [
    `rows/groups?${forbidden.groups}`,
    `rows?${forbidden.one}`,
    `rows?${forbidden.order}`,
    'rows?sort=Keeper',
  ])
    expect([path, (await server.client.get(`${base}/${path}`)).status]).toEqual([path, 400]);
});

test('reads the days of a calendar by its link, also where searches are off', async () => {
  const made = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/calendars`, { title: 'Days' });
  const base = await share(made.body.id, { allowSearch: false });
  const filterArrJson = [rule('Due', 'gte', '2026-03-01'), rule('Due', 'lt', '2026-04-01')];
  const rows = await server.client.get<{ data: { list: readonly { Name: string }[] } }>(
    `${base}/rows?${asked({ filterArrJson })}`,
  );
  expect(rows.body.data.list.map(({ Name }) => Name)).toEqual(['paint', 'build']);
});

test('keeps a column hidden that a lookup over a link of the table to itself shows of other rows', async () => {
  const columns = `${meta}/tables/${table.id}/columns`;
  const linked = await owner.post<TableEntity>(columns, {
    title: 'Within',
    uidt: 'LinkToAnotherRecord',
    parentId: table.id,
    childId: table.id,
    type: 'hm',
  });
  const relation = linked.body.columns?.find(({ title }) => title === 'Within');
  const shown = await owner.post<TableEntity>(columns, {
    title: 'Costs within',
    uidt: 'Lookup',
    fk_relation_column_id: relation?.id,
    fk_lookup_column_id: id('Cost'),
  });
  expect(shown).toMatchObject({ status: 200 });
  const { id: view } = (await owner.post<ViewEntity>(`${meta}/tables/${table.id}/grids`, { title: 'Parts' }))
    .body;
  await hide(view, 'Cost');
  const base = await share(view);
  for (const parameters of [
    { fields: 'Name,Cost' },
    asked({ filterArrJson: [rule('Cost', 'gt', '5')] }),
    asked({ sortArrJson: [{ fk_column_id: id('Cost'), direction: 'asc' }] }),
  ]) {
    const query = typeof parameters === 'string' ? parameters : new URLSearchParams(parameters).toString();
    const answer = await server.client.get<{ data?: { list: readonly object[] } }>(`${base}/rows?${query}`);
    const told = answer.body.data?.list.some((row) => 'Cost' in row) ?? false;
    expect([query, told || (answer.status === 200 && query.includes('ArrJson'))]).toEqual([query, false]);
  }
});

test('tells no lookup of linked rows of the same table rather than an empty one', async () => {
  const project = table.project_id;
  const wages = await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, {
    title: 'Wage',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      { title: 'Amount', uidt: 'Number' },
    ],
  });
  const columnOf = (of: TableEntity, title: string) =>
    of.columns?.find((column) => column.title === title)?.id ?? '';
  const columns = `${meta}/tables/${table.id}/columns`;
  const link = async (title: string, childId: string) => {
    const body = { title, uidt: 'LinkToAnotherRecord', type: 'mm', parentId: table.id, childId };
    const made = await owner.post<TableEntity>(columns, body);
    return columnOf(made.body, title);
  };
  const [wage, subs] = [await link('Wages', wages.body.id), await link('Subs', table.id)];
  const pay = { title: 'Pay', uidt: 'Lookup', fk_relation_column_id: wage };
  const looked = { ...pay, fk_lookup_column_id: columnOf(wages.body, 'Amount') };
  expect(await owner.post(columns, looked)).toMatchObject({ status: 200 });
  const rows = '/api/v1/db/data/noco/Shop';
  expect(await owner.post(`${rows}/Wage`, { Name: 'all', Amount: 200 })).toMatchObject({ status: 200 });
  for (const path of ['2/mm/Wages/1', '1/mm/Subs/2'])
    expect(await owner.post(`${rows}/Task/${path}`)).toMatchObject({ status: 200 });
  const grid = await owner.post<ViewEntity>(`${meta}/tables/${table.id}/grids`, { title: 'Wages' });
  const base = await share(grid.body.id);
  const shown = await server.client.get(`${base}/rows?where=(Name,eq,sweep)`);
  expect(shown.body).toMatchObject({ data: { list: [{ Pay: [200] }] } });
  const linked = await server.client.get<{ list: readonly object[] }>(`${base}/rows/1/mm/${subs}`);
  expect(linked.body.list).toMatchObject([{ Id: 2, Name: 'sweep', Cost: 4 }]);
  expect(linked.body.list[0]).not.toHaveProperty('Pay');
});
