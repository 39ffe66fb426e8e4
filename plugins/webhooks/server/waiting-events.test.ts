import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { refusalText, type Refusal } from '@trellis/sdk/shared';
import { askUntil } from '@trellis/sdk/testing/server';
import type { ChannelStateAnswer, HookEntity } from '../shared/index.ts';
import { bulk, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

const day = 24 * 3600_000;
const usual = { atOnce: 4, perSecond: 20, keptWaiting: 10_000, waitingDays: 7 };
let shop: HookShop;

beforeAll(async () => {
  shop = await openHookShop();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await limit({});
  await shop.clear();
});
afterAll(() => shop?.dispose());

const limit = (change: Partial<typeof usual>) =>
  shop.server.host.plugins.saveSettings('webhooks', { ...usual, ...change });

async function sweep(): Promise<void> {
  await shop.server.host.registries
    .get('jobs')
    .get('webhooks.sweep')
    ?.run({
      signal: AbortSignal.timeout(60_000),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
}

const things = (count: number) => Array.from({ length: count }, (_, index) => ({ Name: `Thing ${index}` }));
const drop = (id: string) => shop.ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/drop`, {});

async function listed(id: string): Promise<HookEntity | undefined> {
  const path = `/api/v1/db/meta/tables/${shop.table.id}/hooks`;
  const { body } = await shop.ann.get<{ list: readonly HookEntity[] }>(path);
  return body.list.find((hook) => hook.id === id);
}

/** A webhook that is paused because its receiver writes back, and that nothing waits for. */
async function paused(path: string): Promise<HookEntity> {
  const { receiver, ann, hook } = shop;
  const made = await hook(path);
  receiver.answer(({ headers }, response) => {
    const own = ann.with({ headers: { 'x-trellis-chain': String(headers['x-trellis-chain']) } });
    void own.post(rows, { Name: 'again' }).then(() => response.end());
  });
  await ann.post(rows, { Name: 'first' });
  await askUntil(
    () => listed(made.id),
    (own) => own?.paused !== null,
  );
  receiver.answer((_, response) => void response.end('ok'));
  expect((await drop(made.id)).status).toBe(200);
  return made;
}

test('what waits for a paused webhook is dropped when somebody asks for it', async () => {
  const { id } = await paused('/drop');
  await shop.ann.post(bulk, things(3));
  await shop.logOf(id, (list) => list.filter(({ state }) => state === 'waiting').length === 3);
  expect(await drop(id)).toMatchObject({ status: 200, body: { count: 3 } });
  const left = await shop.logOf(id, () => true);
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter(({ state }) => state === 'waiting')).toEqual([]);
  const bob = await shop.server.signUp('bob@example.com');
  expect((await bob.post(`/api/v1/db/meta/hooks/${id}/deliveries/drop`, {})).status).toBe(404);
});

test('of what happens for a paused webhook so much is kept as is set, and it says how much was not', async () => {
  const { id } = await paused('/bounded');
  await limit({ keptWaiting: 2 });
  const waiting = () => shop.logOf(id, (list) => list.filter(({ state }) => state === 'waiting').length >= 2);
  await shop.ann.post(bulk, things(2));
  await waiting();
  await shop.ann.post(bulk, things(5));
  await askUntil(
    () => listed(id),
    (own) => own?.dropped === 5,
  );
  expect((await waiting()).filter(({ state }) => state === 'waiting')).toHaveLength(2);
  await shop.ann.post(`/api/v1/db/meta/hooks/${id}/resume`, {});
  expect(await listed(id)).toMatchObject({ paused: null, dropped: 0 });
});

test('what has waited for a paused webhook for days is given up, and its log says so', async () => {
  const { id } = await paused('/late');
  await shop.ann.post(bulk, things(2));
  const own = (list: readonly { readonly state: string }[], state: string) =>
    list.filter((one) => one.state === state);
  await shop.logOf(id, (list) => own(list, 'waiting').length === 2);
  await sweep();
  await shop.logOf(id, (list) => own(list, 'waiting').length === 2);
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 8 * day);
  await sweep();
  jest.restoreAllMocks();
  const [first, second] = await shop.logOf(id, (list) => own(list, 'waiting').length === 0);
  for (const given of [first, second])
    expect(given).toMatchObject({ state: 'failed', error: expect.stringContaining('7 days') });
});

test('what happens for a webhook whose channel is switched off waits no longer, and is no more, than is set', async () => {
  const { plugins } = shop.server.host;
  const channels = [{ channel: 'sales', webhook_url: `${shop.receiver.url}/sales` }];
  await plugins.saveSettings('channel-slack', { channels });
  await plugins.enable('channel-slack');
  const payload = { channels: ['sales'], body: 'New' };
  const { id } = await shop.hook('/chat', { notification: { type: 'Slack', payload } });
  const usage = await shop.ann.get<{ usage: readonly Refusal[] }>(
    '/api/v1/app-store/plugins/channel-slack/usage',
  );
  expect(usage.body.usage.map(refusalText)).toEqual([
    'Webhooks that tell by Slack: 1. What happens while it is off or removed waits for 7 days, up to 10000 events of each webhook, and is sent if it is on again by then.',
  ]);
  const states = await shop.ann.get<ChannelStateAnswer>('/api/v1/plugins/webhooks/channels');
  expect(states.body.list.find((channel) => channel.id === 'slack')?.users).toContainEqual({
    label: 'Webhooks',
    count: 1,
  });
  await plugins.disable('channel-slack', { cascade: [] });
  const inState = async (state: string, count: number) =>
    shop.logOf(id, (list) => list.filter((one) => one.state === state).length === count);
  await limit({ keptWaiting: 2 });
  await shop.ann.post(bulk, things(2));
  await inState('waiting', 2);
  await shop.ann.post(bulk, things(5));
  await askUntil(
    () => listed(id),
    (own) => own?.dropped === 5,
  );
  // Whoever saves it meanwhile lets nothing go on.
  const at = `/api/v1/db/meta/hooks/${id}`;
  expect(await shop.ann.patch(at, { active: true })).toMatchObject({ body: { dropped: 5 } });
  await sweep();
  await inState('waiting', 2);
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 8 * day);
  await sweep();
  jest.restoreAllMocks();
  await inState('failed', 2);
  await plugins.enable('channel-slack');
  expect(await shop.ann.patch(at, { active: true })).toMatchObject({
    body: { dropped: 0, is_channel_off: false },
  });
});

test('a row that somebody sent stands in the log at its time', async () => {
  const { ann, hook, logOf } = shop;
  const { id } = await hook('/order');
  const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Desk' });
  await logOf(id, (list) => list.length === 1);
  await ann.post(`/api/v1/db/meta/hooks/${id}/run`, { rows: [String(body.Id)] });
  await logOf(id, (list) => list.length === 2);
  await ann.post(rows, { Name: 'Lamp' });
  const log = await logOf(id, (list) => list.length === 3);
  expect(log.map(({ by_hand: isByHand }) => isByHand)).toEqual([false, true, false]);
});
