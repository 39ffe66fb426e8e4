import { alternativesOf, placeholdersIn, type FilterNode } from '@trellis/sdk/shared';

/** What is left of a value whose placeholders stand for nothing, beside what joins and surrounds them. */
const nothing = /^[%,;\s]*$/;

/**
 * Conditions with their values filled in; undefined where no row meets them. A condition whose placeholders stand for nothing is met by no row:
 * a form that is sent with an empty field must not mean all rows.
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
    // What is not so of a part of a group would be met by more rows than of the whole.
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
