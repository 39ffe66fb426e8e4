import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AccessServiceToken } from '@trellis/sdk/server';
import { askUntil, testPlugin, type TestClient } from '@trellis/sdk/testing/server';
import type { HookEntity } from '../shared/index.ts';
import { at, json, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

let shop: HookShop;
let bob: TestClient;
let bobId = '';
/** The columns of the table that are left to Bob; all where undefined. */
let left: ReadonlySet<string> | undefined;

const limits = testPlugin(
  'limits',
  (ctx) => {
    ctx.register('scopeRules', {
      id: 'limits',
      narrow: ({ principal }) =>
        left !== undefined && principal.email === 'bob@example.com'
          ? { columns: new Map([[shop.table.id, { readable: left }]]) }
          : undefined,
    });
  },
  { contributes: { scopeRules: [{ id: 'limits' }] } },
);

beforeAll(async () => {
  shop = await openHookShop({ plugins: [limits] });
  bob = await shop.server.signUp('bob@example.com');
  bobId = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
});
afterEach(async () => {
  left = undefined;
  await access().didChangeRules();
  await shop.clear();
});
afterAll(() => shop?.dispose());

const access = () => shop.server.host.container.get(AccessServiceToken);
const become = (role: 'creator' | 'viewer') => access().grant(shop.table.project_id, bobId, role);
const hooks = '/api/v1/db/meta/hooks';

/** A webhook that Bob makes, who is a creator then, and which has told of a row. */
async function hookOfBob(path: string): Promise<HookEntity> {
  await become('creator');
  const { body, status } = await bob.post<HookEntity>(`/api/v1/db/meta/tables/${shop.table.id}/hooks`, {
    title: path,
    event: 'after',
    operation: 'insert',
    notification: { type: 'URL', payload: { method: 'POST', path: shop.receiver.url + path } },
  });
  expect(status).toBe(200);
  await shop.ann.post(rows, { Name: 'Before' });
  await shop.receiver.until(1, at(path));
  return body;
}

/** Why a webhook is paused, once it is. */
async function pausedOf(id: string): Promise<string | null> {
  const read = async () => (await shop.ann.get<HookEntity>(`${hooks}/${id}`)).body.paused_code;
  return askUntil(read, (code) => code !== null);
}

const told = (path: string) => shop.receiver.got.filter(at(path)).map((one) => json(one).Name);

async function titlesOfNotices(client: TestClient): Promise<readonly string[]> {
  const { body } = await client.get<{ list: readonly { kind: string; title: string }[] }>(
    '/api/v1/plugins/notification-center/notices',
  );
  return body.list.filter(({ kind }) => kind === 'webhook-paused').map(({ title }) => title);
}

test.each([
  ['/demoted', () => become('viewer')],
  ['/removed', () => access().revoke(shop.table.project_id, bobId)],
] as const)(
  'a webhook (%s) tells nobody any more whose maker may not keep webhooks, until somebody takes it over',
  async (path, change) => {
    const { id } = await hookOfBob(path);
    await change();
    await shop.ann.post(rows, { Name: 'Secret' });
    expect(await pausedOf(id)).toBe('HOOK_OWNER_RIGHTS');
    expect(told(path)).toEqual(['Before']);
    // The owners of the project hear of it, and not who has left.
    expect(
      await askUntil(
        () => titlesOfNotices(shop.ann),
        (titles) => titles.includes(path),
      ),
    ).toContain(path);
    expect(await titlesOfNotices(bob)).not.toContain(path);
    expect(await shop.ann.post(`${hooks}/${id}/resume`, {})).toMatchObject({ status: 200 });
    await shop.receiver.until(2, at(path));
    expect(told(path)).toEqual(['Before', 'Secret']);
    await shop.ann.delete(`${hooks}/${id}`);
  },
);

test.each([
  ['/elsewhere', { notification: { type: 'URL', payload: { method: 'POST', path: '' } } }, true],
  ['/conditions', { conditions: { after: [] }, columns: [] }, false],
  ['/renamed', { title: 'Other words', description: 'For the shop', active: true }, false],
] as const)(
  'a webhook (%s) acts for whoever last said what it tells, and to whom',
  async (path, change, isOther) => {
    const made = await shop.ann.post<HookEntity>(`/api/v1/db/meta/tables/${shop.table.id}/hooks`, {
      title: path,
      event: 'after',
      operation: 'insert',
      notification: { type: 'URL', payload: { method: 'POST', path: `${shop.receiver.url}/first` } },
    });
    const { id } = made.body;
    await become('creator');
    const body = isOther
      ? { notification: { type: 'URL', payload: { method: 'POST', path: shop.receiver.url + path } } }
      : change;
    expect(await bob.patch(`${hooks}/${id}`, body)).toMatchObject({ status: 200 });
    await access().revoke(shop.table.project_id, bobId);
    await shop.ann.post(rows, { Name: 'Secret' });
    if (isOther) {
      expect(await pausedOf(id)).toBe('HOOK_OWNER_RIGHTS');
      expect(told(path)).toEqual([]);
    } else await shop.receiver.until(1, at('/first'));
    await shop.ann.delete(`${hooks}/${id}`);
  },
);

test('a webhook tells nobody any more whose maker does not see the rows whole by now, and they do not let it go on', async () => {
  const path = '/limited';
  const { id } = await hookOfBob(path);
  left = new Set([shop.idOf('Id'), shop.idOf('Name')]);
  await access().didChangeRules();
  await shop.ann.post(rows, { Name: 'Secret', Price: 12 });
  expect(await pausedOf(id)).toBe('HOOK_OWNER_LIMITED');
  expect(told(path)).toEqual(['Before']);
  const refused = { status: 403, body: { code: 'HOOK_LIMITED' } };
  expect(await bob.post(`${hooks}/${id}/resume`, {})).toMatchObject(refused);
  expect(await bob.patch(`${hooks}/${id}`, { active: true })).toMatchObject(refused);
  // From now on Ann answers for it.
  expect(await shop.ann.patch(`${hooks}/${id}`, { active: true })).toMatchObject({ status: 200 });
  await shop.receiver.until(2, at(path));
  await shop.ann.post(rows, { Name: 'Next' });
  await shop.receiver.until(3, at(path));
  expect(told(path)).toEqual(['Before', 'Secret', 'Next']);
  await shop.ann.delete(`${hooks}/${id}`);
});
