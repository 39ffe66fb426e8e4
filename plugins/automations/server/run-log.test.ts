import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BusToken, type ServerPluginContext } from '@trellis/sdk/server';
import { askUntil, testPlugin } from '@trellis/sdk/testing/server';
import type { RunEntity } from '../shared/index.ts';
import { openDesk, type Desk } from '../testing/desk.ts';

const base = '/api/v1/plugins/automations';
let desk: Desk;
let ctx: ServerPluginContext;
let held: { readonly begun: () => void; readonly until: Promise<void> } | undefined;

/** A step that goes on until the test lets it end. */
const slow = testPlugin(
  'slow',
  (given) => {
    ctx = given;
    given.register('automationSteps', {
      id: 'slow.step',
      label: 'Take long',
      icon: 'clock',
      inputs: [],
      outputs: [],
      prepare: () =>
        Promise.resolve({
          shown: {},
          expected: {},
          async take() {
            held?.begun();
            await held?.until;
            return { output: {} };
          },
        }),
    });
  },
  { dependencies: { automations: '*' } },
);

beforeAll(async () => {
  desk = await openDesk({ plugins: [slow] });
});
afterAll(() => desk?.close());

const call = (id: string) => ({
  id,
  name: id,
  type: 'address.call',
  settings: { method: 'POST', path: `${desk.receiver.url}/${id}`, body: '{{row.Title}}' },
});

/** The one run of an automation, once it meets a condition. */
async function runOf(id: string, meets: (run: RunEntity) => boolean): Promise<RunEntity> {
  const [run] = await desk.runs(id, ([one]) => one !== undefined && meets(one));
  return run as RunEntity;
}

test('a step that is tried again keeps what it came to before, by itself and by hand', async () => {
  let status = 503;
  desk.receiver.answer((_, response) => void response.writeHead(status).end());
  const { id } = await desk.make({ steps: [call('shop')] });
  await desk.ann.post(desk.rows('Requests'), { Title: 'chair' });
  const run = await runOf(id, ({ state, error }) => state === 'waiting' && error !== null);
  const retry = () => desk.ann.post(`${base}/automations/${id}/runs/${run.id}/retry`, {});
  expect((await desk.run(id, run.id)).steps).toMatchObject([{ state: 'failed', attempts: [] }]);

  status = 400;
  await retry();
  await runOf(id, ({ state }) => state === 'failed');
  const later = { state: 'failed', error: { code: 'AUTOMATION_ANSWER_LATER', params: { status: 503 } } };
  expect((await desk.run(id, run.id)).steps).toMatchObject([
    { state: 'failed', error: { code: 'AUTOMATION_ANSWER' }, attempts: [later] },
  ]);

  status = 200;
  await retry();
  await runOf(id, ({ state }) => state === 'done');
  const [step] = (await desk.run(id, run.id)).steps;
  expect(step).toMatchObject({
    state: 'done',
    error: null,
    attempts: [
      { ...later, input: { method: 'POST', url: `${desk.receiver.url}/shop`, body: 'chair' } },
      { state: 'failed', error: { code: 'AUTOMATION_ANSWER', params: { status: 400 } } },
    ],
  });
  const [first = '', second = ''] = step?.attempts.map(({ started_at }) => started_at) ?? [];
  expect(first <= second && second <= (step?.started_at ?? '')).toBe(true);
  await desk.ann.delete(`${base}/automations/${id}`);
});

test('open pages are told of a run while a step of it goes on', async () => {
  let told = 0;
  const listening = ctx.get(BusToken).subscribe('objects.changed', {
    message({ projectId, objectKind }) {
      if (projectId === desk.projectId && objectKind === 'automations') told += 1;
    },
    gap() {},
  });
  let end = () => undefined as void;
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    held = { begun: resolve, until };
  });
  try {
    const { id } = await desk.make({
      steps: [{ id: 'slow', name: 'slow', type: 'slow.step', settings: {} }],
    });
    // That it was made is told as well.
    await askUntil(
      () => Promise.resolve(told),
      (count) => count > 0,
    );
    told = 0;
    await desk.ann.post(desk.rows('Requests'), { Title: 'lamp' });
    await begun;
    await askUntil(
      () => Promise.resolve(told),
      (count) => count > 0,
    );
    const run = await runOf(id, ({ state }) => state === 'running');
    expect((await desk.run(id, run.id)).steps).toMatchObject([{ id: 'slow', state: 'running' }]);
  } finally {
    end();
    await listening.dispose();
  }
});
