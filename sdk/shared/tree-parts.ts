import type { Expression, Predicate } from './query-tree.ts';

/** Any part of a query tree. @public */
export type Tree = Expression | Predicate;

/** The parts of a tree that name columns of the same table. @public */
export function besideLinks(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case 'always':
    case 'literal':
    case 'column':
    case 'some':
    case 'related':
      return [];
    case 'and':
    case 'or':
    case 'concat':
      return tree.items;
    case 'not':
    case 'like':
    case 'contains':
    case 'isNull':
      return [tree.item];
    case 'compare':
    case 'arithmetic':
      return [tree.left, tree.right];
    case 'in':
      return [tree.item, ...tree.values];
    case 'between':
      return [tree.item, tree.low, tree.high];
    case 'call':
      return tree.arguments;
    case 'test':
      return [tree.predicate];
    case 'values': {
      const { columnId, of, where, separator } = tree;
      // In `of` and `where` the column stands for a single value.
      const parts: readonly (Tree | undefined)[] = [{ kind: 'column', columnId }, of, where, separator];
      return parts.filter((part) => part !== undefined);
    }
    case 'case': {
      const { branches, otherwise } = tree;
      const own = branches.flatMap(({ when, value }): readonly Tree[] => [when, value]);
      return otherwise === undefined ? own : [...own, otherwise];
    }
  }
}

/** The parts of a tree that name columns of the table that its link leads to. @public */
export function behindLink(tree: Tree): readonly Tree[] {
  if (tree.kind === 'some') return tree.where === undefined ? [] : [tree.where];
  if (tree.kind !== 'related') return [];
  return [tree.of, tree.where].filter((part) => part !== undefined);
}
