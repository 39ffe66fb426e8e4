import type { ResultKind, StorageKind } from '@trellis/sdk/shared';
import type { Dialect } from '../dialects/dialect.ts';
import { isText, type SqlType } from '../dialects/functions/default.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import { asDecimal, asDouble, type Magnitude } from './magnitudes.ts';

/** The type of an expression: its kind, whether it may be null and, for a plain column, the native type. */
export type ResultType = SqlType & ResultKind;

/** An expression as SQL, with its type. */
export interface TypedSql {
  readonly sql: SqlFragment;
  readonly type: ResultType;
  /** True for a decimal that is the sum of whole numbers. */
  readonly isWhole?: boolean;
  /** The size of its numbers; undefined where only the kind limits it. */
  readonly magnitude?: Magnitude;
  /** The value, where the expression is a literal. */
  readonly literal?: string | number | boolean | null;
}

/** Kinds of numbers. Each can hold the values of those before it; a float holds them only approximately. */
const numbers: readonly StorageKind[] = ['integer', 'bigint', 'decimal', 'float'];

export function isNumber(kind: StorageKind): boolean {
  return numbers.includes(kind);
}

/** The kind that values of all these kinds are converted to before they are compared; text when no other kind holds them all. */
export function commonKind(kinds: readonly StorageKind[]): StorageKind {
  const [first = 'text', ...others] = new Set(kinds);
  if (others.length === 0) return first;
  const all = [first, ...others];
  if (all.every(isNumber)) return numbers.findLast((kind) => all.includes(kind)) ?? 'float';
  if (all.every((kind) => kind === 'date' || kind === 'datetime')) return 'datetime';
  return 'text';
}

/** The common type of these types. A native type is kept when all share it. */
export function commonType(types: readonly SqlType[]): SqlType {
  const [first] = types;
  const kind = commonKind(types.map((type) => type.kind));
  const isShared = first?.kind === kind && types.every((type) => type.native === first.native);
  return isShared ? first : { kind };
}

/** Casts a value to another type. A value of a similar type is not changed. */
export function converted(dialect: Dialect, value: TypedSql, to: SqlType): SqlFragment {
  const { sql, type } = value;
  const isAlike = type.kind === to.kind || (isText(type) && isText(to));
  if (isAlike && (type.native === to.native || type.native === undefined)) return sql;
  return dialect.functions.cast(type, to.kind, castable(value, to));
}

/** Replaces numbers that do not fit the other type by null. Databases would give an error or another number. */
function castable(value: TypedSql, to: SqlType): SqlFragment {
  const { kind } = value.type;
  if (kind === 'float' && (to.kind === 'decimal' || isText(to))) return asDecimal(value);
  return kind === 'decimal' && to.kind === 'float' ? asDouble(value) : value.sql;
}
