import type { ColumnContext, ColumnTypeDefinition } from '../column-type.ts';
import type {
  Expression,
  FilterNode,
  FilterOperator,
  FilterOperatorInput,
  LinkedFilterInput,
  LogicalOp,
  Predicate,
} from '../query-tree.ts';
import { refusalText } from '../refusal.ts';
import type { CellValue, RowKey } from '../storage-kind.ts';
import { meets, NotDecided, type KnownCells } from './meets.ts';

/** A condition with the operator that joins it to those before; `ornot` is `or` with the negated condition. @public */
export interface JoinedPredicate {
  readonly joiner: LogicalOp | 'ornot';
  readonly predicate: Predicate;
}

/** Splits a sequence at each item that begins an alternative: AND binds before OR, as in SQL. @public */
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

/** Joins a sequence of conditions into one predicate. Undefined for an empty one. @public */
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

/** Combines several predicates into one. An empty `and` is always true, an empty `or` always false. @public */
export function combinePredicates(kind: 'and' | 'or', items: readonly Predicate[]): Predicate {
  const [first] = items;
  if (first === undefined) return { kind: 'always', value: kind === 'and' };
  return items.length === 1 ? first : { kind, items };
}

/** A filter with a condition on a column. @public */
export type FilterCondition = Extract<FilterNode, { readonly kind: 'condition' }>;

/**
 * The predicate of filters, or undefined when they contain no condition. A group without a condition is left out at every depth:
 * it must not turn into "all rows" inside an `or`, nor into "no rows" inside a `not`.
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

/** Whether a condition still lacks its value, so that it filters nothing yet. @public */
export function isUnfinished({ arity }: Pick<FilterOperator, 'arity'>, value: unknown): boolean {
  return arity !== 'none' && (value === undefined || value === null || value === '');
}

/** The rows to which a cell is linked, as far as the cell shows them. @public */
export interface LinkedKeys {
  readonly keys: readonly RowKey[];
  /** Whether these are all linked rows. */
  readonly isWhole: boolean;
}

/** The input for a condition on a column whose cells are known. @public */
export interface StoredCondition {
  readonly operator: FilterOperator;
  readonly type: ColumnTypeDefinition;
  readonly context: ColumnContext;
  readonly value: CellValue | undefined;
  /** The values of a list cell, one of which must meet the condition. */
  readonly items?: readonly CellValue[];
  /** The rows to which a link cell is linked. A condition can test which they are and whether there are any, and nothing else. */
  readonly linked?: LinkedKeys;
}

/**
 * The predicate of a condition on a column whose cells are known.
 *
 * @throws RangeError when the value does not fit the column or the operator; its message ends a sentence that begins with the
 * column's title
 * @throws NotDecided when only a database can decide about a list, or about linked rows
 * @public
 */
export function predicateOfStored(condition: StoredCondition): Predicate {
  const { operator, context, value, items, linked } = condition;
  const { id: columnId, storage } = context;
  if (linked !== undefined) {
    const input = inputOfLink(condition, linked);
    return (
      operator.buildLinked?.({
        value,
        some: someLinked(columnId, linked),
        linkedTo: (keys) => input.linkedTo(keys),
      }) ?? operator.build(input)
    );
  }
  if (items === undefined) return operator.build(inputOf(condition, { kind: 'column', columnId }));
  const isMetBy = (item: CellValue, build: FilterOperator['build']) =>
    meets(build(inputOf(condition, { kind: 'literal', value: plainOf(item), storage })), noCells);
  // As in databases, a list either contains such a value or not: a missing item leaves nothing open.
  const some: LinkedFilterInput['some'] = (build) => ({
    kind: 'always',
    value: items.some((item) => build === undefined || isMetBy(item, build)),
  });
  return operator.buildLinked?.({ value, some }) ?? some(operator.build);
}

/** A link is tested by the keys of its rows only, since their other cells are not known. */
function inputOfLink(
  { type, context, value }: StoredCondition,
  { keys, isWhole }: LinkedKeys,
): FilterOperatorInput & Required<Pick<FilterOperatorInput, 'linkedTo'>> {
  const isUnknown = (): never => {
    throw new NotDecided(context.id);
  };
  return {
    get column() {
      return isUnknown();
    },
    type: type.id,
    storage: context.storage,
    value,
    literal: isUnknown,
    linkedTo(wanted) {
      const isLinked = keys.some((key) => wanted.includes(key));
      return isLinked || isWhole ? { kind: 'always', value: isLinked } : isUnknown();
    },
  };
}

/** Whether there are any linked rows; only a database can compare their cells. */
function someLinked(columnId: string, { keys, isWhole }: LinkedKeys): LinkedFilterInput['some'] {
  return (build) => {
    if (build !== undefined) throw new NotDecided(columnId);
    return { kind: 'always', value: keys.length > 0 || !isWhole };
  };
}

const noCells: KnownCells = { kindOf: () => undefined, cells: new Map() };

function inputOf({ type, context, value }: StoredCondition, column: Expression): FilterOperatorInput {
  const { storage } = context;
  return {
    column,
    type: type.id,
    storage,
    ...(type.separator !== undefined && { separator: type.separator }),
    value,
    literal(input) {
      const parsed = type.parse(input, context);
      if (!parsed.ok) throw new RangeError(refusalText(parsed));
      return { kind: 'literal', value: plainOf(parsed.value), storage };
    },
  };
}

/** A cell's value in the form of a literal: lists and objects as JSON. @public */
export function plainOf(value: CellValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
