import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HookEntity, WholeHookEntity } from '../shared/index.ts';
import { openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

let shop: HookShop;
beforeAll(async () => {
  shop = await openHookShop();
});
afterEach(() => shop.clear());
afterAll(() => shop?.dispose());

const at = (id: string) => `/api/v1/db/meta/hooks/${id}`;
const copyOf = (id: string, title: string) => shop.ann.post<HookEntity>(`${at(id)}/duplicate`, { title });

test('a copy tells the same to the same, is switched off, and has a log, conditions and a secret of its own', async () => {
  const made = await shop.hook('/told');
  await shop.ann.post(`${at(made.id)}/filters`, {
    fk_column_id: shop.idOf('Name'),
    comparison_op: 'notempty',
  });
  const { status, body: copy } = await copyOf(made.id, 'Another');
  expect(status).toBe(200);
  expect(copy).toMatchObject({
    title: 'Another',
    active: false,
    operation: made.operation,
    notification: made.notification,
  });
  const conditionsOf = async (id: string) => {
    const { body } = await shop.ann.get<WholeHookEntity>(at(id));
    return body.conditions.after.map(({ id: own, comparison_op: operator }) => ({ own, operator }));
  };
  const [[own], [other]] = [await conditionsOf(made.id), await conditionsOf(copy.id)];
  expect(other?.operator).toBe('notempty');
  expect(other?.own).not.toBe(own?.own);
  const secretOf = async (id: string) =>
    (await shop.ann.get<{ secret: string }>(`${at(id)}/secret`)).body.secret;
  expect(await secretOf(copy.id)).not.toBe(await secretOf(made.id));
  await shop.ann.post(rows, { Name: 'x' });
  await shop.logOf(made.id, (list) => list.some(({ state }) => state === 'done'));
  expect(await shop.logOf(copy.id, () => true)).toEqual([]);
  // It stands for itself.
  await shop.ann.delete(at(made.id));
  expect((await shop.ann.get(at(copy.id))).status).toBe(200);
});

test('a copy needs a title, and whoever does not belong to the project makes none', async () => {
  const { id } = await shop.hook('/told');
  expect(await copyOf(id, ' ')).toMatchObject({ status: 400, body: { code: 'HOOK_TITLE' } });
  const bob = await shop.server.signUp('bob@example.com');
  const answer = await bob.post(`${at(id)}/duplicate`, { title: 'Mine' });
  expect([403, 404]).toContain(answer.status);
});
