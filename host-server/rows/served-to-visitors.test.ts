import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { TableHandle } from '@trellis/sdk/server';
import { assertExportable, servedInTime } from './served-to-visitors.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const handleOf = (kind: 'sharedView' | 'sharedBase' | 'user') =>
  ({ scope: { principal: { kind } } }) as unknown as TableHandle;

async function* threeBatches() {
  for (const batch of [1, 2, 3]) yield await Promise.resolve(batch);
}

describe('an export', () => {
  test.each(['sharedView', 'sharedBase'] as const)(
    'by a link (%s) is refused where it has more rows than strangers are served',
    async (kind) => {
      await assertExportable(handleOf(kind), () => Promise.resolve(100_000));
      await expect(assertExportable(handleOf(kind), () => Promise.resolve(100_001))).rejects.toMatchObject({
        code: 'EXPORT_TOO_LARGE',
        params: { rows: 100_001, limit: 100_000 },
      });
    },
  );

  test('by a member has as many rows as there are, which nobody counts', async () => {
    const count = jest.fn(() => Promise.resolve(1_000_000));
    await assertExportable(handleOf('user'), count);
    expect(count).not.toHaveBeenCalled();
  });

  test('by a link ends when it took too long, and one by a member goes on', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const read = async (kind: 'sharedView' | 'user') => {
      const got: number[] = [];
      for await (const batch of servedInTime(handleOf(kind), threeBatches())) {
        got.push(batch);
        now += 200_000;
      }
      return got;
    };
    expect(await read('user')).toEqual([1, 2, 3]);
    await expect(read('sharedView')).rejects.toMatchObject({ code: 'EXPORT_TOO_LONG' });
  });
});
