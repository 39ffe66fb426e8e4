import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mostInterrupted } from '@trellis/sdk/server';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { openDesk, type Desk } from '../../plugins/automations/testing/desk.ts';

const base = '/api/v1/plugins/automations';
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.close());

/** Keeps a run as servers left it that ended so often while they took its first step. */
async function leave(automationId: string, interrupted: number, title: string): Promise<void> {
  const run = {
    id: `ar_${title.padEnd(14, '0')}`,
    rule_id: automationId,
    project_id: desk.projectId,
    event_id: title,
    version: 1,
    row_key: '',
    seq: 1,
    position: 0,
    event_values: JSON.stringify({ row: { Title: title } }),
    chain: '[]',
    state: 'running',
    attempts: 0,
    interrupted,
    next_at: 0,
    lease_until: 0,
    created_at: Date.now(),
  };
  const { database } = desk.server.host.container.get(MetadataToken);
  await database.write((unit) => unit.run(unit.knex('p_automations_run').insert(run)));
}

test('a run is given up whose step servers ended in each time, and goes on when somebody asks for it', async () => {
  const { id } = await desk.make();
  await leave(id, mostInterrupted - 1, 'few');
  await leave(id, mostInterrupted, 'many');
  const isOver = ({ state }: { readonly state: string }) => state === 'done' || state === 'failed';
  const runs = await desk.runs(id, (list) => list.length === 2 && list.every(isOver));
  const given = runs.filter(({ state }) => state === 'failed');
  expect(given).toMatchObject([
    { id: expect.stringContaining('many'), error: { code: 'AUTOMATION_STOPPED' } },
  ]);
  expect(await desk.titles('Tasks')).toEqual(['Do few']);
  await desk.ann.post(`${base}/automations/${id}/runs/${given[0]?.id}/retry`, {});
  await desk.runs(id, (list) => list.every(({ state }) => state === 'done'));
  expect(await desk.titles('Tasks')).toEqual(['Do few', 'Do many']);
});
