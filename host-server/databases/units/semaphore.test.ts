import { describe, expect, test } from '@jest/globals';
import { Semaphore } from './semaphore.ts';

const limits = { most: 100, perShare: 100, waitMs: 60_000 };

describe('a semaphore', () => {
  test('leaves a place to others where one share may not hold all of them', async () => {
    const places = new Semaphore(3, { ...limits, held: 2 });
    const mine = [await places.acquire({ share: 'a' }), await places.acquire({ share: 'a' })];
    const order: string[] = [];
    const third = places.acquire({ share: 'a' }).then((giveBack) => {
      order.push('a');
      return giveBack;
    });
    const other = await places.acquire({ share: 'b' });
    order.push('b');
    other();
    expect(order).toEqual(['b']);
    mine[0]?.();
    (await third)();
    expect(order).toEqual(['b', 'a']);
    mine[1]?.();
    const all = await Promise.all(['x', 'y', 'z'].map((share) => places.acquire({ share })));
    expect(all).toHaveLength(3);
  });

  test('lets the host hold every place, and gives each back once', async () => {
    const places = new Semaphore(2, { ...limits, held: 1 });
    const held = [await places.acquire(), await places.acquire()];
    const waiting = places.acquire({ share: 'a' });
    held[0]?.();
    held[0]?.();
    const giveBack = await waiting;
    const next = places.acquire({ share: 'b' });
    giveBack();
    expect(await next).toBeInstanceOf(Function);
    held[1]?.();
  });
});
