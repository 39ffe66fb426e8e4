import type { Binding } from '../../sql/session.ts';
import { bound, joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import type { ArithmeticOperator, StorageKind } from '@trellis/sdk/shared';

/** How an expression compares: by its kind and, for a column, its native type. */
export interface SqlType {
  readonly kind: StorageKind;
  readonly native?: string;
  /** True for a decimal that is the sum of whole numbers. */
  readonly isWhole?: boolean;
}

export type Comparison = '<' | '<=' | '>' | '>=';

/** How values that link rows are compared. */
export interface KeySql extends Pick<FunctionSql, 'equals' | 'oneOf' | 'groupKey'> {
  /** Equality of two columns without a foreign key between them. Undefined if it is the same as for other keys. */
  equalsUndeclared?(type: SqlType, left: SqlFragment, right: SqlFragment): SqlFragment;
}

/** The SQL of expressions, with the same meaning on all databases. */
export interface FunctionSql {
  /** A value from the column's codec, bound so that it compares as the column does. */
  value(type: SqlType, value: Binding): SqlFragment;
  /** A value from the column's codec, bound as part of an expression that is written to the column. */
  assigned(type: SqlType, value: Binding): SqlFragment;
  boolean(value: boolean): SqlFragment;
  /** A condition as a boolean value. */
  truth(condition: SqlFragment): SqlFragment;
  /** A boolean value as a condition. */
  holds(value: SqlFragment): SqlFragment;
  /** The placeholder of a bound value that is written to a column; undefined if it is always `?`. */
  placeholder?(type: SqlType): string;
  /** A value as it is written in the select list, where the driver would lose digits or return bytes instead of a number. */
  shown?(type: SqlType, value: SqlFragment): SqlFragment;
  /** Exact and case-sensitive for text; by number for decimals (`1.5` equals `1.50`). Null when a side is null. */
  equals(type: SqlType, left: SqlFragment, right: SqlFragment): SqlFragment;
  /** As `equals`, but two nulls are the same and null differs from every value; never null. */
  same(type: SqlType, left: SqlFragment, right: SqlFragment): SqlFragment;
  compare(type: SqlType, comparison: Comparison, left: SqlFragment, right: SqlFragment): SqlFragment;
  oneOf(type: SqlType, value: SqlFragment, choices: readonly SqlFragment[]): SqlFragment;
  /** Terms of `order by`. Text is ordered by letters first and case second; empty cells come first ascending and last descending. */
  orderBy(type: SqlType, value: SqlFragment, direction: 'asc' | 'desc'): readonly SqlFragment[];
  /** The expression for grouping, and for counting different values. */
  groupKey(type: SqlType, value: SqlFragment): SqlFragment;
  /**
   * How foreign keys compare, where the database equates more values than `equals` does: a key `ALFKI` then refers to the row
   * `alfki`, and links follow the same rule.
   */
  readonly ofKeys?: KeySql;
  /**
   * A text as a form that tells all letters apart, also where its column's collation equates some. Undefined if `groupKey` tells
   * all letters apart.
   */
  letters?(value: SqlFragment): SqlFragment;
  /** Matches a pattern of `likePattern` without regard to case. */
  like(value: SqlFragment, pattern: string): SqlFragment;
  /** The value as text, for searching in anything. */
  asText(type: SqlType, value: SqlFragment): SqlFragment;
  /** Null, and for text also the empty text. */
  isEmpty(type: SqlType, value: SqlFragment): SqlFragment;
  lower(value: SqlFragment): SqlFragment;
  upper(value: SqlFragment): SqlFragment;
  /** The first 1,000 characters of a text. */
  start(value: SqlFragment): SqlFragment;
  /** The text before the first `mark`; the whole text without one. */
  before(value: SqlFragment, mark: string): SqlFragment;
  /** The number of characters. */
  length(value: SqlFragment): SqlFragment;
  sum(type: SqlType, value: SqlFragment): SqlFragment;
  /**
   * The sum of a column of whole numbers, as a decimal, since it may exceed 64 bits. Defined only where the database has a faster
   * way than summing decimals. The value occurs several times in the SQL.
   */
  sumOfWhole?(value: SqlFragment): SqlFragment;
  average(type: SqlType, value: SqlFragment): SqlFragment;
  minimum(type: SqlType, value: SqlFragment): SqlFragment;
  maximum(type: SqlType, value: SqlFragment): SqlFragment;
  /** Converts a value to another kind; unchanged if the kinds are alike. Numbers, texts and dates only. */
  cast(from: SqlType, to: StorageKind, value: SqlFragment): SqlFragment;
  /**
   * Both sides are of `kind` already: floats for `divide`, whole numbers or decimals for `modulo`; both give null for a zero
   * divisor. Whole numbers beyond 64 bits become decimals on servers and lose digits on SQLite.
   */
  arithmetic(
    kind: 'bigint' | 'decimal' | 'float',
    operator: ArithmeticOperator,
    left: SqlFragment,
    right: SqlFragment,
  ): SqlFragment;
}

/**
 * Escapes the wildcards of a text and adds `%` as `shape` says. The escape character is `!`, which is not special in any
 * database's string syntax.
 */
export function likePattern(
  shape: 'contains' | 'startsWith' | 'endsWith' | 'exactly',
  words: string,
): string {
  const escaped = words.replace(/[!%_]/g, '!$&');
  return `${shape === 'startsWith' || shape === 'exactly' ? '' : '%'}${escaped}${shape === 'endsWith' || shape === 'exactly' ? '' : '%'}`;
}

const TEXT_KINDS: ReadonlySet<StorageKind> = new Set(['string', 'text']);

export function isText(type: SqlType): boolean {
  return TEXT_KINDS.has(type.kind);
}

const symbols = { add: '+', subtract: '-', multiply: '*', divide: '/', modulo: '%' } as const;

/** `(a + b)`; null for a zero divisor. */
export function plainArithmetic(
  operator: ArithmeticOperator,
  left: SqlFragment,
  right: SqlFragment,
): SqlFragment {
  const divisor = operator === 'modulo' || operator === 'divide' ? sql`nullif(${right}, 0)` : right;
  return sql`(${left} ${text(symbols[operator])} ${divisor})`;
}

/** Standard SQL; the file of each database overrides what differs. */
export const defaultFunctions: FunctionSql = {
  value: (_type, value) => bound(value),
  assigned: (_type, value) => bound(value),
  boolean: (value) => text(value ? 'true' : 'false'),
  truth: (condition) => sql`(${condition})`,
  holds: (value) => sql`(${value})`,
  equals: (_type, left, right) => sql`${left} = ${right}`,
  same: (_type, left, right) => sql`${left} is not distinct from ${right}`,
  compare: (_type, comparison, left, right) => sql`${left} ${text(comparison)} ${right}`,
  oneOf: (_type, value, choices) =>
    choices.length === 0 ? text('1 = 0') : sql`${value} in (${joined(choices, ', ')})`,
  orderBy: (_type, value, direction) => [sql`${value} ${text(direction)}`],
  groupKey: (_type, value) => value,
  like: (value, pattern) => sql`lower(${value}) like lower(${bound(pattern)}) escape '!'`,
  asText: (_type, value) => sql`cast(${value} as text)`,
  isEmpty: (type, value) => (isText(type) ? sql`(${value} is null or ${value} = '')` : sql`${value} is null`),
  lower: (value) => sql`lower(${value})`,
  upper: (value) => sql`upper(${value})`,
  start: (value) => sql`substr(${value}, 1, 1000)`,
  before: (value, mark) => sql`substr(${value}, 1, instr(${value} || ${bound(mark)}, ${bound(mark)}) - 1)`,
  length: (value) => sql`length(${value})`,
  sum: (_type, value) => sql`sum(${value})`,
  average: (_type, value) => sql`avg(${value})`,
  minimum: (_type, value) => sql`min(${value})`,
  maximum: (_type, value) => sql`max(${value})`,
  cast: (_from, to, value) => sql`cast(${value} as ${text(to)})`,
  arithmetic: (_kind, operator, left, right) => plainArithmetic(operator, left, right),
};
