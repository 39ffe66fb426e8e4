import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testPlugin } from '@trellis/sdk/testing/server';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { openDesk, type Desk } from '../../plugins/automations/testing/desk.ts';

const base = '/api/v1/plugins/automations';
let desk: Desk;
let duringStep: () => Promise<void> = () => Promise.resolve();

/** A step in which something happens. */
const eventful = testPlugin(
  'eventful',
  (ctx) =>
    void ctx.register('automationSteps', {
      id: 'eventful.step',
      label: 'Let something happen',
      icon: 'bolt',
      inputs: [],
      outputs: [],
      prepare: () =>
        Promise.resolve({
          shown: {},
          expected: {},
          async take() {
            await duringStep();
            return { output: {} };
          },
        }),
    }),
  { dependencies: { automations: '*' } },
);

beforeAll(async () => {
  desk = await openDesk({ plugins: [eventful] });
});
afterAll(() => desk?.close());

const database = () => desk.server.host.container.get(MetadataToken).database;

async function rowsIn(table: string, where: object): Promise<number> {
  const row = await database().read((unit) =>
    unit.first<{ total: number }>(unit.knex(`p_automations_${table}`).where(where).count({ total: '*' })),
  );
  return Number(row?.total ?? 0);
}

async function sweep(): Promise<void> {
  await desk.server.host.registries
    .get('jobs')
    .get('automations.sweep')
    ?.run({
      signal: AbortSignal.timeout(60_000),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
}

const step = (id: string) => ({ id, name: id, type: 'eventful.step', settings: {} });

test('an automation that is deleted takes its runs along, also where the server stopped in between', async () => {
  const { id } = await desk.make({ steps: [step('one')] });
  const rows = Array.from({ length: 1200 }, (_, index) => ({ Title: `${index}` }));
  await desk.ann.post('/api/v1/db/data/bulk/v1/Desk/Requests', rows);
  await desk.until(id, (one) => one.last_run !== null);
  expect((await desk.ann.delete(`${base}/automations/${id}`)).status).toBe(200);
  expect((await desk.ann.get(`${base}/automations/${id}`)).status).toBe(404);
  await sweep();
  while ((await rowsIn('run', { rule_id: id })) > 0) await sweep();
  expect(await rowsIn('version', { rule_id: id })).toBe(0);
  const run = {
    id: 'ar_00000000000000',
    rule_id: 'au_00000000000000',
    project_id: desk.projectId,
    event_id: 'left',
    version: 1,
    row_key: '',
    seq: 1,
    position: 0,
    event_values: '{}',
    chain: '[]',
    state: 'waiting',
    attempts: 0,
    next_at: 0,
    lease_until: 0,
    created_at: Date.now(),
  };
  await database().write((unit) => unit.run(unit.knex('p_automations_run').insert(run)));
  await sweep();
  expect(await rowsIn('run', { id: run.id })).toBe(0);
});

test('a run whose automation is deleted meanwhile leaves nothing behind and takes no further step', async () => {
  let taken = 0;
  const made = await desk.make({ steps: [step('one'), step('two')] });
  const over = new Promise<void>((resolve) => {
    duringStep = async () => {
      taken += 1;
      await desk.ann.delete(`${base}/automations/${made.id}`);
      while ((await rowsIn('run', { rule_id: made.id })) > 0) await sweep();
      resolve();
    };
  });
  await desk.ann.post(desk.rows('Requests'), { Title: 'x' });
  await over;
  duringStep = async () => void (taken += 1);
  // The next automation runs to its end, and with it what the first one still does.
  const next = await desk.make({ steps: [step('one')] });
  await desk.ann.post(desk.rows('Requests'), { Title: 'y' });
  const [run] = await desk.runs(next.id, (list) => list[0]?.state === 'done');
  expect(taken).toBe(2);
  expect(await rowsIn('run_step', {})).toBe(await rowsIn('run_step', { run_id: run?.id ?? '' }));
});
