import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RowKey, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const rows = '/api/v1/db/data/noco/Atlas/City';
const operations = '/api/v1/db/data/operations/Atlas';
const comments = '/api/v1/db/meta/audits/comments';

interface Told {
  readonly tableId: string;
  readonly keys: readonly RowKey[];
}

const told: Told[] = [];
const listener = testPlugin(
  'listener',
  (ctx) => {
    ctx.tap('rows.didPurge', (rows) => void told.push(rows));
  },
  { contributes: { hooks: ['rows.didPurge'] } },
);

let server: TestServer;
let boss: TestClient;
let table: TableEntity;

beforeAll(async () => {
  server = await createTestServer({ plugins: [listener] });
  boss = await server.signUp('boss@example.com');
  const { body } = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
  const made = await boss.post<TableEntity>(`/api/v1/db/meta/projects/${body.id}/tables`, {
    title: 'City',
    columns: [{ title: 'Code', uidt: 'SingleLineText', pk: true, rqd: true }],
  });
  expect(made.status).toBe(200);
  table = made.body;
});
afterAll(() => server?.dispose());

async function addRows(...codes: readonly string[]): Promise<void> {
  for (const Code of codes) expect((await boss.post(rows, { Code })).status).toBe(200);
}

/** @returns the id of the deletion */
async function deleteRow(code: string): Promise<string> {
  const { status, headers } = await boss.delete(`${rows}/${code}`);
  expect(status).toBe(200);
  return headers.get('x-trellis-operation') ?? '';
}

const purge = async (deletion: string) =>
  (await boss.delete<unknown>(`${operations}/deletions/${deletion}`)).body;

async function comment(code: string, text: string): Promise<void> {
  const sent = { fk_model_id: table.id, row_id: code, description: text };
  expect((await boss.post(comments, sent)).status).toBe(200);
}

async function commentsOn(code: string): Promise<readonly string[]> {
  const query = `row_id=${code}&fk_model_id=${table.id}&comments_only=true`;
  const { body } = await boss.get<readonly { readonly description: string }[]>(`${comments}?${query}`);
  return body.map(({ description }) => description);
}

test('a row that is deleted for good takes its comments along, and everybody who listens is told of its key', async () => {
  await addRows('oslo', 'bergen');
  await comment('oslo', 'On the fjord');
  await comment('bergen', 'On the coast');
  const deletion = await deleteRow('oslo');
  expect(told).toEqual([]);

  expect(await purge(deletion)).toEqual({ rows: 1 });
  expect(told.splice(0)).toEqual([{ tableId: table.id, keys: ['oslo'] }]);
  await addRows('oslo');
  expect(await commentsOn('oslo')).toEqual([]);
  expect(await commentsOn('bergen')).toEqual(['On the coast']);
});

test('a row that stands under the same key since keeps its comments, and nobody is told that it is gone', async () => {
  await addRows('lima');
  const deletion = await deleteRow('lima');
  await addRows('lima');
  await comment('lima', 'Another one');

  expect(await purge(deletion)).toEqual({ rows: 1 });
  expect(told.flatMap(({ keys }) => keys)).toEqual([]);
  expect(await commentsOn('lima')).toEqual(['Another one']);
});

test('rows that come back are not told of, and keep their comments', async () => {
  await addRows('quito');
  await comment('quito', 'High up');
  const deletion = await deleteRow('quito');
  expect((await boss.post(`${operations}/${deletion}/undo`)).status).toBe(200);

  expect((await boss.delete(`${operations}/deletions/${deletion}`)).status).toBe(404);
  expect(told).toEqual([]);
  expect(await commentsOn('quito')).toEqual(['High up']);
});
