import type { LinkSchema, TableSchema } from '@trellis/sdk/server';
import { behindLink, besideLinks, type Predicate, type Tree } from '@trellis/sdk/shared';
import type { Reach } from './compile-context.ts';
import { deepestLinks } from './compile-related.ts';
import { linkedValues, treeOf } from './computed-columns.ts';

/** A path of links from a table: each link starts at the table that the one before it leads to. */
export type Way = readonly LinkSchema[];

/** The paths by which a condition reaches other rows, and the trees of the computed columns that it uses. */
export interface Ways {
  readonly ways: readonly Way[];
  /** By the id of the column. */
  readonly trees: ReadonlyMap<string, Tree>;
}

/**
 * Follows a condition through computed columns and links to everything that it depends on. The compiler refuses a condition that
 * this cannot follow.
 */
export function waysOf(
  { table, reach }: { readonly table: TableSchema; readonly reach: Pick<Reach, 'columnTypes' | 'snapshot'> },
  condition: Predicate,
): Ways {
  const { columnTypes, snapshot } = reach;
  const ways = new Map<string, Way>();
  const trees = new Map<string, Tree>();
  const seen = new Set<string>();

  function follow(tree: Tree, at: TableSchema, way: Way): void {
    if (tree.kind === 'column') return followColumn(tree.columnId, at, way);
    for (const part of besideLinks(tree)) follow(part, at, way);
    if (tree.kind !== 'some' && tree.kind !== 'related') return;
    const link = at.links.find(({ id }) => id === tree.linkId);
    if (link !== undefined) followLink(link, behindLink(tree), way);
  }

  function followLink(link: LinkSchema, behind: readonly Tree[], way: Way): void {
    const to = snapshot.tables.get(link.toTableId);
    if (to === undefined || way.length >= deepestLinks) return;
    const further = [...way, link];
    ways.set(nameOf(further), further);
    for (const part of behind) follow(part, to, further);
  }

  function followColumn(columnId: string, at: TableSchema, way: Way): void {
    const column = at.columnById.get(columnId);
    // A column that is reached again by the same path adds nothing, even if it depends on itself.
    const name = `${nameOf(way)} ${columnId}`;
    if (column === undefined || column.columnName !== '' || seen.has(name)) return;
    seen.add(name);
    const tree = treeOf(columnTypes, column, snapshot);
    if (tree === undefined) {
      // A cell with several values of linked rows.
      const values = linkedValues({ columnTypes, snapshot }, column);
      if (values !== undefined) followLink(values.link, [{ kind: 'column', columnId: values.of.id }], way);
      return;
    }
    trees.set(columnId, tree);
    follow(tree, at, way);
  }

  follow(condition, table, []);
  return { ways: [...ways.values()], trees };
}

const nameOf = (way: Way): string => way.map(({ id }) => id).join(' ');
