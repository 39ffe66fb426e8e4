import { expect, test } from '@jest/globals';
import { RowStacks } from './row-stacks.ts';

/** Stacks of rows of which the database holds so many. */
function stacksOf(held: Readonly<Record<string, number>>): RowStacks {
  return new RowStacks({
    loadRows: (value, start, limit) =>
      Promise.resolve(
        Array.from({ length: Math.min(limit, held[value as string] ?? 0) }, (_, at) => ({
          key: `${value as string}${start + at}`,
          values: {},
        })),
      ),
    readGroups: () => Promise.resolve(),
    countOf: (value) => held[value as string] ?? 0,
  });
}

test('whoever draws stacks hears that they begin anew, and draws no rows of those that there were', async () => {
  const held = { open: 3 };
  const stacks = stacksOf(held);
  const drawn: (number | undefined)[] = [];
  stacks.subscribe(() => {
    const window = stacks.of('open');
    window.ensure(0, 10);
    drawn.push(window.count);
  });
  stacks.of('open').ensure(0, 10);
  await stacks.settled();
  expect(drawn.at(-1)).toBe(3);
  const [former, { version }] = [stacks.of('open'), stacks];
  held.open = 1;
  stacks.startOver();
  expect(stacks.version).not.toBe(version);
  expect(stacks.of('open')).not.toBe(former);
  await stacks.settled();
  expect(drawn.at(-1)).toBe(1);
});

test('whoever shows how many rows the stacks have hears of the number that a stack ends with', async () => {
  const held = { open: 3, done: 7 };
  const stacks = stacksOf(held);
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
