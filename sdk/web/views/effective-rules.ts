import type { ColumnEntity, FilterNode } from '../../shared/index.ts';
import { askedColumn } from '../columns.ts';
import type { WebColumnType, WebFilterOperator } from '../extensions/index.ts';
import type { RowRule } from '../rows/rows-options.ts';
import { isEffective, operatorOf } from './filter-tree.ts';
import { problemOfValue } from './filter-problem.ts';

interface KnownParts {
  readonly columns: readonly ColumnEntity[];
  readonly types: readonly WebColumnType[];
  readonly operators: readonly WebFilterOperator[];
}

/**
 * Filters as rules for rows, combined to one rule. Invalid ones are left out: without a value or with one that does not suit the
 * column, with a comparison whose plugin is off, on a deleted column.
 *
 * @public
 */
export function effectiveRules(filters: readonly FilterNode[], known: KnownParts): readonly RowRule[] {
  const children = rulesOf(filters, known);
  return children.length === 0 ? [] : [{ is_group: true, children }];
}

function rulesOf(filters: readonly FilterNode[], known: KnownParts): readonly RowRule[] {
  return filters.flatMap((node): readonly RowRule[] => {
    const { logicalOp: logical_op } = node;
    if (node.kind === 'group') {
      const children = rulesOf(node.children, known);
      return children.length === 0 ? [] : [{ is_group: true, children, logical_op }];
    }
    const { columnId, operator, value } = node;
    if (!isAsked(node, known)) return [];
    return [{ fk_column_id: columnId, comparison_op: operator, value: value ?? '', logical_op }];
  });
}

function isAsked(
  node: Extract<FilterNode, { readonly kind: 'condition' }>,
  { columns, types, operators }: KnownParts,
): boolean {
  const column = columns.find(({ id }) => id === node.columnId);
  const operator = operatorOf(operators, node.operator);
  if (column === undefined || operator === undefined || !isEffective(node, operators)) return false;
  const asked = askedColumn(column, types);
  return (
    asked.type === undefined ||
    problemOfValue(asked.column, asked.type, operator, node.value ?? '') === undefined
  );
}
