import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { askUntil } from '@trellis/sdk/testing/server';
import type { HookEntity } from '../shared/index.ts';
import { openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

let shop: HookShop;

beforeAll(async () => {
  shop = await openHookShop();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await shop.clear();
});
afterAll(() => shop?.dispose());

/** Rows whose names lead an address to another place cannot be told of. */
const unfit = '..';

async function tell(id: string, names: readonly string[], already = 0): Promise<void> {
  for (const [at, Name] of names.entries()) {
    expect((await shop.ann.post(rows, { Name })).status).toBe(200);
    await shop.logOf(
      id,
      (list) => list.filter(({ state }) => state !== 'waiting').length === already + at + 1,
    );
  }
}

async function pausedOf(id: string): Promise<HookEntity['paused_code'] | undefined> {
  const { body } = await shop.ann.get<{ list: readonly HookEntity[] }>(
    `/api/v1/db/meta/tables/${shop.table.id}/hooks`,
  );
  return body.list.find((hook) => hook.id === id)?.paused_code;
}

/** Why a webhook is paused, once it is. */
function ended(id: string): ReturnType<typeof pausedOf> {
  return askUntil(
    () => pausedOf(id),
    (code) => code !== null,
  );
}

function aDayLater(): void {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 24 * 3600_000 + 1000);
}

test('a webhook whose messages were all refused for a day is paused', async () => {
  const { id } = await shop.hook('/all/{{data.Name}}');
  await tell(
    id,
    Array.from({ length: 10 }, () => unfit),
  );
  expect(await pausedOf(id)).toBeNull();
  aDayLater();
  await tell(id, [unfit], 10);
  expect(await ended(id)).toBe('HOOK_ALL_REFUSED');
});

test('a row that somebody sent in between does not keep it from being paused', async () => {
  const { id } = await shop.hook('/sent/{{data.Name}}');
  const { body } = await shop.ann.post<{ Id: number }>(rows, { Name: 'good' });
  await shop.logOf(id, (list) => list[0]?.state === 'done');
  await shop.ann.post(`/api/v1/db/meta/hooks/${id}/run`, { rows: [String(body.Id)] });
  await shop.logOf(id, (list) => list.length === 2 && list.every(({ state }) => state === 'done'));
  await tell(
    id,
    Array.from({ length: 10 }, () => unfit),
    2,
  );
  aDayLater();
  await tell(id, [unfit], 12);
  expect(await ended(id)).toBe('HOOK_ALL_REFUSED');
});

test('rows that cannot be told of pause no webhook that tells of others', async () => {
  const { id } = await shop.hook('/some/{{data.Name}}');
  await tell(id, [...Array.from({ length: 10 }, () => unfit), 'good']);
  aDayLater();
  await tell(id, [unfit, unfit], 11);
  const log = await shop.logOf(id, () => true);
  expect(log.filter(({ state }) => state === 'failed')).toHaveLength(12);
  expect(await pausedOf(id)).toBeNull();
});
