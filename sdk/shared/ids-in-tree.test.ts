import { expect, test } from '@jest/globals';
import { idsInTree } from './ids-in-tree.ts';
import type { Expression } from './query-tree.ts';

test('a tree whose parts stand in it many times is walked once for each part', () => {
  let tree: Expression = { kind: 'column', columnId: 'cl_a' };
  // As many ways to the column as no machine could walk.
  for (let doubled = 0; doubled < 200; doubled += 1) tree = { kind: 'concat', items: [tree, tree] };
  expect(idsInTree({ kind: 'values', columnId: 'cl_list', aggregate: 'max', of: tree })).toEqual([
    'cl_list',
    'cl_a',
  ]);
});
