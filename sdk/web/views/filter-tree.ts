import type { ColumnEntity, FilterEntity, FilterNode, FilterOperator } from '../../shared/index.ts';
import { askedColumn } from '../columns.ts';
import type { WebColumnType, WebFilterOperator } from '../extensions/index.ts';

/** Converts a saved filter, with those of a group, to an editor's tree. @public */
export function toFilterNode(filter: FilterEntity): FilterNode {
  const { id, logical_op: logicalOp } = filter;
  if (filter.is_group === true) {
    return { kind: 'group', id, logicalOp, children: (filter.children ?? []).map(toFilterNode) };
  }
  return {
    kind: 'condition',
    id,
    logicalOp,
    columnId: filter.fk_column_id ?? '',
    operator: filter.comparison_op ?? 'eq',
    value: filter.value,
  };
}

/** Converts a tree to the server's form. @public */
export function toFilterBody(node: FilterNode): object {
  const shared = { id: node.id, logical_op: node.logicalOp };
  return node.kind === 'group'
    ? { ...shared, is_group: true, children: node.children.map(toFilterBody) }
    : { ...shared, fk_column_id: node.columnId, comparison_op: node.operator, value: node.value ?? '' };
}

/** A new filter on a column, without effect yet: with the first comparison of the column's type and no value. @public */
export function newCondition(
  column: ColumnEntity | undefined,
  types: readonly WebColumnType[],
  operators: readonly FilterOperator[],
): FilterNode {
  const [operator] = operatorsFor(column && askedColumn(column, types).type, operators);
  return {
    kind: 'condition',
    id: newId(),
    logicalOp: 'and',
    columnId: column?.id ?? '',
    operator: operator?.id ?? 'eq',
    value: '',
  };
}

/** A temporary id for an unsaved filter. */
export function newId(): string {
  return `new-${Math.random().toString(36).slice(2, 12)}`;
}

/** A node whose fields keep their identity on the page although its id became that of the saved filter. */
type KeptNode = FilterNode & { readonly key?: string };

/** The identity of a node on the page. */
export function keyOf(node: KeptNode): string {
  return node.key ?? node.id ?? '';
}

/** A sent tree, with the ids that the server gave its filters. Fields keep their identity. @public */
export function withSavedIds(
  nodes: readonly FilterNode[],
  saved: readonly FilterEntity[],
): readonly FilterNode[] {
  return nodes.map((node, index): KeptNode => {
    const entity = saved[index];
    if (entity === undefined) return node;
    const named = { id: entity.id, key: keyOf(node) };
    return node.kind === 'group'
      ? { ...node, ...named, children: withSavedIds(node.children, entity.children ?? []) }
      : { ...node, ...named };
  });
}

/** Whether two trees filter alike; ids do not matter. @public */
export function isSameTree(left: readonly FilterNode[], right: readonly FilterNode[]): boolean {
  return JSON.stringify(left.map(withoutId)) === JSON.stringify(right.map(withoutId));
}

function withoutId(node: FilterNode): unknown {
  return node.kind === 'group'
    ? [node.logicalOp, node.children.map(withoutId)]
    : [node.logicalOp, node.columnId, node.operator, node.value ?? ''];
}

/** The operator with an id or alias. @public */
export function operatorOf<Operator extends FilterOperator>(
  operators: readonly Operator[],
  id: string,
): Operator | undefined {
  return operators.find((operator) => operator.id === id || operator.aliases?.includes(id) === true);
}

/** The comparisons of a type, in its order; all of them while its plugin is off. */
export function operatorsFor<Operator extends FilterOperator>(
  type: WebColumnType | undefined,
  operators: readonly Operator[],
): readonly Operator[] {
  if (type === undefined) return operators;
  const named = [...new Set(type.operators.flatMap((id) => offeredAs(id, operators) ?? []))];
  const others = operators.filter(
    (operator) => !named.includes(operator) && operator.appliesTo?.(type) === true,
  );
  return [...named, ...others];
}

/** The operator that is offered for one that a type names: its user-facing variant, if there is one. */
function offeredAs<Operator extends FilterOperator>(
  id: string,
  operators: readonly Operator[],
): Operator | undefined {
  const named = operatorOf(operators, id);
  const { coveredBy } = named ?? {};
  return coveredBy === undefined ? named : (operatorOf(operators, coveredBy) ?? named);
}

/** The operator as which a condition on a column is shown, and saved when it is changed. */
export function shownOperator(
  id: string,
  column: ColumnEntity | undefined,
  operators: readonly WebFilterOperator[],
): WebFilterOperator | undefined {
  const kept = operatorOf(operators, id);
  const other = column && kept?.shownAs?.(column);
  return other === undefined ? kept : (operatorOf(operators, other) ?? kept);
}

/** The name of a comparison for a column. */
export function labelOfOperator(operator: WebFilterOperator, column: ColumnEntity | undefined): string {
  return (column && operator.labelOf?.(column)) ?? operator.label;
}

/** How many filters of a tree have an effect: those without a value have none. @public */
export function countEffective(nodes: readonly FilterNode[], operators: readonly FilterOperator[]): number {
  return nodes.filter((node) => isEffective(node, operators)).length;
}

export function isEffective(node: FilterNode, operators: readonly FilterOperator[]): boolean {
  if (node.kind === 'group') return node.children.some((child) => isEffective(child, operators));
  const operator = operatorOf(operators, node.operator);
  const needsValue = operator !== undefined && operator.arity !== 'none';
  return !needsValue || !(node.value === undefined || node.value === null || node.value === '');
}
