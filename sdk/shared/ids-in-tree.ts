import { behindLink, besideLinks, type Tree } from './tree-parts.ts';

/** The ids of the columns and links that a tree names, in any table. @public */
export function idsInTree(of: Tree | undefined): readonly string[] {
  const ids: string[] = [];
  // Each part is visited once: a tree may share parts, and visiting every copy would take exponential time.
  const seen = new Set<Tree>();
  const open = of === undefined ? [] : [of];
  // A loop and not a recursion, since a tree may be deeper than the call stack.
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    const id = ownId(part);
    if (id !== undefined) ids.push(id);
    for (const inside of partsOf(part).toReversed()) open.push(inside);
  }
  return ids;
}

/** The depth of a tree, counting itself; 0 for none. @public */
export function depthOfTree(of: Tree | undefined): number {
  const depths = new Map<Tree, number>();
  const parts = new Map<Tree, readonly Tree[]>();
  const open = of === undefined ? [] : [of];
  for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
    const inside = parts.get(part);
    if (inside === undefined) {
      // Visited again when the depths of its parts are known.
      const found = partsOf(part);
      parts.set(part, found);
      for (const one of found) if (!depths.has(one)) open.push(one);
    } else {
      depths.set(part, inside.reduce((most, one) => Math.max(most, depths.get(one) ?? 0), 0) + 1);
      open.pop();
    }
  }
  return (of && depths.get(of)) ?? 0;
}

const partsOf = (of: Tree): readonly Tree[] => [...besideLinks(of), ...behindLink(of)];

function ownId(of: Tree): string | undefined {
  if (of.kind === 'column') return of.columnId;
  return of.kind === 'some' || of.kind === 'related' ? of.linkId : undefined;
}
