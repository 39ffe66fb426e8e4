import { expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { computeDecimal } from './decimal-arithmetic.ts';
import { roundDecimal } from './formula-functions.ts';

const Exact = Decimal.clone({ precision: 200 });
const number = fc
  .tuple(
    fc.integer({ min: -12_000_000, max: 12_000_000 }),
    fc.integer({ min: 0, max: 9 }),
    fc.constantFrom('', '0', '00'),
  )
  .map(([units, scale, zeros]) => {
    const text = new Exact(units).div(new Exact(10).pow(scale)).toFixed();
    return text.includes('.') ? text + zeros : text;
  });
const operations = { add: 'add', subtract: 'sub', multiply: 'mul', modulo: 'mod' } as const;

test('Decimals of few and of many digits are computed with exactly, as texts and as whole numbers', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(operations) as (keyof typeof operations)[])),
      number,
      fc.oneof(number, fc.integer({ min: -2e7, max: 2e7 })),
      (operation, left, right) => {
        const exact = new Exact(left)[operations[operation]](new Exact(right));
        const expected = exact.isNaN() ? null : exact.toFixed().replace(/^-0$/, '0');
        expect(computeDecimal(operation, left, right)).toBe(expected);
      },
    ),
    { numRuns: 3000 },
  );
  for (const nothing of ['', '.', '-', '1.2.3', 'x', null])
    expect(computeDecimal('add', nothing, '1')).toBeNull();
});

const roundings = {
  half: Decimal.ROUND_HALF_UP,
  up: Decimal.ROUND_UP,
  down: Decimal.ROUND_DOWN,
  ceiling: Decimal.ROUND_CEIL,
  floor: Decimal.ROUND_FLOOR,
} as const;

test('Decimals of few and of many digits are rounded to any place, in each way', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(roundings) as (keyof typeof roundings)[])),
      number,
      fc.integer({ min: -8, max: 8 }),
      (how, value, places) => {
        const step = new Exact(10).pow(-places);
        const exact = new Exact(value).div(step).toDecimalPlaces(0, roundings[how]).mul(step);
        expect(roundDecimal(value, places, how)).toBe(exact.toFixed().replace(/^-0$/, '0'));
      },
    ),
    { numRuns: 3000 },
  );
});
