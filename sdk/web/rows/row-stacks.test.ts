import { expect, test } from '@jest/globals';
import { RowStacks } from './row-stacks.ts';

test('whoever shows how many rows the stacks have hears of the number that a stack ends with', async () => {
  const held = { open: 3, done: 7 };
  const stacks = new RowStacks({
    loadRows: (value, start, limit) =>
      Promise.resolve(
        Array.from({ length: Math.min(limit, held[value as 'open']) }, (_, at) => ({
          key: `${value as string}${start + at}`,
          values: {},
        })),
      ),
    readGroups: () => Promise.resolve(),
    countOf: (value) => held[value as 'open'],
  });
  const shown: (number | undefined)[] = [];
  stacks.subscribe(() => shown.push(stacks.of('open').count));
  stacks.of('open').ensure(0, 10);
  await stacks.settled();
  expect(shown.at(-1)).toBe(3);
  held.open = 0;
  stacks.refresh();
  await stacks.settled();
  expect(shown.at(-1)).toBe(0);
});
