import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { at, json, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

describe('a webhook that somebody runs by hand', () => {
  let shop: HookShop;

  beforeAll(async () => {
    shop = await openHookShop();
  });
  afterEach(() => shop?.clear());
  afterAll(() => shop?.dispose());

  const run = (id: string, body: object) => shop.ann.post(`/api/v1/db/meta/hooks/${id}/run`, body);

  test('tells of the row as it is now, whatever its conditions are', async () => {
    const { ann, receiver, hook, idOf, logOf } = shop;
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Chair' });
    const { id } = await hook('/by-hand', { operation: 'update', columns: [idOf('Price')] });
    expect(await run(id, { rows: [String(body.Id)] })).toMatchObject({ status: 200, body: { count: 1 } });
    const [got] = await receiver.until(1, at('/by-hand'));
    expect(json(got)).toMatchObject({ Id: body.Id, Name: 'Chair' });
    expect(got?.headers['x-trellis-event']).toBe('manual');
    const [logged] = await logOf(id, (list) => list[0]?.state === 'done');
    expect(logged).toMatchObject({ row_id: String(body.Id), status: 200, by_hand: true });
  });

  test('tells one of the event before by the names that columns have in the database, as its changes are told', async () => {
    const { ann, receiver, hook } = shop;
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Shelf' });
    const { id } = await hook('/before', { event: 'before' });
    expect(await run(id, { rows: [String(body.Id)] })).toMatchObject({ status: 200 });
    const [got] = await receiver.until(1, at('/before'));
    expect(json(got)).toMatchObject({ id: body.Id, name: 'Shelf' });
  });

  test('knows a row by its own key, however a caller writes it', async () => {
    const { ann, receiver, hook, logOf } = shop;
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Desk' });
    const { id } = await hook('/written');
    expect(await run(id, { rows: [`${body.Id}.0`] })).toMatchObject({ status: 200 });
    await receiver.until(1, at('/written'));
    const [logged] = await logOf(id, (list) => list[0]?.state === 'done');
    expect(logged?.row_id).toBe(String(body.Id));
  });

  test('tries what waits at once when somebody asks for it, however long the receiver was away', async () => {
    const { ann, receiver, hook, logOf } = shop;
    const { id } = await hook('/away');
    receiver.answer((_, response) => void response.writeHead(500).end());
    for (const round of [1, 2, 3, 4]) {
      await ann.post(rows, { Name: `Stool ${round}` });
      // From the third round that fails on, nobody asks the receiver for a while.
      if (round <= 3) await logOf(id, (list) => list.filter(({ error }) => error !== null).length >= round);
    }
    await logOf(id, (list) => list.length === 4);
    receiver.answer((_, response) => void response.end('ok'));
    const [, waiting] = await logOf(id, (list) => list.every(({ state }) => state === 'waiting'));
    const before = Date.now();
    await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, { ids: [waiting?.id] });
    await logOf(id, (list) => list.some((one) => one.id === waiting?.id && one.state === 'done'));
    // Nobody would have asked for 45 seconds.
    expect(Date.now() - before).toBeLessThan(30_000);
  });

  test('tells of nothing where there is no such row, no row any more, or the webhook is off', async () => {
    const { ann, receiver, hook } = shop;
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Lamp' });
    const key = String(body.Id);
    const added = await hook('/refused');
    expect(await run(added.id, { rows: [key, '999999'] })).toMatchObject({
      status: 404,
      body: { code: 'HOOK_ROW' },
    });
    expect(await run(added.id, { rows: [] })).toMatchObject({ status: 400 });
    const gone = await hook('/refused', { operation: 'delete' });
    expect(await run(gone.id, { rows: [key] })).toMatchObject({
      status: 400,
      body: { code: 'HOOK_BY_HAND' },
    });
    const off = await hook('/refused', { active: false });
    expect(await run(off.id, { rows: [key] })).toMatchObject({ status: 409, body: { code: 'HOOK_OFF' } });
    const bob = await shop.server.signUp('bob@example.com');
    expect((await bob.post(`/api/v1/db/meta/hooks/${added.id}/run`, { rows: [key] })).status).toBe(404);
    expect(receiver.got.filter(at('/refused'))).toEqual([]);
  });
});
