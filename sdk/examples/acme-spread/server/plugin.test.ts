import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createTestServer, describePlugin, folderPlugin, type TestClient } from '@trellis/sdk/testing/server';
import { waitByChance } from './wait-by-chance.ts';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);

let server: Awaited<ReturnType<typeof createTestServer>>;
let boss: TestClient;
let project = '';
let table = '';

beforeAll(async () => {
  server = await createTestServer({ plugins: [await folderPlugin(folder)] });
  boss = await server.signUp();
  await server.host.plugins.enable('acme-spread');
  project = (await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
  const columns = [{ title: 'Id', uidt: 'ID', pk: true, ai: true }];
  const tables = `/api/v1/db/meta/projects/${project}/tables`;
  table = (await boss.post<{ id: string }>(tables, { title: 'Orders', columns })).body.id;
});
afterAll(() => server.dispose());

const save = (hours: string) =>
  boss.post<object>(`/api/v1/plugins/automations/projects/${project}/automations`, {
    title: 'Thank later',
    trigger: { type: 'row.added', settings: { table } },
    steps: [{ id: 'later', name: 'later', type: waitByChance.id, settings: { hours } }],
  });

test('an automation that waits too long, or for nothing, is not saved', async () => {
  expect((await save('6')).status).toBe(200);
  for (const hours of ['0', '49', '1.5', 'soon'])
    expect(await save(hours)).toMatchObject({
      status: 400,
      body: { code: 'SPREAD_HOURS', msg: 'Wait for 1 to 48 hours, in whole numbers.' },
    });
});

test("its step of 'automationSteps' goes on by chance, within the hours that it was given", async () => {
  const now = Date.parse('2026-11-28T12:00:00.000Z');
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
  const chance = jest.spyOn(Math, 'random').mockReturnValue(0.5);
  const prepared = await waitByChance.prepare({ settings: { hours: '6' } } as never);
  const taken = await prepared.take();
  for (const mocked of [clock, chance]) mocked.mockRestore();
  expect(prepared.expected).toEqual({ until: '2026-11-28T18:00:00.000Z' });
  expect(taken).toEqual({ output: { until: '2026-11-28T15:00:00.000Z' }, resumeAt: now + 3 * 3_600_000 });
});
