import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askUntil } from '@trellis/sdk/testing/server';
import { at, bulk, json, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

const count = 10_001;

interface Notice {
  readonly kind: string;
  readonly title: string;
  readonly reason: { readonly code: string; readonly params: Readonly<Record<string, unknown>> };
}

describe('a change of more rows than are remembered one by one', () => {
  let shop: HookShop;

  beforeAll(async () => {
    shop = await openHookShop();
    for (let from = 0; from < count; from += 2000) {
      const part = Array.from({ length: Math.min(2000, count - from) }, (_, index) => ({
        Name: `Part ${from + index}`,
      }));
      expect((await shop.ann.post(bulk, part)).status).toBe(200);
    }
  });
  afterAll(() => shop?.dispose());

  const notices = async () => {
    const { body } = await shop.ann.get<{ list: readonly Notice[] }>(
      '/api/v1/plugins/notification-center/notices',
    );
    return body.list.filter(({ kind }) => kind === 'webhook-skipped');
  };

  test('comes in one message where one is sent for a call, and stands in the log of the others with the reason', async () => {
    const { receiver, ann, hook, logOf, idOf } = shop;
    const update = { operation: 'update' };
    const whole = await hook('/set', { ...update, batch: true }, { body: '{{json event}}|{{json data}}' });
    const single = await hook('/single', update);
    const some = await hook('/some', { ...update, batch: true, condition: true });
    await ann.post(`/api/v1/db/meta/hooks/${some.id}/filters`, {
      fk_column_id: idOf('Name'),
      comparison_op: 'eq',
      value: 'Part 1',
    });
    const others = await hook('/others', { ...update, batch: true, columns: [idOf('Name')] });
    const changed = await ann.patch(`${bulk}/all?where=(Id,gt,0)`, { Price: '3.5' });
    expect(changed).toMatchObject({ status: 200, body: count });

    const [told] = await receiver.until(1, at('/set'));
    const [event = '', data = ''] = told?.body.split('|') ?? [];
    expect(JSON.parse(event)).toMatchObject({
      type: 'after.update',
      operation: 'update',
      set: true,
      rows: [],
      count,
      columns: ['Price'],
    });
    expect(JSON.parse(data)).toEqual([]);
    expect(told?.headers).toMatchObject({
      'x-trellis-event': 'after.update',
      'x-trellis-count': String(count),
    });
    expect((await logOf(whole.id, ([line]) => line?.state === 'done'))[0]).toMatchObject({
      rows: count,
      of_set: true,
      row_id: '',
      reason: null,
    });
    for (const [{ id }, code] of [
      [single, 'HOOK_SET_ROWS'],
      [some, 'HOOK_SET_CONDITIONS'],
    ] as const) {
      const [line] = await logOf(id, (list) => list.length > 0);
      expect(line).toMatchObject({
        state: 'skipped',
        rows: count,
        attempts: 0,
        reason: { code, params: { count } },
      });
      expect(line?.error).toContain(String(count));
    }

    // Sent by hand it would be sent without its rows as well.
    const replay = `/api/v1/db/meta/hooks/${single.id}/deliveries/replay`;
    expect((await ann.post(replay, { from: '2020-01-01T00:00:00Z' })).body).toEqual({ count: 0 });
    await ann.patch(`${bulk}/all?where=(Id,gt,0)`, { Price: '4.5' });
    await receiver.until(2, at('/set'));
    await logOf(single.id, (list) => list.length === 2);
    await ann.patch(`${rows}/1`, { Name: 'Other' });
    const after = await receiver.until(1, at('/single'));
    expect(json(after[0])).toMatchObject({ Name: 'Other' });
    const [only, ...more] = await logOf(others.id, (list) => list.length > 0);
    expect([only?.of_set, more]).toEqual([false, []]);

    const heard = await askUntil(notices, (list) => list.length === 2);
    expect(heard.map(({ title }) => title).toSorted()).toEqual(['/single', '/some']);
    expect(heard.find(({ title }) => title === '/single')?.reason).toMatchObject({
      code: 'HOOK_SET_ROWS',
      params: { count },
    });
  });

  test('comes in one message where they are deleted', async () => {
    const { receiver, ann, hook } = shop;
    await hook('/gone', { operation: 'delete', batch: true }, { body: '{{json event}}' });
    expect((await ann.delete(`${bulk}/all?where=(Id,gt,0)`)).body).toBe(count);
    const [told] = await receiver.until(1, at('/gone'));
    expect(json(told)).toMatchObject({ type: 'after.delete', set: true, rows: [], count, columns: [] });
  });
});
