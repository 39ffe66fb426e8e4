import { expect, test } from '@jest/globals';
import { KeyedWork } from './keyed-work.ts';

test('as many as there are may wait for the end of all work, and are told of it', async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error) => warnings.push(warning);
  process.on('warning', hear);
  const told: string[] = [];
  const work = new KeyedWork({
    due: () => Promise.resolve(Array.from({ length: 30 }, (_, index) => `key ${index}`)),
    run: (key, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          told.push(key);
          resolve();
        });
      }),
    failed: (error) => {
      throw error;
    },
  });
  work.look();
  // What Node warns of it says at the end of a turn.
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  await work.dispose();
  process.off('warning', hear);
  expect([told.length, warnings]).toEqual([30, []]);
});
