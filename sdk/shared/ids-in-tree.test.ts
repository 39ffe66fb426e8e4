import { expect, test } from '@jest/globals';
import { depthOfTree, idsInTree } from './ids-in-tree.ts';
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

test('a tree may be deeper than the stack', () => {
  let tree: Expression = { kind: 'column', columnId: 'cl_a' };
  for (let level = 1; level < 50_000; level += 1)
    tree = { kind: 'arithmetic', operator: 'add', left: tree, right: tree };
  expect(idsInTree(tree)).toEqual(['cl_a']);
  expect(depthOfTree(tree)).toBe(50_000);
  expect(depthOfTree({ kind: 'values', columnId: 'cl_list', aggregate: 'max', of: tree })).toBe(50_001);
});
