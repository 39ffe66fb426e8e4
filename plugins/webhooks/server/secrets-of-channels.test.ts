import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { askUntil, testPlugin } from '@trellis/sdk/testing/server';
import type { HookEntity, HookNotification, WholeHookEntity } from '../shared/index.ts';
import { openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

const pin = 'p1n-s3cret';
const mask = '********';
/** The settings with which messages were sent. */
const sent: Readonly<Record<string, unknown>>[] = [];
const pager = testPlugin('pager', (ctx) => {
  ctx.register('notificationChannels', {
    id: 'pager',
    label: 'Pager',
    settings: {
      type: 'object',
      properties: {
        number: { type: 'string' },
        server: { type: 'string' },
        pin: { type: 'string', format: 'secret' },
      },
      required: ['number'],
    },
    send: (settings) => Promise.resolve(void sent.push(settings)),
  });
});

let shop: HookShop;
let hook: HookEntity;
beforeAll(async () => {
  shop = await openHookShop({ plugins: [pager] });
});
beforeEach(async () => {
  hook = await shop.hook('/told', { notification: paging({ number: '17', pin }) });
});
afterEach(async () => {
  await shop.clear();
  sent.length = 0;
});
afterAll(() => shop?.dispose());

const paging = (settings: object): HookNotification => ({
  type: 'Pager',
  payload: { ...settings, body: 'Hello' },
});
const at = (id: string) => `/api/v1/db/meta/hooks/${id}`;
const ofTable = () => `/api/v1/db/meta/tables/${shop.table.id}/hooks`;
const payloadOf = ({ notification }: HookEntity) => (JSON.parse(notification) as HookNotification).payload;
const change = (body: object) => shop.ann.patch<HookEntity>(at(hook.id), body);
async function sentByNow(): Promise<Readonly<Record<string, unknown>> | undefined> {
  await shop.ann.post(rows, { Name: 'x' });
  await askUntil(
    () => Promise.resolve(sent.length),
    (count) => count > 0,
  );
  return sent[0];
}

test('no answer has a secret of a channel: making, listing, reading, changing and copying show its mask', async () => {
  const made = { number: '17', pin: mask, body: 'Hello' };
  const list = await shop.ann.get<{ list: readonly HookEntity[] }>(ofTable());
  const read = await shop.ann.get<WholeHookEntity>(at(hook.id));
  const changed = await change({ title: 'Other' });
  const copied = await shop.ann.post<HookEntity>(`${at(hook.id)}/duplicate`, { title: 'Copy' });
  const shown = [hook, ...list.body.list, read.body, changed.body, copied.body].map(payloadOf);
  expect(shown).toEqual(Array(5).fill(made));
  await shop.ann.delete(at(copied.body.id));
});

test('a mask that is sent back keeps what is stored, and a text replaces it', async () => {
  expect(await change({ notification: paging({ number: '18', pin: mask }) })).toMatchObject({ status: 200 });
  expect(await sentByNow()).toEqual({ number: '18', pin });
  sent.length = 0;
  await change({ notification: JSON.stringify(paging({ number: '18', pin: 'other' })) });
  expect(await sentByNow()).toEqual({ number: '18', pin: 'other' });
});

test('a copy and a try send with the secret that is stored', async () => {
  const { body: copy } = await shop.ann.post<HookEntity>(`${at(hook.id)}/duplicate`, { title: 'Copy' });
  await change({ active: false });
  await shop.ann.patch(at(copy.id), { active: true });
  expect(await sentByNow()).toEqual({ number: '17', pin });
  sent.length = 0;
  const notification = paging({ number: '19', pin: mask });
  const tried = await shop.ann.post(`${ofTable()}/test`, { hook: { ...hook, notification } });
  expect(tried.status).toBe(200);
  expect(sent).toEqual([{ number: '19', pin }]);
  await shop.ann.delete(at(copy.id));
});

test('a secret is entered again where the webhook is to send it elsewhere', async () => {
  const elsewhere = paging({ number: '17', server: 'mine.example', pin: mask });
  const refusal = { status: 400, body: { code: 'CHANNEL_SETTINGS' } };
  expect(await change({ notification: elsewhere })).toMatchObject(refusal);
  const tried = await shop.ann.post(`${ofTable()}/test`, { hook: { ...hook, notification: elsewhere } });
  expect(tried).toMatchObject(refusal);
  const entered = paging({ number: '17', server: 'mine.example', pin });
  expect((await change({ notification: entered })).status).toBe(200);
});

test('a channel that is off gives no setting away, and a webhook that is sent back as it was read keeps its own', async () => {
  await shop.server.host.plugins.disable('pager', { cascade: [] });
  try {
    const { body: read } = await shop.ann.get<WholeHookEntity>(at(hook.id));
    expect(payloadOf(read)).toEqual({ number: mask, pin: mask, body: 'Hello' });
    expect((await change({ title: 'Still', notification: read.notification })).status).toBe(200);
  } finally {
    await shop.server.host.plugins.enable('pager');
  }
  expect(await sentByNow()).toEqual({ number: '17', pin });
});
