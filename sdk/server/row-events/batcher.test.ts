import { expect, test } from '@jest/globals';
import { Batcher } from './batcher.ts';

async function outcomesOf(batcher: Batcher<string>, items: readonly string[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(items.map((item) => batcher.add(item)));
  return settled.map((outcome) =>
    outcome.status === 'fulfilled' ? 'done' : (outcome.reason as Error).message,
  );
}

test('blames the one item for which a batch throws, and no other', async () => {
  const handled: string[][] = [];
  const batcher = new Batcher<string>((items) => {
    handled.push([...items]);
    if (items.includes('bad')) return Promise.reject(new Error('too large'));
    return Promise.resolve(new Map());
  });
  expect(await outcomesOf(batcher, ['a', 'bad', 'b'])).toEqual(['done', 'too large', 'done']);
  expect(handled).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
  expect(await outcomesOf(batcher, ['bad'])).toEqual(['too large']);
  expect(handled).toHaveLength(5);
});

test('asks a database that does not answer once for all of a batch', async () => {
  let calls = 0;
  const batcher = new Batcher<string>(() => {
    calls += 1;
    return Promise.reject(Object.assign(new Error('away'), { code: 'DATABASE_UNREACHABLE' }));
  });
  expect(await outcomesOf(batcher, ['a', 'b', 'c'])).toEqual(['away', 'away', 'away']);
  expect(calls).toBe(1);
});
