import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Turns } from './turns.ts';

test('each holder has one work at a time, in the order in which they came, and goes on after one that failed', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const open: (() => void)[] = [];
  const work = (holder: string) =>
    turns.take(holder, async () => {
      const number = seen.push(holder);
      await new Promise<void>((resolve) => open.push(resolve));
      if (number === 1) throw new Error('no backup');
      return number;
    });
  const [first, second, third] = [work('ann'), work('ann'), work('ann')];
  const other = work('bob');
  expect(seen).toEqual(['ann', 'bob']);
  open[1]?.();
  expect(await other).toBe(2);
  open[0]?.();
  await expect(first).rejects.toThrow('no backup');
  await setImmediate();
  expect(seen).toEqual(['ann', 'bob', 'ann']);
  open[2]?.();
  expect(await second).toBe(3);
  await setImmediate();
  expect(seen).toEqual(['ann', 'bob', 'ann', 'ann']);
  open[3]?.();
  expect(await third).toBe(4);
});
