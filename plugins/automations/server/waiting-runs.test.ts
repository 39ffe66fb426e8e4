import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { refusalText, type Refusal } from '@trellis/sdk/shared';
import { askUntil, testPlugin } from '@trellis/sdk/testing/server';
import type { AutomationEntity } from '../shared/index.ts';
import { openDesk, type Desk } from '../testing/desk.ts';

const base = '/api/v1/plugins/automations';
const bulk = '/api/v1/db/data/bulk/v1/Desk/Requests';
const day = 24 * 3600_000;
const usual = { runsPerHour: 5000, keptDays: 30, keptWaiting: 10_000, waitingDays: 7 };
let desk: Desk;
/** What was told over the channel. */
const rung: string[] = [];
const bell = testPlugin('bell', (ctx) => {
  ctx.register('notificationChannels', {
    id: 'bell',
    label: 'Bell',
    settings: { type: 'object', properties: {} },
    send: (_settings, { text }) => Promise.resolve(void rung.push(text)),
  });
});

beforeAll(async () => {
  desk = await openDesk({ plugins: [bell] });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await limit({});
});
afterAll(() => desk?.close());

const limit = (change: Partial<typeof usual>) =>
  desk.server.host.plugins.saveSettings('automations', { ...usual, ...change });

async function sweep(): Promise<void> {
  await desk.server.host.registries
    .get('jobs')
    .get('automations.sweep')
    ?.run({
      signal: AbortSignal.timeout(60_000),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
}

async function add(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({ Title: `Request ${index}` }));
  expect((await desk.ann.post(bulk, rows)).status).toBe(200);
}

/** An automation that paused itself after the first of so many events. */
async function paused(count: number): Promise<AutomationEntity> {
  await limit({ runsPerHour: 1 });
  const { id } = await desk.make({ title: 'Paused' });
  await add(2);
  await desk.until(id, (one) => one.paused?.code === 'AUTOMATION_OFTEN');
  if (count > 2) await add(count - 2);
  return desk.until(id, (one) => one.waiting + one.dropped >= count - 2);
}

const runsOf = async (id: string) => desk.runs(id, () => true);

test('of what starts a paused automation so much is kept as is set, and it says how much was not', async () => {
  await limit({ keptWaiting: 5, runsPerHour: 1 });
  const { id } = await desk.make({ title: 'Bounded' });
  await add(4);
  let { waiting, dropped } = await desk.until(id, (one) => one.paused !== null);
  // Each batch is handled before the next one comes: it is asked once for a batch whether enough waits.
  for (let turn = 0; turn < 3; turn += 1) {
    const before = waiting + dropped;
    await add(4);
    ({ waiting, dropped } = await desk.until(id, (one) => one.waiting + one.dropped >= before + 4));
  }
  expect(dropped).toBeGreaterThanOrEqual(4);
  expect(waiting).toBeLessThanOrEqual(9);
  await limit({ keptWaiting: 5 });
  const resumed = await desk.ann.patch<AutomationEntity>(`${base}/automations/${id}`, { active: true });
  expect(resumed.body).toMatchObject({ paused: null, dropped: 0 });
  await desk.until(id, (one) => one.waiting === 0);
  await desk.ann.delete(`${base}/automations/${id}`);
});

test('one that was started too often goes on when somebody lets it, however lately that was', async () => {
  const { id } = await paused(4);
  // What is kept only once it goes on counts.
  await desk.runs(id, ({ length }) => length === 4);
  await limit({ runsPerHour: 2 });
  await desk.ann.patch(`${base}/automations/${id}`, { active: true });
  await desk.until(id, (one) => one.waiting === 0);
  await add(1);
  await desk.runs(id, (list) => list.length === 5 && list.every(({ state }) => state === 'done'));
  expect((await desk.until(id, () => true)).paused).toBeNull();
  await desk.ann.delete(`${base}/automations/${id}`);
});

test('what waits for a paused automation is dropped when somebody asks for it', async () => {
  const { id } = await paused(12);
  const before = (await runsOf(id)).filter(({ state }) => state === 'waiting').length;
  expect(before).toBeGreaterThan(0);
  const dropped = await desk.ann.post<{ count: number }>(`${base}/automations/${id}/runs/drop`, {});
  expect(dropped).toMatchObject({ status: 200, body: { count: before } });
  expect((await runsOf(id)).filter(({ state }) => state === 'waiting')).toEqual([]);
  expect(await desk.until(id, () => true)).toMatchObject({ waiting: 0 });
  const bob = await desk.server.signUp('bob@example.com');
  expect((await bob.post(`${base}/automations/${id}/runs/drop`, {})).status).toBe(404);
  await desk.ann.delete(`${base}/automations/${id}`);
});

test('what has waited for a paused automation for days is given up, and its log says so', async () => {
  const { id } = await paused(6);
  await sweep();
  const waiting = (await runsOf(id)).filter(({ state }) => state === 'waiting');
  expect(waiting.length).toBeGreaterThan(0);
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 8 * day);
  await sweep();
  jest.restoreAllMocks();
  const given = (await runsOf(id)).filter((run) => waiting.some((one) => one.id === run.id));
  expect(given).toHaveLength(waiting.length);
  for (const run of given)
    expect(run).toMatchObject({ state: 'failed', error: { code: 'AUTOMATION_WAITED', params: { days: 7 } } });
  await desk.ann.delete(`${base}/automations/${id}`);
});

test('a run of an automation that is on waits for its moment as long as it takes', async () => {
  const wait = { id: 'wait', name: 'wait', type: 'wait', settings: { amount: '20', unit: 'days' } };
  const after = { ...wait, id: 'after', name: 'after' };
  const { id } = await desk.make({ steps: [wait, after] });
  await add(1);
  await desk.runs(id, (list) => typeof list[0]?.next_at === 'string');
  // What has begun is not dropped with what waits to begin.
  expect(await desk.ann.post(`${base}/automations/${id}/runs/drop`, {})).toMatchObject({
    body: { count: 0 },
  });
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 8 * day);
  await sweep();
  jest.restoreAllMocks();
  expect(await runsOf(id)).toMatchObject([{ state: 'waiting' }]);
  await desk.ann.delete(`${base}/automations/${id}`);
});

test('of two runs for a row the later one waits until the first one was tried again', async () => {
  let calls = 0;
  desk.receiver.answer((_, response) => {
    calls += 1;
    response.writeHead(calls === 1 ? 503 : 200).end();
  });
  const { id } = await desk.make({
    trigger: { type: 'row.changed', settings: { table: desk.requests.id } },
    steps: [
      {
        id: 'call',
        name: 'call',
        type: 'address.call',
        settings: { method: 'POST', path: `${desk.receiver.url}/turns`, body: '{{row.Title}}' },
      },
    ],
  });
  const { body } = await desk.ann.post<{ Id: number }>(desk.rows('Requests'), { Title: 'new' });
  const row = `${desk.rows('Requests')}/${body.Id}`;
  await desk.ann.patch(row, { Title: 'first' });
  await desk.runs(id, (list) => list[0]?.error?.code === 'AUTOMATION_ANSWER_LATER');
  await desk.ann.patch(row, { Title: 'second' });
  const other = await desk.ann.post<{ Id: number }>(desk.rows('Requests'), { Title: 'new' });
  await desk.ann.patch(`${desk.rows('Requests')}/${other.body.Id}`, { Title: 'of another row' });
  const got = await desk.receiver.until(4, ({ path }) => path === '/turns');
  expect(got.map((one) => one.body)).toEqual(['first', 'of another row', 'first', 'second']);
  desk.receiver.answer((_, response) => void response.end('ok'));
  await desk.ann.delete(`${base}/automations/${id}`);
});

test('a run whose channel is switched off waits and says so, and goes on once the channel is there again', async () => {
  const { plugins } = desk.server.host;
  const ring = (id: string, more: object = {}) => ({
    id,
    name: id,
    type: 'message.send',
    settings: { channel: { id: 'bell', settings: {} }, text: 'Ring {{row.Title}}' },
    ...more,
  });
  const { id } = await desk.make({ title: 'Ring', steps: [ring('once')] });
  const { body } = await desk.ann.get<{ usage: readonly Refusal[] }>('/api/v1/app-store/plugins/bell/usage');
  expect(body.usage.map(refusalText)).toEqual([
    'Automations that tell by Bell: 1. Their runs wait at that step for 7 days while it is off or removed, and go on if it is on again by then.',
  ]);
  await plugins.disable('bell', { cascade: [] });
  await desk.ann.post(desk.rows('Requests'), { Title: 'first' });
  const held = await desk.runs(id, ([run]) => run?.state === 'failed' || (run?.error ?? null) !== null);
  expect(held).toMatchObject([{ state: 'waiting', error: { code: 'CHANNEL_DISABLED' } }]);
  expect(await desk.until(id, () => true)).toMatchObject({
    active: true,
    paused: null,
    stuck: { count: 1, reason: { code: 'CHANNEL_DISABLED' } },
  });
  const kinds = await desk.ann.get(`${base}/projects/${desk.projectId}/kinds`);
  expect(kinds.body).toMatchObject({
    channels: expect.not.arrayContaining([expect.objectContaining({ id: 'bell' })]),
    channels_off: expect.arrayContaining([{ id: 'slack', label: 'Slack' }]),
  });
  await plugins.enable('bell');
  expect(await desk.runs(id, ([run]) => run?.state === 'done')).toMatchObject([
    { error: null, row_title: 'first' },
  ]);
  expect(await desk.until(id, () => true)).toMatchObject({ stuck: null });
  expect(rung).toEqual(['Ring first']);

  await plugins.disable('bell', { cascade: [] });
  await desk.ann.post(desk.rows('Requests'), { Title: 'second' });
  await desk.runs(id, ([run]) => (run?.error ?? null) !== null);
  // A run that is just looking for its channel is given up the next time.
  const [given] = await askUntil(
    async () => {
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 8 * day);
      await sweep();
      jest.restoreAllMocks();
      return runsOf(id);
    },
    ([run]) => run?.state === 'failed',
  );
  expect(given).toMatchObject({ error: { code: 'AUTOMATION_WAITED' } });
  await plugins.enable('bell');
  await desk.ann.delete(`${base}/automations/${id}`);
});
