import type { Expression, Predicate, StorageKind } from '@trellis/sdk/shared';
import type { Span } from './problems.ts';
import { isMoment, textOf, timeOf, type Value } from './values.ts';

/** The kind of a formula's values. `nothing` is always empty; `any` is unknown until the database reports it. */
export type Kind = 'number' | 'text' | 'date' | 'datetime' | 'boolean' | 'nothing' | 'any';

/** A row for which a formula is computed outside databases. */
export interface FormulaRow {
  cell(columnId: string): Value;
  /** The values of a cell that holds several. */
  list(columnId: string): readonly Value[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly id: string;
}

/** A part of a formula: its expression for the query compiler, and its computation outside databases. */
export interface Typed extends Span {
  readonly kind: Kind;
  readonly expression: Expression;
  readonly run: (row: FormulaRow) => Value;
  /** The same as a condition, if it is one. */
  readonly predicate?: Predicate;
  /** The literal value, if it is one. */
  readonly literal?: string | number | boolean | null;
  /** The column whose cells hold several values, if this stands for each of them. */
  readonly list?: string;
  /** The title of that column. */
  readonly title?: string;
}

/** The kind of a column's cells. */
export function kindOfStorage(storage: StorageKind | undefined): Kind {
  switch (storage) {
    case 'integer':
    case 'bigint':
    case 'decimal':
    case 'float':
      return 'number';
    case 'string':
    case 'text':
      return 'text';
    case 'date':
    case 'datetime':
    case 'boolean':
      return storage;
    default:
      return 'any';
  }
}

const storageOf: Readonly<Record<Kind, StorageKind>> = {
  number: 'decimal',
  text: 'text',
  date: 'date',
  datetime: 'datetime',
  boolean: 'boolean',
  nothing: 'text',
  any: 'text',
};

export const empty = (kind: Kind): Expression => ({ kind: 'literal', value: null, storage: storageOf[kind] });
export const whole = (value: number): Expression => ({ kind: 'literal', value, storage: 'integer' });
export const words = (value: string): Expression => ({ kind: 'literal', value, storage: 'text' });
export const truth = (value: boolean): Expression => ({ kind: 'literal', value, storage: 'boolean' });

export const call = (name: string, ...values: readonly Expression[]): Expression => ({
  kind: 'call',
  function: name,
  arguments: values,
});

export const arithmetic = (
  operator: 'add' | 'subtract' | 'multiply' | 'divide' | 'modulo',
  left: Expression,
  right: Expression,
): Expression => ({ kind: 'arithmetic', operator, left, right });

export const isNull = (item: Expression): Predicate => ({ kind: 'isNull', item });
export const not = (item: Predicate): Predicate => ({ kind: 'not', item });
export const compare = (
  comparison: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte',
  left: Expression,
  right: Expression,
): Predicate => ({ kind: 'compare', comparison, left, right });

/** The value if the condition holds, else the other one; empty without another one. */
export const when = (condition: Predicate, value: Expression, otherwise?: Expression): Expression => ({
  kind: 'case',
  branches: [{ when: condition, value }],
  ...(otherwise !== undefined && { otherwise }),
});

/** The value as text: the same digits and dates on every database, empty if it is empty. */
export function toText(of: Typed): Typed {
  const { kind, expression, run } = of;
  if (kind === 'text') return of;
  const text = kind === 'nothing' ? empty('text') : call('TEXT', expression);
  return { ...of, kind: 'text', expression: text, run: (row) => textOf(run(row)) };
}

/** Whether a value counts as true: a non-zero number, a non-empty text, a date. */
export function toCondition(of: Typed): Typed & { readonly predicate: Predicate } {
  const run = (row: FormulaRow) => isTrue(of.run(row), of.kind);
  return { ...of, kind: 'boolean', predicate: conditionOf(of), run };
}

export function conditionOf(of: Typed): Predicate {
  if (of.predicate !== undefined) return of.predicate;
  switch (of.kind) {
    case 'boolean':
      return compare('eq', of.expression, truth(true));
    case 'number':
      return compare('neq', of.expression, whole(0));
    case 'nothing':
      return compare('eq', empty('boolean'), truth(true));
    default:
      return not({ kind: 'call', function: 'IS_EMPTY', arguments: [of.expression] });
  }
}

function isTrue(value: Value, kind: Kind): boolean | null {
  if (kind === 'number' || kind === 'boolean' || kind === 'nothing')
    return value === null ? null : Boolean(value);
  return value !== null && value !== '';
}

/** The kind that can hold values of all these kinds; text if nothing else can. */
export function commonKind(kinds: readonly Kind[]): Kind {
  const known = new Set(kinds.filter((kind) => kind !== 'nothing'));
  const [first = 'nothing'] = known;
  if (known.size <= 1) return first;
  if ([...known].every(isTime)) return 'datetime';
  return known.has('any') ? 'any' : 'text';
}

export function isTime(kind: Kind): kind is 'date' | 'datetime' {
  return kind === 'date' || kind === 'datetime';
}

/** Values as branches of one expression: of one kind, as texts if they have none in common. */
export function alike(items: readonly Typed[]): readonly Typed[] {
  const kind = commonKind(items.map((item) => item.kind));
  if (kind === 'text') return items.map(toText);
  if (kind !== 'datetime') return items;
  return items.map((item) => (item.kind === 'date' ? asMoment(item) : item));
}

/** Converts a day to the moment at which it begins. */
function asMoment(of: Typed): Typed {
  const run = (row: FormulaRow): Value => {
    const value = of.run(row);
    return isMoment(value) ? { kind: 'datetime', text: `${value.text} 00:00:00` } : value;
  };
  return { ...of, kind: 'datetime', run };
}

/** The order of two values of one kind, below zero if the left one comes first; null if one is missing. */
export function order(left: Value, right: Value): number | null {
  if (left === null || right === null) return null;
  if (isMoment(left) && isMoment(right)) return Math.sign(timeOf(left) - timeOf(right));
  if (typeof left === 'string' && typeof right === 'string') return orderOfTexts(left, right);
  return Math.sign(Number(left) - Number(right));
}

/** By code points, as databases compare bytes. */
function orderOfTexts(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}
