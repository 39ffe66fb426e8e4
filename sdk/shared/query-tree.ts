import type { ColumnTypeDefinition } from './column-type.ts';
import type { CellValue, RowKey, StorageKind } from './storage-kind.ts';

/** The kind of an expression's values, which the compiler derives from the tree. @public */
export interface ResultKind {
  readonly kind: StorageKind;
  /** Whether a value may be null. */
  readonly nullable: boolean;
}

/** An aggregate over linked rows. `first` is the value of the linked row with the lowest key. @public */
export type Aggregate =
  'count' | 'countDistinct' | 'sum' | 'sumDistinct' | 'avg' | 'avgDistinct' | 'min' | 'max' | 'first';

/** An operation on two numbers. `divide` and `modulo` give null for a zero divisor. @public */
export type ArithmeticOperator = 'add' | 'subtract' | 'multiply' | 'divide' | 'modulo';

/**
 * The typed tree that every query becomes before it becomes SQL.
 *
 * Text, saved filters, formulas, shared views and GraphQL all build these nodes; only the dialects turn nodes into SQL.
 * Columns are named by id, never by text; literals are only ever bound. Each node has one result kind on all databases:
 *
 * - `literal`: its `storage`, or the kind of what it is compared or computed with.
 * - `arithmetic`: `bigint` of whole numbers, `float` where one side is a float, else `decimal`, exact; `divide` is a `float`.
 * - `concat`: `text`, cut off behind a million characters; missing parts count as empty text.
 * - `case`: what the kinds of its branches have in common; null where no branch applies and there is no `otherwise`.
 * - `test`: `boolean`; null where the condition is neither true nor false.
 * - `related`: over the rows that a link leads to; `of` and `where` name columns of the linked table. `count` is the number of rows, and
 *   with `of` of those in which it is not null. `sum` of nothing is null. Where `of` is a column whose cells hold several values, as a lookup
 *   over many links does, what is made is made of each of them; `first` takes no such column.
 * - `values`: over the values that a cell holds in a column of several; in `of` and `where` the column itself stands for each of them.
 *   `join`: texts one behind another in the order of their rows, each behind the `separator`, which is about the row of the cell; null where
 *   there is none, and cut off behind a million characters. The other aggregates are those of `related`.
 * - `call`: as the function in the registry `functions` says.
 * @public
 */
export type Expression =
  | { readonly kind: 'column'; readonly columnId: string }
  | {
      readonly kind: 'literal';
      readonly value: string | number | boolean | null;
      readonly storage: StorageKind;
    }
  | { readonly kind: 'call'; readonly function: string; readonly arguments: readonly Expression[] }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'concat'; readonly items: readonly Expression[] }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: Predicate; readonly value: Expression }[];
      readonly otherwise?: Expression;
    }
  | { readonly kind: 'test'; readonly predicate: Predicate }
  | {
      readonly kind: 'related';
      readonly linkId: string;
      readonly aggregate: Aggregate;
      readonly of?: Expression;
      readonly where?: Predicate;
    }
  | {
      readonly kind: 'values';
      readonly columnId: string;
      readonly aggregate: Exclude<Aggregate, 'first'> | 'join';
      readonly of: Expression;
      readonly where?: Predicate;
      readonly separator?: Expression;
    };

/** How two expressions are compared. @public */
export type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';

/** A condition on a row. @public */
export type Predicate =
  | { readonly kind: 'always'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly items: readonly Predicate[] }
  | { readonly kind: 'not'; readonly item: Predicate }
  | {
      readonly kind: 'compare';
      readonly comparison: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'in'; readonly item: Expression; readonly values: readonly Expression[] }
  | {
      readonly kind: 'between';
      readonly item: Expression;
      readonly low: Expression;
      readonly high: Expression;
    }
  /** Ignores case on every database. `%` matches any run of characters; no other character is special. */
  | { readonly kind: 'like'; readonly item: Expression; readonly pattern: string }
  /** Whether the text contains the other one, ignoring case on every database; no character is special. */
  | { readonly kind: 'contains'; readonly item: Expression; readonly text: string }
  | { readonly kind: 'isNull'; readonly item: Expression }
  /** Whether the link leads to a row (that meets `where`, whose columns are those of the linked table). */
  | { readonly kind: 'some'; readonly linkId: string; readonly where?: Predicate }
  /** A function of the registry `functions` whose result is a boolean. */
  | { readonly kind: 'call'; readonly function: string; readonly arguments: readonly Expression[] };

/** One column to sort by. @public */
export interface SortKey {
  readonly columnId: string;
  readonly direction: 'asc' | 'desc';
}

/** One column to group by. @public */
export interface GroupKey extends SortKey {
  /**
   * Ascending values of the column, each of which begins another group, as days do for moments. The rows of a group are those
   * between two of them; the group's value is the number of bounds that the cell has reached, from 0, or null for an empty cell.
   */
  readonly bounds?: readonly (string | number)[];
}

/** A filter, as a view stores it and as `filterArrJson` contains it. @public */
export type FilterNode =
  | {
      readonly kind: 'group';
      /** The saved filter's id, which stays when the tree is saved again. */
      readonly id?: string;
      readonly logicalOp: LogicalOp;
      readonly children: readonly FilterNode[];
    }
  | {
      readonly kind: 'condition';
      readonly id?: string;
      readonly logicalOp: LogicalOp;
      readonly columnId: string;
      readonly operator: string;
      readonly value: CellValue | undefined;
    };

/** How a filter is joined to those before it. @public */
export type LogicalOp = 'and' | 'or' | 'not';

/** The input from which a filter operator builds its node. @public */
export interface FilterOperatorInput {
  readonly column: Expression;
  /** The id of the column's type. */
  readonly type: string;
  readonly storage: StorageKind;
  /** See `ColumnTypeDefinition.separator`. */
  readonly separator?: string;
  /** The text after the operator, or the saved value; undefined for operators without one. */
  readonly value: CellValue | undefined;
  /** Reads one value with the column's own type; throws a 400 that names the column. */
  literal(value: unknown): Expression;
  /** The condition that a cell is missing, if that is not the same as `column` being null. */
  readonly isMissing?: Predicate;
  /** For a column that links rows: the condition that a row is linked to one of the rows with these keys. */
  linkedTo?(keys: readonly RowKey[]): Predicate;
}

/** The input of a filter operator for a column whose cells hold values of several linked rows. @public */
export interface LinkedFilterInput {
  readonly value: CellValue | undefined;
  /** The condition that one of the values meets this; without an argument, that there is any linked row. */
  some(build?: (input: FilterOperatorInput) => Predicate): Predicate;
  /** See `FilterOperatorInput.linkedTo`. */
  linkedTo?(keys: readonly RowKey[]): Predicate;
}

/** A comparison that filters and `where` may use. @public */
export interface FilterOperator {
  /** The operator in the API: `eq`, `like`, `btw`. */
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly label: string;
  /** Another operator with the meaning that people expect of this one: pages offer that one instead, for types that list either. */
  readonly coveredBy?: string;
  /** `none`: no value; `one`; `two`: a range; `list`. Decides the input for values in the filter panel. */
  readonly arity: 'none' | 'one' | 'two' | 'list';
  /** `words`: the value is a part of a text and not a value of the column, so the column's type does not read it. Default `value`. */
  readonly takes?: 'value' | 'words';
  /** Whether visitors of a link must neither give nor see its values, so that they are not offered the operator. */
  readonly membersOnly?: boolean;
  /** Whether the filter panel offers it for columns of a type that does not list it in `operators`. Default: no. */
  appliesTo?(type: Pick<ColumnTypeDefinition, 'id' | 'storage' | 'accepts'>): boolean;
  /** Builds the condition. A `RangeError` becomes a 400; its message ends a sentence that begins with the column's title. */
  build(input: FilterOperatorInput): Predicate;
  /**
   * The condition for a column whose cells hold several values; by default that one of them meets `build`. Refuses values as
   * `build` does.
   */
  buildLinked?(input: LinkedFilterInput): Predicate;
}
