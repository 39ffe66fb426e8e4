import { expect, test } from '@jest/globals';
import { createMetadata } from '../../metadata/metadata.ts';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { createUserStorage } from './user-storage.ts';

describeEachMetadata('what is kept for a person', (open) => {
  test('is written by several pages at once, whichever value each of them writes first', async () => {
    const metadata = await createMetadata({ database: await open(), pollEvery: 0 });
    const unitOf = () => {
      throw new Error('No plugin writes here');
    };
    const storage = createUserStorage({ metadata, unitOf });
    const keys = Array.from({ length: 30 }, (_, index) => `tab.${index}`);
    const valuesOf = (order: readonly string[], round: number) =>
      Object.fromEntries(order.map((key) => [key, round]));
    for (let round = 0; round < 5; round += 1)
      await Promise.all(
        Array.from({ length: 6 }, (_, page) =>
          storage.write('us_1', valuesOf(page % 2 === 0 ? keys : keys.toReversed(), round)),
        ),
      );
    expect(await storage.read('us_1')).toEqual(valuesOf(keys, 4));
    metadata.dispose();
  });
});
