import { describe, expect, test } from '@jest/globals';
import { reachable } from './reachable.ts';

describe('the card of a board that Tab comes to', () => {
  const stacks = [
    { id: 'none', count: 0 },
    { id: 'lead', count: 3 },
    { id: 'lost', count: 1 },
  ];

  test('is the one that had the focus last', () => {
    expect(reachable({ stackId: 'lead', index: 2 }, stacks)).toEqual({ stackId: 'lead', index: 2 });
  });

  test('is the nearest one in its stack where the card was taken away', () => {
    expect(reachable({ stackId: 'lost', index: 1 }, stacks)).toEqual({ stackId: 'lost', index: 0 });
  });

  test('is the first of the board where its stack has no cards any more, or is gone', () => {
    const first = { stackId: 'lead', index: 0 };
    expect(reachable({ stackId: 'none', index: 0 }, stacks)).toEqual(first);
    expect(reachable({ stackId: 'folded', index: 4 }, stacks)).toEqual(first);
    expect(reachable(undefined, stacks)).toEqual(first);
    expect(reachable(undefined, [])).toBeUndefined();
  });
});
