import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { askUntil } from '@trellis/sdk/testing/server';
import type { HookEntity } from '../shared/index.ts';
import { at, bulk, json, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

describe('webhooks and those who write because of them', () => {
  let shop: HookShop;

  beforeAll(async () => {
    shop = await openHookShop();
  });
  afterEach(() => shop?.clear());
  afterAll(() => shop?.dispose());

  test('tells of no write that says so, which takes the right to change webhooks', async () => {
    const { server, receiver, ann, table, hook } = shop;
    await hook('/noisy', { operation: 'update' });
    await hook('/noisy-new');
    const quiet = ann.with({ headers: { 'x-trellis-ignore-webhooks': 'true' } });
    const { body } = await quiet.post<{ Id: number }>(rows, { Name: 'Quiet' });
    const row = `${rows}/${body.Id}`;
    await ann.patch(`${row}?ignoreWebhook=true`, { Name: 'Quieter' });
    await ann.patch(`${bulk}?ignoreWebhook=true`, [{ Id: body.Id, Name: 'Quietest' }]);
    await ann.patch(`${row}?ignoreWebhook=false`, { Name: 'Loud' });
    const [told] = await receiver.until(1, at('/noisy'));
    expect(json(told)).toMatchObject({ Name: 'Loud' });
    expect((await ann.patch(`${row}?ignoreWebhook=perhaps`, { Name: 'x' })).status).toBe(400);

    const eve = await server.signUp('editor@example.com');
    const project = `/api/v1/db/meta/projects/${table.project_id}/users`;
    await ann.post(project, { email: 'editor@example.com', roles: 'editor' });
    expect(await eve.patch(`${row}?ignoreWebhook=true`, { Name: 'Sly' })).toMatchObject({
      status: 403,
      body: { code: 'HOOK_IGNORE' },
    });
    expect((await eve.patch(row, { Name: 'Open' })).status).toBe(200);
    expect(json((await receiver.until(2, at('/noisy')))[1])).toMatchObject({ Name: 'Open' });
    expect(receiver.got.filter(at('/noisy-new'))).toEqual([]);
  });

  test('stops where its receiver writes back what it tells of, and says why', async () => {
    const { receiver, ann, table, hook, logOf } = shop;
    const there = await hook('/there', { operation: 'update' });
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'round 0' });
    let rounds = 0;
    receiver.answer(({ headers }, response) => {
      rounds += 1;
      const own = ann.with({ headers: { 'x-trellis-chain': String(headers['x-trellis-chain']) } });
      void own.patch(`${rows}/${body.Id}`, { Name: `round ${rounds}` }).then(() => response.end());
    });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'begin' });
    const stopped = await logOf(there.id, (list) => list.some(({ state }) => state === 'failed'));
    expect(stopped.map(({ state }) => state)).toEqual(['failed', 'done', 'done', 'done']);
    expect(stopped[0]).toMatchObject({ attempts: 0, error: expect.stringContaining('circle') });
    const listed = async () =>
      (await ann.get<{ list: readonly HookEntity[] }>(`/api/v1/db/meta/tables/${table.id}/hooks`)).body.list;
    // The log has it a moment before the webhook is paused.
    expect(await askUntil(listed, ([hook]) => hook?.paused !== null)).toMatchObject([
      { id: there.id, paused_code: 'HOOK_LOOP', paused: expect.stringContaining('circle') },
    ]);
    expect(receiver.got.filter(at('/there'))).toHaveLength(3);
  });

  test('takes no chain that it did not sign', async () => {
    const { receiver, ann, hook } = shop;
    const { id } = await hook('/unchained', { operation: 'update' });
    const forged = ann.with({ headers: { 'x-trellis-chain': `${id}.${id}.${id}.${'A'.repeat(22)}` } });
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'x' });
    await forged.patch(`${rows}/${body.Id}`, { Name: 'Unchained' });
    expect(json((await receiver.until(1, at('/unchained')))[0])).toMatchObject({ Name: 'Unchained' });
  });
});
