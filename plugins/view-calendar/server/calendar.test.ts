import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

let server: TestServer;
let owner: TestClient;
let projectId = '';
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp('owner@example.com');
  projectId = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
});
afterAll(() => server?.dispose());

/** The titles of the columns that a new calendar of a table with these columns is drawn by. */
async function rangeOf(title: string, columns: readonly string[], more: object = {}) {
  const { body: table } = await owner.post<TableEntity>(`${meta}/projects/${projectId}/tables`, {
    title,
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      ...columns.map((each) => ({ title: each, uidt: 'Date' })),
    ],
  });
  const made = await owner.post<{ id: string }>(`${meta}/tables/${table.id}/calendars`, { title, ...more });
  const { body } = await owner.get<{ meta: { ranges: readonly { fromId: string; toId?: string }[] } }>(
    `${meta}/calendars/${made.body.id}`,
  );
  const named = (id: string | undefined) => table.columns?.find((column) => column.id === id)?.title;
  const [range] = body.meta.ranges;
  return { view: made.body.id, range: [named(range?.fromId), named(range?.toId)] };
}

test('a new calendar lasts from the column to the one whose names say so, and its owner chooses others', async () => {
  const { view, range } = await rangeOf('Trip', ['Booked', 'End', 'Start']);
  expect(range).toEqual(['Start', 'End']);
  const { body } = await owner.get<{ meta: { ranges: readonly { fromId: string }[] } }>(
    `${meta}/calendars/${view}`,
  );
  const [{ fromId } = {}] = body.meta.ranges;
  const changed = await owner.patch(`${meta}/calendars/${view}`, { meta: { ranges: [{ fromId }] } });
  expect(changed.status).toBe(200);
  const { body: now } = await owner.get<typeof body>(`${meta}/calendars/${view}`);
  expect(now.meta.ranges).toEqual([{ fromId }]);
});

test('entries of a new calendar are of one day where no names say more', async () => {
  expect((await rangeOf('Person', ['Born', 'Hired'])).range).toEqual(['Born', undefined]);
});
