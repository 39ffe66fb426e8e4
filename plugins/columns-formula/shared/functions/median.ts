import type { Expression, Predicate } from '@trellis/sdk/shared';
import { arithmetic, compare, empty, isNull, not, when, whole } from '../typed.ts';
import { asNumber, expressionsOf, type FormulaFunction } from './define.ts';

/** How many of the values meet a condition. */
function counted(values: readonly Expression[], meets: (value: Expression) => Predicate): Expression {
  return values
    .map((value) => when(meets(value), whole(1), whole(0)))
    .reduce((total, one) => arithmetic('add', total, one));
}

/** The value that stands at a place, from 1, when they are put in order: fewer are below it, and so many are not above it. */
function valueAt(values: readonly Expression[], place: number): Expression {
  return {
    kind: 'case',
    branches: values.map((value) => ({
      when: {
        kind: 'and',
        items: [
          compare(
            'lt',
            counted(values, (other) => compare('lt', other, value)),
            whole(place),
          ),
          compare(
            'gte',
            counted(values, (other) => compare('lte', other, value)),
            whole(place),
          ),
        ],
      },
      value,
    })),
  };
}

const middle = (left: Expression, right: Expression): Expression =>
  arithmetic('divide', arithmetic('add', left, right), whole(2));

/** Each value is compared with each other one, so there are few of them. */
export const median: FormulaFunction = {
  name: 'MEDIAN',
  group: 'Numbers',
  parameters: [{ name: 'number', takes: 'number' }],
  repeats: 1,
  most: 8,
  result: 'number',
  summary: 'The number in the middle, of two the number between them; of at most eight.',
  build(items) {
    if (items.some(({ literal }) => literal === null)) return empty('number');
    const values = expressionsOf(items);
    const half = Math.ceil(values.length / 2);
    const lower = valueAt(values, half);
    const found = values.length % 2 === 1 ? lower : middle(lower, valueAt(values, half + 1));
    return when({ kind: 'and', items: values.map((value) => not(isNull(value))) }, found);
  },
  run(values) {
    const sorted = values.map(asNumber).toSorted((left, right) => left - right);
    const [low = 0, high = low] = sorted.slice(Math.ceil(sorted.length / 2) - 1);
    return sorted.length % 2 === 1 ? low : (low + high) / 2;
  },
};
