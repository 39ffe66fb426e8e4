import { behindLink, besideLinks, type Tree } from './tree-parts.ts';

/** The ids of the columns and links that a tree names, in any table. @public */
export function idsInTree(of: Tree | undefined): readonly string[] {
  return idsIn(of, new Set());
}

/** Each part once: a tree may share parts, and walking their copies would take ever longer the deeper they lie. */
function idsIn(of: Tree | undefined, seen: Set<Tree>): readonly string[] {
  if (of === undefined || seen.has(of)) return [];
  seen.add(of);
  const inside = [...besideLinks(of), ...behindLink(of)].flatMap((part) => idsIn(part, seen));
  const own = ownId(of);
  return own === undefined ? inside : [own, ...inside];
}

function ownId(of: Tree): string | undefined {
  if (of.kind === 'column') return of.columnId;
  return of.kind === 'some' || of.kind === 'related' ? of.linkId : undefined;
}
