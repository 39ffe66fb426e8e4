import type { ColumnContext, ColumnTypeDefinition } from '../column-type.ts';
import type { FilterNode, FilterOperator, LogicalOp, Predicate } from '../query-tree.ts';
import { refusalText } from '../refusal.ts';
import type { CellValue } from '../storage-kind.ts';

/** A condition with how it joins the ones before it; `ornot` is `or` of what is not so. @public */
export interface JoinedPredicate {
  readonly joiner: LogicalOp | 'ornot';
  readonly predicate: Predicate;
}

/** What follows one another, apart where one of them begins an alternative: AND binds before OR, as in SQL. @public */
export function alternativesOf<Item>(
  items: readonly Item[],
  joinerOf: (item: Item) => JoinedPredicate['joiner'],
): readonly (readonly Item[])[] {
  const found: Item[][] = [];
  for (const item of items) {
    const joiner = joinerOf(item);
    const last = found.at(-1);
    if (last === undefined || joiner === 'or' || joiner === 'ornot') found.push([item]);
    else last.push(item);
  }
  return found;
}

/** One predicate out of conditions that follow one another. Undefined for none. @public */
export function joinPredicates(items: readonly JoinedPredicate[]): Predicate | undefined {
  const [first, ...others] = alternativesOf(items, ({ joiner }) => joiner).map((all) =>
    combinePredicates(
      'and',
      all.map(({ joiner, predicate }): Predicate =>
        joiner === 'not' || joiner === 'ornot' ? { kind: 'not', item: predicate } : predicate,
      ),
    ),
  );
  if (first === undefined) return undefined;
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
