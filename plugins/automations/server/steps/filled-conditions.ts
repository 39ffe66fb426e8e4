import { alternativesOf, placeholdersIn, type FilterNode } from '@trellis/sdk/shared';

/** Matches a value whose placeholders are all empty: only separators and wildcards are left. */
const nothing = /^[%,;\s]*$/;

/**
 * Conditions with their values filled in; undefined if no row can meet them. A condition whose placeholders are empty matches no
 * row: a form sent with an empty field must not select all rows.
 */
export function filledConditions(
  nodes: readonly FilterNode[],
  fill: (template: string) => string,
): readonly FilterNode[] | undefined {
  if (nodes.length === 0) return nodes;
  const kept = alternativesOf(nodes, ({ logicalOp }) => logicalOp).flatMap((all) => {
    const filled = all.map((node) => filledNode(node, fill));
    const isMeant = filled.every((node) => node !== undefined);
    return isMeant ? [filled] : [];
  });
  return kept.length === 0 ? undefined : kept.flat();
}

function filledNode(node: FilterNode, fill: (template: string) => string): FilterNode | undefined {
  if (node.kind === 'group') {
    const children = filledConditions(node.children, fill);
    // Without a part of it, a negated group would match more rows than before.
    const isWhole = node.logicalOp !== 'not' || countOf(children ?? []) === countOf(node.children);
    return children !== undefined && isWhole ? { ...node, children } : undefined;
  }
  if (typeof node.value !== 'string') return node;
  const value = fill(node.value);
  const isMissing = nothing.test(value) && placeholdersIn(node.value).length > 0;
  return isMissing ? undefined : { ...node, value };
}

function countOf(nodes: readonly FilterNode[]): number {
  return nodes.reduce((sum, node) => sum + (node.kind === 'group' ? countOf(node.children) : 1), 0);
}
