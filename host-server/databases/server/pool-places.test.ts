import { expect, test } from '@jest/globals';
import { PoolPlaces } from './pool-places.ts';

test.each(['page', 'long'] as const)(
  'one person whose reads (%s) take long leaves places to others, who need not wait for them',
  async (work) => {
    const places = new PoolPlaces(10);
    const given = new AbortController();
    const slow = Array.from({ length: 12 }, () =>
      places.enter({ work, share: 'ann', signal: given.signal }).then((leave) => leave, String),
    );
    const begun: unknown[] = [];
    for (const read of slow) void read.then((leave) => begun.push(leave));
    const leaves = await Promise.all(['ben', 'cem'].map((share) => places.enter({ work: 'page', share })));
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.length).toBeLessThan(8);
    for (const leave of leaves) leave();
    given.abort();
    await Promise.all(slow);
  },
);

test.each([4, 5])('one person reads two pages at a time by a pool of %d connections', async (connections) => {
  const places = new PoolPlaces(connections);
  const page = { work: 'page', share: 'ann' } as const;
  const leaves = await Promise.all([places.enter(page), places.enter(page)]);
  expect(leaves).toHaveLength(2);
  for (const leave of leaves) leave();
});
