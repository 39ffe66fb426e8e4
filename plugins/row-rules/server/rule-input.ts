import type { CellValue, FilterNode, LogicalOp } from '@trellis/sdk/shared';
import { deepestGroup, mostConditions } from '../shared/index.ts';
import { ruleErrors } from './rule-errors.ts';

/**
 * Parses the conditions of a rule from the filter editor.
 *
 * @throws TrellisError `ROW_RULE_SHAPE`, `ROW_RULE_LARGE`
 */
export function readFilters(given: readonly unknown[]): readonly FilterNode[] {
  let count = 0;

  function readNode(node: unknown, depth: number): FilterNode {
    count += 1;
    if (count > mostConditions || depth > deepestGroup)
      throw ruleErrors.create('ROW_RULE_LARGE', { most: mostConditions, deepest: deepestGroup });
    if (typeof node !== 'object' || node === null) throw ruleErrors.create('ROW_RULE_SHAPE');
    const { kind, logicalOp, children, columnId, operator, value } = node as Record<string, unknown>;
    const joined = readJoin(logicalOp);
    if (kind === 'group' && Array.isArray(children))
      return { kind, logicalOp: joined, children: children.map((child) => readNode(child, depth + 1)) };
    if (kind !== 'condition' || typeof columnId !== 'string' || typeof operator !== 'string')
      throw ruleErrors.create('ROW_RULE_SHAPE');
    return { kind, logicalOp: joined, columnId, operator, value: value as CellValue | undefined };
  }

  return given.map((node) => readNode(node, 1));
}

function readJoin(given: unknown): LogicalOp {
  return given === 'or' || given === 'not' ? given : 'and';
}
