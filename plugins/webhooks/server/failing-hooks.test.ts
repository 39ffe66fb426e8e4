import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { BusToken, type ServerPluginContext } from '@trellis/sdk/server';
import { askUntil, testPlugin } from '@trellis/sdk/testing/server';
import type { HookEntity } from '../shared/index.ts';
import { openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

let shop: HookShop;
let ctx: ServerPluginContext;
const listener = testPlugin('listener', (given) => void (ctx = given));
beforeAll(async () => {
  shop = await openHookShop({ plugins: [listener] });
});
afterEach(() => shop.clear());
afterAll(() => shop?.dispose());

/** A webhook as the list of its table has it, once it meets a condition. */
async function listed({ id }: HookEntity, meets: (hook: HookEntity) => boolean): Promise<HookEntity> {
  const path = `/api/v1/db/meta/tables/${shop.table.id}/hooks`;
  const read = async () =>
    (await shop.ann.get<{ list: readonly HookEntity[] }>(path)).body.list.find((hook) => hook.id === id);
  return (await askUntil(read, (hook) => hook !== undefined && meets(hook))) as HookEntity;
}

const answer = (status: number) =>
  shop.receiver.answer((_, response) => void response.writeHead(status).end());
const add = () => shop.ann.post(rows, { Name: 'chair' });

test('one whose last message did not arrive says so with the answer, until one arrives', async () => {
  const hook = await shop.hook('/state');
  expect(hook.failing).toBeNull();
  answer(503);
  const before = new Date().toISOString();
  await add();
  const { failing } = await listed(hook, (one) => one.failing !== null);
  expect(failing).toMatchObject({ status: 503, error: expect.stringContaining('503') });
  expect((failing?.at ?? '') >= before).toBe(true);
  const path = `/api/v1/db/meta/hooks/${hook.id}`;
  expect((await shop.ann.get<HookEntity>(path)).body.failing).toEqual(failing);

  answer(200);
  await shop.ann.post(`${path}/deliveries/replay`, {});
  expect(await listed(hook, (one) => one.failing === null)).toMatchObject({ active: true, paused: null });
});

test('one that is switched off is not said to fail', async () => {
  answer(500);
  const hook = await shop.hook('/off');
  await add();
  await listed(hook, (one) => one.failing !== null);
  await shop.ann.patch(`/api/v1/db/meta/hooks/${hook.id}`, { active: false });
  expect(await listed(hook, ({ active }) => !active)).toMatchObject({ failing: null });
});

test('open pages are told when the messages of one begin to fail, and when they arrive again', async () => {
  const hook = await shop.hook('/told');
  let told = 0;
  const listening = ctx.get(BusToken).subscribe('objects.changed', {
    message({ objectKind }) {
      if (objectKind === 'webhooks') told += 1;
    },
    gap() {},
  });
  try {
    const heard = () =>
      askUntil(
        () => Promise.resolve(told),
        (count) => count > 0,
      );
    answer(503);
    await add();
    await heard();
    await listed(hook, (one) => one.failing !== null);
    told = 0;
    answer(200);
    await add();
    await heard();
    expect(await listed(hook, ({ failing }) => failing === null)).toMatchObject({ active: true });
  } finally {
    await listening.dispose();
  }
});

test('open pages are told when one is given another secret, and by nothing else that they are to read it', async () => {
  const told: { readonly objectKind: string; readonly projectId: string }[] = [];
  const listening = ctx.get(BusToken).subscribe('objects.changed', {
    message: ({ objectKind, projectId }) => void told.push({ objectKind, projectId }),
    gap() {},
  });
  try {
    const { id } = await shop.hook('/secret');
    const path = `/api/v1/db/meta/hooks/${id}`;
    await shop.ann.patch(path, { title: 'Another name' });
    await shop.ann.get(`${path}/secret`);
    const toldOfSecrets = () => told.filter(({ objectKind }) => objectKind === 'webhooks.secrets');
    expect(toldOfSecrets()).toEqual([]);
    await shop.ann.post(`${path}/secret`, {});
    const projectId = shop.table.project_id;
    expect(toldOfSecrets()).toEqual([{ objectKind: 'webhooks.secrets', projectId }]);
  } finally {
    await listening.dispose();
  }
});
