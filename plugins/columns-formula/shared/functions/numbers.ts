import type { Expression } from '@trellis/sdk/shared';
import {
  arithmetic,
  call,
  commonKind,
  compare,
  empty,
  isNull,
  not,
  order,
  when,
  whole,
  type Typed,
} from '../typed.ts';
import {
  added,
  isMoment,
  momentAt,
  product,
  quotient,
  remainder,
  rounded,
  timeOf,
  type Rounding,
  type Value,
} from '../values.ts';
import { kindWords } from '../fit.ts';
import { FormulaError } from '../problems.ts';
import {
  asNumber,
  asText,
  balanced,
  called,
  expressionsOf,
  finite,
  itemAt,
  madeOfList,
  type FormulaFunction,
  type Parameter,
} from './define.ts';

const number: Parameter = { name: 'number', takes: 'number' };
const digits: Parameter = { name: 'digits', takes: 'whole', optional: true };
const numbers = { parameters: [number], repeats: 1, group: 'Numbers' } as const;

const sum = (values: readonly Expression[]): Expression =>
  balanced(values, (left, right) => arithmetic('add', left, right));
const total = (values: readonly Value[]): number | null =>
  values.length === 0 ? 0 : balanced<number | null>(values.map(asNumber), added);

/** A function of one number, computed with doubles. */
function ofDouble(name: string, summary: string, run: (value: number) => number): FormulaFunction {
  return called(
    {
      name,
      group: 'Numbers',
      parameters: [number],
      result: 'number',
      summary,
      run: ([value]) => finite(run(asNumber(value))),
    },
    (values) => call(name, ...values),
  );
}

function rounding(name: string, how: Rounding, summary: string): FormulaFunction {
  return called(
    {
      name,
      group: 'Numbers',
      parameters: [number, digits],
      result: 'number',
      summary,
      run: ([value, places = 0]) =>
        Math.abs(asNumber(places)) > mostPlaces ? null : rounded(asNumber(value), asNumber(places), how),
    },
    (values) => call(name, ...values),
  );
}

/** Like `ROUND` and the others in the query compiler: for more digits than a number has, the result is empty. */
const mostPlaces = 15;

function wholeOf(name: string, to: 'FLOOR' | 'CEILING', how: Rounding, summary: string): FormulaFunction {
  return called(
    {
      name,
      group: 'Numbers',
      parameters: [number],
      result: 'number',
      summary,
      run: ([value]) => rounded(asNumber(value), 0, how),
    },
    (values) => call(to, ...values),
  );
}

function extreme(name: 'MIN' | 'MAX', to: 'LEAST' | 'GREATEST', summary: string): FormulaFunction {
  const sign = name === 'MIN' ? 1 : -1;
  return {
    name,
    group: 'Numbers',
    parameters: [{ name: 'value', takes: 'ordered' }],
    repeats: 1,
    result: (items) => commonKind(items.map((item) => item.kind)),
    summary,
    prepare(items) {
      const kind = commonKind(items.map((item) => item.kind));
      const first = items.findIndex((item) => item.kind !== 'nothing');
      const odd = items.findIndex((item) => item.kind !== 'nothing' && item.kind !== items[first]?.kind);
      if (kind === 'text' && odd >= 0)
        throw new FormulaError('numbersAndDates', itemAt(items, odd), {
          function: name,
          first: first + 1,
          expected: kindWords[itemAt(items, first).kind],
          place: odd + 1,
          given: kindWords[itemAt(items, odd).kind],
        });
      return items.map((item) => (item.kind === 'nothing' ? { ...item, expression: empty(kind) } : item));
    },
    takesLists: true,
    build: (items) => extremeOf(to, items),
    run(values) {
      const moments = values.filter(isMoment);
      const all = moments.some(({ kind }) => kind === 'datetime')
        ? values.map((value) => (isMoment(value) ? momentAt('datetime', timeOf(value)) : value))
        : values;
      return all.reduce((found, value) => ((order(value, found) ?? 0) * sign < 0 ? value : found));
    },
  };
}

/** Counts the arguments that meet a condition. */
function counting(
  name: string,
  parameter: Parameter,
  summary: string,
  of: { readonly counts: (item: Typed) => Expression; readonly isCounted: (value: Value) => boolean },
): FormulaFunction {
  return {
    name,
    group: 'Numbers',
    parameters: [parameter],
    repeats: 1,
    result: 'number',
    summary,
    takesEmpty: true,
    takesLists: true,
    build: (items) => sum(items.map(of.counts)),
    run: (values) => values.filter(of.isCounted).length,
  };
}

const isThere = (item: Typed) =>
  item.list === undefined ? when(isNull(item.expression), whole(0), whole(1)) : madeOfList(item, 'count');
function isFilled(item: Typed): Expression {
  const { list, expression } = item;
  const isEmpty = { kind: 'call', function: 'IS_EMPTY', arguments: [expression] } as const;
  return list === undefined
    ? when(isEmpty, whole(0), whole(1))
    : madeOfList(item, 'count', { where: not(isEmpty) });
}

/** Replaces an empty value by zero. */
const orZero = (value: Expression) => when(not(isNull(value)), value, whole(0));
const sumOfList = (item: Typed) => madeOfList(item, 'sum');

/** The average of numbers and of those in lists; empty if a number is empty, and if there is none. */
function average(items: readonly Typed[]): Expression {
  const [first, ...others] = items;
  if (first?.list !== undefined && others.length === 0) return madeOfList(first, 'avg');
  const summed = items.map((item) => (item.list === undefined ? item.expression : orZero(sumOfList(item))));
  const counted = items.map((item) => (item.list === undefined ? whole(1) : isThere(item)));
  return arithmetic('divide', sum(summed), sum(counted));
}

/** The least or the greatest of values and of those in lists; a list without values adds none. */
function extremeOf(to: 'LEAST' | 'GREATEST', items: readonly Typed[]): Expression {
  const aggregate = to === 'LEAST' ? 'min' : 'max';
  const single = items.filter(({ list }) => list === undefined);
  const ofLists = items.filter(({ list }) => list !== undefined).map((item) => madeOfList(item, aggregate));
  if (ofLists.length === 0) return call(to, ...expressionsOf(single));
  const [only] = ofLists;
  if (only !== undefined && single.length === 0 && ofLists.length === 1) return only;
  // Replaces lists without values, so that the others decide. The tree grows at most with the square of the lists.
  const known: Expression =
    single.length > 0
      ? call(to, ...expressionsOf(single))
      : { kind: 'case', branches: ofLists.map((value) => ({ when: not(isNull(value)), value })) };
  const filled = ofLists.map((ofList) => when(isNull(ofList), known, ofList));
  return call(to, ...(single.length > 0 ? [known] : []), ...filled);
}

const minus = (value: Expression) => arithmetic('subtract', whole(0), value);

export const numberFunctions: readonly FormulaFunction[] = [
  called(
    {
      ...numbers,
      name: 'MEDIAN',
      most: 100,
      result: 'number',
      summary: 'The number in the middle, of two the number between them; of at most a hundred.',
      run(values) {
        const sorted = values.map(asNumber).toSorted((left, right) => left - right);
        const [low = 0, high = low] = sorted.slice(Math.ceil(sorted.length / 2) - 1);
        if (sorted.length % 2 === 1) return low;
        const sum = added(low, high);
        return sum === null ? null : sum / 2;
      },
    },
    (values) => call('MEDIAN', ...values),
  ),
  called(
    {
      ...numbers,
      name: 'ADD',
      result: 'number',
      summary: 'The sum of numbers; empty where one of them is empty.',
      run: total,
    },
    sum,
  ),
  {
    ...numbers,
    name: 'SUM',
    result: 'number',
    summary: 'The sum of numbers; an empty one counts as zero.',
    takesEmpty: true,
    takesLists: true,
    build: (items) =>
      sum(items.map((item) => orZero(item.list === undefined ? item.expression : sumOfList(item)))),
    run: (values) => total(values.map((value) => value ?? 0)),
  },
  {
    ...numbers,
    name: 'AVG',
    result: 'number',
    summary: 'The average of numbers; empty where one of them is empty.',
    takesLists: true,
    build: average,
    run(values) {
      const sum = total(values);
      return sum === null ? null : sum / values.length;
    },
  },
  extreme('MIN', 'LEAST', 'The smallest number or the earliest date.'),
  extreme('MAX', 'GREATEST', 'The largest number or the latest date.'),
  rounding('ROUND', 'half', 'Rounds to so many digits behind the point; halves go away from zero.'),
  rounding('ROUNDUP', 'up', 'Rounds away from zero.'),
  rounding('ROUNDDOWN', 'down', 'Rounds towards zero.'),
  called(
    {
      name: 'TRUNC',
      group: 'Numbers',
      parameters: [number, digits],
      result: 'number',
      summary: 'Cuts the digits behind the point off.',
      run: ([value, places = 0]) =>
        Math.abs(asNumber(places)) > mostPlaces ? null : rounded(asNumber(value), asNumber(places), 'down'),
    },
    (values) => call('ROUNDDOWN', ...values),
  ),
  wholeOf('CEILING', 'CEILING', 'ceiling', 'The next whole number that is not smaller.'),
  wholeOf('FLOOR', 'FLOOR', 'floor', 'The next whole number that is not larger.'),
  wholeOf('INT', 'FLOOR', 'floor', 'The next whole number that is not larger.'),
  called(
    {
      name: 'MOD',
      group: 'Numbers',
      parameters: [number, { name: 'divisor', takes: 'number' }],
      result: 'number',
      summary: 'What is left of a division, with the sign of the first number.',
      run: ([value, divisor]) => remainder(asNumber(value), asNumber(divisor)),
    },
    ([value = whole(0), divisor = whole(0)]) => arithmetic('modulo', value, divisor),
  ),
  called(
    {
      name: 'ABS',
      group: 'Numbers',
      parameters: [number],
      result: 'number',
      summary: 'The number without its sign.',
      run: ([value]) => Math.abs(asNumber(value)),
    },
    (values) => call('ABS', ...values),
  ),
  {
    name: 'SIGN',
    group: 'Numbers',
    parameters: [number],
    result: 'number',
    summary: '1 for numbers above zero, -1 below, else 0.',
    build: (items) => {
      const { expression } = itemAt(items, 0);
      return {
        kind: 'case',
        branches: [
          { when: compare('gt', expression, whole(0)), value: whole(1) },
          { when: compare('lt', expression, whole(0)), value: whole(-1) },
          { when: compare('eq', expression, whole(0)), value: whole(0) },
        ],
      };
    },
    run: ([value]) => Math.sign(asNumber(value)) + 0,
  },
  ofDouble('SQRT', 'The square root; empty below zero.', Math.sqrt),
  ofDouble('EXP', 'e to the power of the number.', (value) =>
    Math.abs(value) > 700 ? NaN : Math.exp(value),
  ),
  called(
    {
      name: 'POWER',
      group: 'Numbers',
      parameters: [number, { name: 'exponent', takes: 'number' }],
      result: 'number',
      summary: 'The number to the power of the exponent.',
      run: ([value, exponent]) => power(asNumber(value), asNumber(exponent)),
    },
    (values) => call('POWER', ...values),
  ),
  {
    name: 'LOG',
    group: 'Numbers',
    parameters: [
      { name: 'base', takes: 'number' },
      { ...number, optional: true },
    ],
    result: 'number',
    summary: 'The logarithm to the base; with one number, its logarithm to the base 10.',
    build(items) {
      const [base, value] = expressionsOf(items);
      if (base === undefined) throw new Error('The number of arguments was not checked.');
      return value === undefined
        ? call('LOG10', base)
        : arithmetic('divide', call('LN', value), call('LN', base));
    },
    run([base, value]) {
      if (value === undefined) return asNumber(base) > 0 ? Math.log10(asNumber(base)) : null;
      if (asNumber(base) <= 0 || asNumber(value) <= 0 || base === 1) return null;
      return Math.log(asNumber(value)) / Math.log(asNumber(base));
    },
  },
  ofDouble('LN', 'The natural logarithm; empty at zero and below.', (value) =>
    value > 0 ? Math.log(value) : NaN,
  ),
  called(
    {
      name: 'PI',
      group: 'Numbers',
      parameters: [],
      result: 'number',
      summary: 'The ratio of a circle’s circumference to its diameter.',
      run: () => Math.PI,
    },
    () => ({ kind: 'literal', value: Math.PI, storage: 'float' }),
  ),
  ofDouble('SIN', 'The sine of an angle in radians.', (value) => trigonometric(Math.sin, value)),
  ofDouble('COS', 'The cosine of an angle in radians.', (value) => trigonometric(Math.cos, value)),
  ofDouble('TAN', 'The tangent of an angle in radians.', (value) => trigonometric(Math.tan, value)),
  ofDouble('ASIN', 'The angle whose sine this is; empty beyond -1 and 1.', Math.asin),
  ofDouble('ACOS', 'The angle whose cosine this is; empty beyond -1 and 1.', Math.acos),
  called(
    {
      name: 'ATAN2',
      group: 'Numbers',
      parameters: [
        { name: 'x', takes: 'number' },
        { name: 'y', takes: 'number' },
      ],
      result: 'number',
      summary: 'The angle from the axis of x to the point at x and y; empty for the point 0, 0.',
      run: ([x, y]) => (asNumber(x) === 0 && asNumber(y) === 0 ? null : Math.atan2(asNumber(y), asNumber(x))),
    },
    ([x = empty('number'), y = empty('number')]) => call('ATAN2', y, x),
  ),
  ofDouble('ATAN', 'The angle whose tangent this is.', Math.atan),
  called(
    {
      name: 'DEGREES',
      group: 'Numbers',
      parameters: [{ name: 'radians', takes: 'number' }],
      result: 'number',
      summary: 'An angle in degrees.',
      run([value]) {
        const half = product(asNumber(value), 180);
        return half === null ? null : quotient(half, Math.PI);
      },
    },
    ([value = whole(0)]) =>
      arithmetic('divide', arithmetic('multiply', value, whole(180)), {
        kind: 'literal',
        value: Math.PI,
        storage: 'float',
      }),
  ),
  called(
    {
      name: 'RADIANS',
      group: 'Numbers',
      parameters: [{ name: 'degrees', takes: 'number' }],
      result: 'number',
      summary: 'An angle in radians.',
      run([value]) {
        const half = product(asNumber(value), Math.PI);
        return half === null ? null : quotient(half, 180);
      },
    },
    ([value = whole(0)]) =>
      arithmetic(
        'divide',
        arithmetic('multiply', value, { kind: 'literal', value: Math.PI, storage: 'float' }),
        whole(180),
      ),
  ),
  called(
    {
      name: 'VALUE',
      group: 'Numbers',
      parameters: [{ name: 'text', takes: 'text' }],
      result: 'number',
      summary: 'The number that a text holds, such as "-12.5"; empty for any other text.',
      run: ([text]) => (/^ *[+-]?\d{1,15}(?:\.\d{1,15})? *$/.test(asText(text)) ? Number(text) : null),
    },
    (values) => call('NUMBER', ...values),
  ),
  counting('COUNT', number, 'How many of the numbers are not empty.', {
    counts: isThere,
    isCounted: (value) => value !== null,
  }),
  counting('COUNTA', { name: 'value', takes: 'any' }, 'How many of the values are not empty.', {
    counts: isFilled,
    isCounted: (value) => value !== null && value !== '',
  }),
];

function power(value: number, exponent: number): number | null {
  if (value === 0) return exponent < 0 ? null : value ** exponent;
  if (value < 0 && !Number.isInteger(exponent)) return null;
  return Math.abs(exponent * Math.log(Math.abs(value))) > 700 ? null : value ** exponent;
}

/** Beyond this the databases' own functions give different results. */
function trigonometric(run: (value: number) => number, value: number): number {
  return Math.abs(value) > 1e6 ? NaN : run(value);
}

/** The negative of a number. */
export const negative = minus;
