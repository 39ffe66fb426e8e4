import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { at, bulk, json, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';
import type { Received } from '@trellis/sdk/testing/server';

describe('rows of one call that are told of together', () => {
  let shop: HookShop;

  beforeAll(async () => {
    shop = await openHookShop();
  });
  afterEach(() => shop?.clear());
  afterAll(() => shop?.dispose());

  test('tells of the rows of one call together where that is chosen, up to a hundred at once and in their order', async () => {
    const { receiver, ann, hook, logOf } = shop;
    const { id, batch } = await hook('/together', { batch: true }, { body: '{{json event}}|{{json data}}' });
    await hook('/changed-together', { batch: true, operation: 'update' });
    await hook('/gone-together', { batch: true, operation: 'delete' });
    expect(batch).toBe(true);
    const names = Array.from({ length: 250 }, (_, index) => `Part ${index}`);
    const inserted = await ann.post<readonly { Id: number }[]>(
      bulk,
      names.map((Name) => ({ Name })),
    );
    const keys = inserted.body.map(({ Id }) => Id);
    const told = await receiver.until(3, at('/together'));
    const parts = told
      .map(({ body }) => {
        const [event = '', data = ''] = body.split('|');
        const { rows: of, count } = JSON.parse(event) as { rows: readonly string[]; count: number };
        return { of, count, data: JSON.parse(data) as readonly { Name: string }[] };
      })
      // Messages about different rows are sent at the same time.
      .toSorted((a, b) => Number(a.of[0]) - Number(b.of[0]));
    expect(parts.map(({ count }) => count)).toEqual([100, 100, 50]);
    expect(parts.flatMap(({ data }) => data.map(({ Name }) => Name))).toEqual(names);
    expect(parts.flatMap(({ of }) => of)).toEqual(keys.map(String));

    await ann.patch(
      bulk,
      keys.slice(0, 30).map((Id) => ({ Id, Name: `New ${Id}` })),
    );
    const [changed] = await receiver.until(1, at('/changed-together'));
    expect(json(changed)).toHaveLength(30);
    await ann.delete(
      bulk,
      keys.map((Id) => ({ Id })),
    );
    const gone = await receiver.until(3, at('/gone-together'));
    expect(gone.flatMap((request) => json(request) as unknown as { Id: number }[])).toHaveLength(250);
    await ann.post(rows, { Name: 'Alone' });
    const [, , , alone] = await receiver.until(4, at('/together'));
    expect(alone?.body).toContain('[{"Id":');

    const log = await logOf(id, (list) => list.length === 4 && list.every(({ state }) => state === 'done'));
    expect(log.map(({ rows: count }) => count)).toEqual([1, 50, 100, 100]);
    await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, { ids: [log[1]?.id] });
    const again = (await receiver.until(5, at('/together')))[4];
    const once = told.find(({ body }) => body.includes('"count":50'));
    expect(again?.headers['x-trellis-event-id']).toBe(once?.headers['x-trellis-event-id']);
    expect(again?.body).toBe(once?.body);
  });

  test('keeps the order of a row in batches, and tells of all of one again that failed', async () => {
    const { receiver, ann, hook } = shop;
    await hook('/shaky-batch', { batch: true, operation: 'update' });
    const { body } = await ann.post<readonly { Id: number }[]>(bulk, [{ Name: 'a0' }, { Name: 'b0' }]);
    let calls = 0;
    receiver.answer((_, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 503 : 200, { 'retry-after': '1' }).end();
    });
    const renamed = (turn: number) =>
      ann.patch(
        bulk,
        body.map(({ Id }) => ({ Id, Name: `${Id} v${turn}` })),
      );
    for (const turn of [1, 2]) await renamed(turn);
    const [first, second, third] = await receiver.until(3, at('/shaky-batch'));
    expect(second?.body).toBe(first?.body);
    expect(second?.headers).toMatchObject({
      'x-trellis-attempt': '2',
      'x-trellis-event-id': first?.headers['x-trellis-event-id'],
    });
    const namesIn = (request: Received | undefined) =>
      (json(request) as unknown as { Name: string }[]).map(({ Name }) => Name);
    expect(namesIn(second)).toEqual(body.map(({ Id }) => `${Id} v1`));
    expect(namesIn(third)).toEqual(body.map(({ Id }) => `${Id} v2`));
  });
});
