import type { Binding } from '../../sql/session.ts';
import { bound, joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import type { ArithmeticOperator, StorageKind } from '@trellis/sdk/shared';

/** What decides how an expression compares: its kind and, for a column, its native type. */
export interface SqlType {
  readonly kind: StorageKind;
  readonly native?: string;
  /** A decimal that adds up whole numbers. */
  readonly isWhole?: boolean;
}

export type Comparison = '<' | '<=' | '>' | '>=';

/** How values are compared by which rows are linked. */
export interface KeySql extends Pick<FunctionSql, 'equals' | 'oneOf' | 'groupKey'> {
  /** Equality of two columns that no foreign key holds together. Absent where it is the same as of other keys. */
  equalsUndeclared?(type: SqlType, left: SqlFragment, right: SqlFragment): SqlFragment;
}

/** The SQL of expressions, with the same meaning on all databases. */
export interface FunctionSql {
  /** A value made by the column's codec, bound so that it compares as the column does. */
  value(type: SqlType, value: Binding): SqlFragment;
  /** A value made by the column's codec, bound as a part of an expression that is written to the column. */
  assigned(type: SqlType, value: Binding): SqlFragment;
  boolean(value: boolean): SqlFragment;
  /** A condition as a boolean value. */
  truth(condition: SqlFragment): SqlFragment;
  /** A boolean value as a condition. */
  holds(value: SqlFragment): SqlFragment;
  /** What stands for a bound value that is written to a column; absent where that is `?` for all. */
  placeholder?(type: SqlType): string;
  /** A value as it stands in the select list, where the driver would lose digits of it or give bytes in place of a number. */
  shown?(type: SqlType, value: SqlFragment): SqlFragment;
  /** Exact and case-sensitive for text; by number for decimals (`1.5` equals `1.50`). Null when a side is null. */
  equals(type: SqlType, left: SqlFragment, right: SqlFragment): SqlFragment;
  /** As `equals`, but two nulls are the same and null differs from every value; never null. */
  same(type: SqlType, left: SqlFragment, right: SqlFragment): SqlFragment;
  compare(type: SqlType, comparison: Comparison, left: SqlFragment, right: SqlFragment): SqlFragment;
  oneOf(type: SqlType, value: SqlFragment, choices: readonly SqlFragment[]): SqlFragment;
  /** Terms of `order by`. Text goes by letters first and case second; empty cells come first going up and last going down. */
  orderBy(type: SqlType, value: SqlFragment, direction: 'asc' | 'desc'): readonly SqlFragment[];
  /** The expression to group by or count distinct values of. */
  groupKey(type: SqlType, value: SqlFragment): SqlFragment;
  /**
   * The same of foreign keys, where the database holds other values to be the same ones than `equals` does: it lets a key `ALFKI` name the row
   * `alfki`, and so do links.
   */
  readonly ofKeys?: KeySql;
  /**
   * A text by its letters as they are, also where its column takes other letters for the same ones. Absent where `groupKey` tells all letters
   * apart.
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
  /** What stands in front of the first `mark` in a text; all of a text without one. */
  before(value: SqlFragment, mark: string): SqlFragment;
  /** In characters. */
  length(value: SqlFragment): SqlFragment;
  sum(type: SqlType, value: SqlFragment): SqlFragment;
  /**
   * The sum of a column of whole numbers, as a decimal: it may be more than 64 bits hold. Only where the database has a quicker way
   * than the sum of the numbers as decimals. The value stands in it several times.
   */
  sumOfWhole?(value: SqlFragment): SqlFragment;
  average(type: SqlType, value: SqlFragment): SqlFragment;
  minimum(type: SqlType, value: SqlFragment): SqlFragment;
  maximum(type: SqlType, value: SqlFragment): SqlFragment;
  /** The value as another kind; the same value where the kinds are alike. Numbers, texts and dates only. */
  cast(from: SqlType, to: StorageKind, value: SqlFragment): SqlFragment;
  /**
   * Both sides are of `kind` already: floats for `divide`, whole numbers or decimals for `modulo`; both give null where the
   * divisor is zero. Whole numbers beyond 64 bits are decimals on servers and lose digits on SQLite.
   */
  arithmetic(
    kind: 'bigint' | 'decimal' | 'float',
    operator: ArithmeticOperator,
    left: SqlFragment,
    right: SqlFragment,
  ): SqlFragment;
}

/** Escapes the wildcards of a text and puts `%` where `shape` has it. The escape character is `!`, which no database's string syntax touches. */
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

/** `(a + b)`; null where the divisor is zero. */
export function plainArithmetic(
  operator: ArithmeticOperator,
  left: SqlFragment,
  right: SqlFragment,
): SqlFragment {
  const divisor = operator === 'modulo' || operator === 'divide' ? sql`nullif(${right}, 0)` : right;
  return sql`(${left} ${text(symbols[operator])} ${divisor})`;
}

/** Standard SQL; a database's file overrides what it says otherwise. */
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
