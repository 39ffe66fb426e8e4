import { lowerCase, upperCase, type Aggregate, type StorageKind } from '@trellis/sdk/shared';
import { Decimal } from 'decimal.js';
import type { Cell } from './tables.ts';

const Exact = Decimal.clone({ precision: 200 });

/** A value with its kind; undefined means null. */
export type Value =
  { readonly kind: StorageKind; readonly value: Decimal | number | string | boolean } | undefined;

type Present = Exclude<Value, undefined>;

export type Truth = boolean | undefined;

export function typed(kind: StorageKind, cell: Cell): Value {
  if (cell === null) return undefined;
  if (kind === 'integer' || kind === 'bigint' || kind === 'decimal')
    return { kind, value: new Exact(String(cell)) };
  return { kind, value: cell };
}

export function counted(count: number): Value {
  return { kind: 'bigint', value: new Exact(count) };
}

function numberOf({ value }: Present): Decimal {
  return new Exact(value as Decimal | number);
}

export function inKind(value: Present, kind: StorageKind): Value {
  if (kind === 'float') return { kind, value: Number(numberOf(value)) };
  if (kind === 'decimal' || kind === 'bigint' || kind === 'integer') return { kind, value: numberOf(value) };
  return value;
}

export function arithmetic(operator: string, left: Value, right: Value, kind: StorageKind): Value {
  if (left === undefined || right === undefined) return undefined;
  const [a, b] = [numberOf(left), numberOf(right)];
  if (operator === 'divide') return b.isZero() ? undefined : { kind, value: Number(a) / Number(b) };
  if (operator === 'modulo') return b.isZero() ? undefined : { kind, value: a.mod(b) };
  if (kind === 'float') {
    const [x, y] = [Number(a), Number(b)];
    return { kind, value: operator === 'add' ? x + y : operator === 'subtract' ? x - y : x * y };
  }
  return { kind, value: operator === 'add' ? a.add(b) : operator === 'subtract' ? a.sub(b) : a.mul(b) };
}

export function textOf(value: Value): string {
  if (value === undefined) return '';
  return value.value instanceof Decimal ? value.value.toFixed() : String(value.value);
}

export function compare(left: Present, right: Present): number {
  if (left.kind === 'float' || right.kind === 'float')
    return Math.sign(Number(numberOf(left)) - Number(numberOf(right)));
  if (left.value instanceof Decimal) return left.value.cmp(numberOf(right));
  const [a, b] = [Buffer.from(String(left.value)), Buffer.from(String(right.value))];
  return Buffer.compare(a, b);
}

function distinct(values: readonly Present[]): readonly Present[] {
  return values.filter((value, index) => values.findIndex((other) => compare(value, other) === 0) === index);
}

/** The aggregate of values that are not null. */
export function aggregated(
  aggregate: Exclude<Aggregate, 'count' | 'first'>,
  values: readonly Present[],
): Value {
  switch (aggregate) {
    case 'countDistinct':
      return counted(distinct(values).length);
    case 'sumDistinct':
      return aggregated('sum', distinct(values));
    case 'sum': {
      if (values.length === 0) return undefined;
      const isFloat = values.some(({ kind }) => kind === 'float');
      const total = values.reduce((sum, value) => sum.add(numberOf(value)), new Exact(0));
      return isFloat ? { kind: 'float', value: Number(total) } : { kind: 'decimal', value: total };
    }
    default: {
      const sorted = values.toSorted(compare);
      return aggregate === 'min' ? sorted[0] : sorted.at(-1);
    }
  }
}

const day = 86_400_000;
const dateText = (at: number) => new Date(at).toISOString().slice(0, 10);

export function call(name: string, values: readonly Value[]): Value {
  const [first, second] = values;
  if (name === 'IS_EMPTY') return { kind: 'boolean', value: first === undefined || first.value === '' };
  if (values.includes(undefined) || first === undefined) return undefined;
  const whole = (value: number): Value => ({ kind: 'integer', value: new Exact(value) });
  const at = new Date(`${textOf(first)}T00:00:00Z`);
  switch (name) {
    case 'UPPER':
      return { kind: 'text', value: upperCase(textOf(first)) };
    case 'LOWER':
      return { kind: 'text', value: lowerCase(textOf(first)) };
    case 'LENGTH':
      return whole(Array.from(textOf(first)).length);
    case 'YEAR':
      return whole(at.getUTCFullYear());
    case 'MONTH':
      return whole(at.getUTCMonth() + 1);
    case 'DAY':
      return whole(at.getUTCDate());
    case 'WEEKDAY':
      return whole((at.getUTCDay() + 6) % 7);
    case 'DAYS_BETWEEN':
      return whole((Date.parse(textOf(second)) - at.getTime()) / day);
    default:
      return { kind: 'date', value: added(name, at, Number(textOf(second))) };
  }
}

/** A month after the 31st is the last day of a shorter month. */
function added(name: string, at: Date, amount: number): string {
  const days = { ADD_DAYS: 1, ADD_WEEKS: 7 }[name];
  if (days !== undefined) return dateText(at.getTime() + amount * days * day);
  const months = amount * ({ ADD_MONTHS: 1, ADD_QUARTERS: 3, ADD_YEARS: 12 }[name] ?? 0);
  const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return dateText(first.getTime() + (Math.min(at.getUTCDate(), last) - 1) * day);
}

export const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);
export const all = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;

export function isLike(text: string, pattern: string): boolean {
  const parts = lowerCase(pattern).split('%');
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(lowerCase(text));
}
