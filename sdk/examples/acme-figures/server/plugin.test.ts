import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, describePlugin, folderPlugin, type TestClient } from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

const rows = '/api/v1/db/data/noco/Shop/Things';
let server: Awaited<ReturnType<typeof createTestServer>>;
let boss: TestClient;

beforeAll(async () => {
  server = await createTestServer({ plugins: [await folderPlugin(folder)] });
  boss = await server.signUp();
  await server.host.plugins.enable('acme-figures');
  const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
  await boss.post(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Amount', uidt: 'Number' },
    ],
  });
  for (const Amount of [-20, 7, 30, null]) await boss.post(rows, { Name: 'thing', Amount });
});
afterAll(() => server.dispose());

async function spreadOf(column: string) {
  const aggregations = JSON.stringify([{ column, aggregation: 'acme-spread' }]);
  const answer = await boss.get<{ list: readonly { value: unknown }[] }>(
    `${rows}/aggregate?aggregations=${encodeURIComponent(aggregations)}`,
  );
  return Number(answer.body.list[0]?.value);
}

const multiplesOf = (value: string, column = 'Amount') =>
  boss.get<{ list: readonly { Amount: number }[]; msg?: string }>(
    `${rows}?where=(${column},acme-multiple,${value})`,
  );

test("the figure of 'aggregations' is how far the values of a column lie apart, and 0 of one value", async () => {
  expect(await spreadOf('Amount')).toBe(50);
  const one = encodeURIComponent(JSON.stringify([{ column: 'Amount', aggregation: 'acme-spread' }]));
  const answer = await boss.get<{ list: readonly { value: unknown }[] }>(
    `${rows}/aggregate?aggregations=${one}&where=(Amount,eq,7)`,
  );
  expect(Number(answer.body.list[0]?.value)).toBe(0);
});

test("the comparison of 'filterOperators' meets multiples, below zero as well, and no empty cell", async () => {
  expect((await multiplesOf('10')).body.list.map(({ Amount }) => Amount)).toEqual([-20, 30]);
  expect((await multiplesOf('7')).body.list.map(({ Amount }) => Amount)).toEqual([7]);
});

test('what nothing can be a multiple of is refused with the name of the column', async () => {
  expect(await multiplesOf('0')).toMatchObject({
    status: 400,
    body: { msg: expect.stringMatching(/Amount.*other than 0/) },
  });
  expect(await multiplesOf('much')).toMatchObject({ status: 400 });
  expect(await multiplesOf('7', 'Name')).toMatchObject({
    status: 400,
    body: { msg: expect.stringContaining('holds no whole numbers') },
  });
});
