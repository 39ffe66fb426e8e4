import type { ColumnContext, ColumnTypeDefinition } from '../column-type.ts';
import type { FilterNode, FilterOperator, LogicalOp, Predicate } from '../query-tree.ts';
import { refusalText } from '../refusal.ts';
import type { CellValue } from '../storage-kind.ts';

/** A condition with how it joins the ones before it; `ornot` is `or` of what is not so. @public */
export interface JoinedPredicate {
  readonly joiner: LogicalOp | 'ornot';
  readonly predicate: Predicate;
}

/** One predicate out of conditions that follow one another: AND binds before OR, as in SQL. Undefined for none. @public */
export function joinPredicates(items: readonly JoinedPredicate[]): Predicate | undefined {
  const alternatives: Predicate[][] = [[]];
  for (const { joiner, predicate } of items) {
    if ((joiner === 'or' || joiner === 'ornot') && alternatives.at(-1)?.length !== 0) alternatives.push([]);
    alternatives
      .at(-1)
      ?.push(joiner === 'not' || joiner === 'ornot' ? { kind: 'not', item: predicate } : predicate);
  }
  const [first, ...others] = alternatives.map((all): Predicate => combinePredicates('and', all));
  if (items.length === 0 || first === undefined) return undefined;
  return others.length === 0 ? first : { kind: 'or', items: [first, ...others] };
}

/** One predicate out of several. None of them means everything for `and`, nothing for `or`. @public */
export function combinePredicates(kind: 'and' | 'or', items: readonly Predicate[]): Predicate {
  const [first] = items;
  if (first === undefined) return { kind: 'always', value: kind === 'and' };
  return items.length === 1 ? first : { kind, items };
}

/** A filter that asks something of a column. @public */
export type FilterCondition = Extract<FilterNode, { readonly kind: 'condition' }>;

/**
 * The predicate of filters, or undefined where nothing is asked. A group without a condition in it is left out at every depth: it must
 * not turn into "all rows" inside an `or`, nor into "no rows" inside a `not`.
 *
 * @param ofCondition makes the predicate of one condition; undefined leaves it out
 * @public
 */
export function predicateOfTree(
  nodes: readonly FilterNode[],
  ofCondition: (node: FilterCondition) => Predicate | undefined,
): Predicate | undefined {
  return joinPredicates(
    nodes.flatMap((node): readonly JoinedPredicate[] => {
      const predicate =
        node.kind === 'group' ? predicateOfTree(node.children, ofCondition) : ofCondition(node);
      return predicate === undefined ? [] : [{ joiner: node.logicalOp, predicate }];
    }),
  );
}

/** Whether a condition still lacks the value that it compares with: it asks nothing yet. @public */
export function isUnfinished({ arity }: Pick<FilterOperator, 'arity'>, value: unknown): boolean {
  return arity !== 'none' && (value === undefined || value === null || value === '');
}

/** What a condition on a column whose cells are stored is built from. @public */
export interface StoredCondition {
  readonly operator: FilterOperator;
  readonly type: ColumnTypeDefinition;
  readonly context: ColumnContext;
  readonly value: CellValue | undefined;
}

/**
 * The predicate of a condition on a column whose cells are stored.
 *
 * @throws RangeError where the value does not suit the column or the operator; its message ends a sentence that begins with the column's
 * title
 * @public
 */
export function predicateOfStored({ operator, type, context, value }: StoredCondition): Predicate {
  const { storage } = context;
  return operator.build({
    column: { kind: 'column', columnId: context.id },
    type: type.id,
    storage,
    ...(type.separator !== undefined && { separator: type.separator }),
    value,
    literal(input) {
      const parsed = type.parse(input, context);
      if (!parsed.ok) throw new RangeError(refusalText(parsed));
      const { value: read } = parsed;
      return {
        kind: 'literal',
        value: typeof read === 'object' && read !== null ? JSON.stringify(read) : read,
        storage,
      };
    },
  });
}
