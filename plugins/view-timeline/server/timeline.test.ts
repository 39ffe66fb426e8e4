import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

let server: TestServer;
let owner: TestClient;
let table: TableEntity;
let plain: TableEntity;
let trips: TableEntity;

const id = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';
const make = (of: TableEntity, body: object) =>
  owner.post<ViewEntity>(`${meta}/tables/${of.id}/timelines`, { title: 'Plan', ...body });
interface Timeline {
  readonly meta: Readonly<Record<string, unknown>>;
}

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp('owner@example.com');
  const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' });
  const add = async (title: string, columns: readonly object[]) =>
    (
      await owner.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
        title,
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Name', uidt: 'SingleLineText', pv: true },
          ...columns,
        ],
      })
    ).body;
  table = await add('Task', [
    { title: 'From', uidt: 'Date' },
    { title: 'To', uidt: 'Date' },
    { title: 'Keeper', uidt: 'Collaborator' },
    { title: 'Cost', uidt: 'Number' },
  ]);
  plain = await add('Plain', []);
  trips = await add('Trip', [
    { title: 'Booked', uidt: 'Date' },
    { title: 'Return to', uidt: 'Date' },
    { title: 'End date', uidt: 'Date' },
    { title: 'Start date', uidt: 'Date' },
  ]);
  for (const row of [
    { Name: 'paint', From: '2026-03-04', To: '2026-03-20' },
    { Name: 'sweep', From: '2026-04-05', To: '2026-04-05' },
    { Name: 'idle' },
  ])
    await owner.post('/api/v1/db/data/noco/Shop/Task', row);
});
afterAll(() => server?.dispose());

test('a new timeline takes the first columns of dates, and a table without one has no timeline', async () => {
  const made = await make(table, {});
  expect(made.status).toBe(200);
  const { body } = await owner.get<Timeline>(`${meta}/timelines/${made.body.id}`);
  expect(body.meta).toMatchObject({ fromId: id('From'), toId: id('To'), groupId: '', length: 1 });
  expect(await make(plain, {})).toMatchObject({ status: 400, body: { code: 'TIMELINE_NO_COLUMN' } });
});

test('a new timeline lasts from the column to the one whose names say so, wherever they stand', async () => {
  const made = await make(trips, {});
  const { body } = await owner.get<Timeline>(`${meta}/timelines/${made.body.id}`);
  const named = (key: string) => trips.columns?.find((column) => column.id === body.meta[key])?.title;
  expect([named('fromId'), named('toId')]).toEqual(['Start date', 'End date']);
});

test('only columns that say it say how long rows last, and by which they stand together', async () => {
  const made = await make(table, { title: 'Rules' });
  const change = (options: object) =>
    owner.patch<Timeline>(`${meta}/timelines/${made.body.id}`, { meta: options });
  for (const options of [
    { fromId: id('Cost') },
    { toId: id('Name') },
    { toId: id('From') },
    { groupId: id('Cost') },
    { fromId: '' },
  ])
    expect([options, (await change(options)).status]).toEqual([options, 400]);
  expect((await change({ toId: '', length: 7, groupId: id('Keeper') })).status).toBe(200);
});

test('whoever has the link reads a page of days, also where searches are off, and is told of no member', async () => {
  const made = await make(table, { title: 'Open' });
  await owner.patch(`${meta}/timelines/${made.body.id}`, { meta: { groupId: id('Keeper') } });
  const shared = await owner.post<{ uuid: string }>(`${meta}/views/${made.body.id}/share`, {});
  await owner.patch(`${meta}/views/${made.body.id}/share`, { meta: { allowSearch: false } });
  const base = `/api/v1/db/public/shared-view/${shared.body.uuid}`;
  const rules = [
    { fk_column_id: id('From'), comparison_op: 'lt', value: '2026-04-01' },
    { fk_column_id: id('To'), comparison_op: 'gte', value: '2026-03-10' },
  ];
  const asked = encodeURIComponent(JSON.stringify(rules));
  const rows = await server.client.get<{ data: { list: readonly object[] } }>(
    `${base}/rows?filterArrJson=${asked}`,
  );
  expect(rows.body.data.list).toMatchObject([{ Name: 'paint' }]);
  const told = await server.client.get<{
    readonly model: { readonly views: readonly Timeline[] };
    readonly columns: readonly ViewColumnEntity[];
  }>(`${base}/meta`);
  expect(told.body.model.views[0]?.meta).toMatchObject({ fromId: id('From'), groupId: '' });
  expect(JSON.stringify(told.body)).not.toContain('Keeper');
});
