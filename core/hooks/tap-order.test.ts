import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderTaps } from './tap-order.ts';

const owner = fc.constantFrom('a', 'b', 'c', 'd');
const tap = fc.record({
  owner,
  order: fc.integer({ min: -2, max: 2 }),
  before: fc.option(owner, { nil: undefined, freq: 3 }),
  after: fc.option(owner, { nil: undefined, freq: 3 }),
});

/** Whether some sequence of the taps fits all constraints, found by trying. */
function isPossible(taps: readonly (typeof tap extends fc.Arbitrary<infer T> ? T : never)[]): boolean {
  if (taps.length === 0) return true;
  return taps.some((next) => {
    const rest = taps.filter((other) => other !== next);
    const mayGo = rest.every(
      (other) => other.owner === next.owner || (next.after !== other.owner && other.before !== next.owner),
    );
    return mayGo && isPossible(rest);
  });
}

test('any taps are ordered as they ask, or refused when no order can fit', () => {
  fc.assert(
    fc.property(fc.array(tap, { maxLength: 6 }), (taps) => {
      if (!isPossible(taps)) {
        expect(() => orderTaps('x', taps)).toThrow(/before and after each other/);
        return;
      }
      const ordered = orderTaps('x', taps);
      expect(new Set(ordered)).toEqual(new Set(taps));
      ordered.forEach((current, index) => {
        for (const later of ordered.slice(index + 1)) {
          if (later.owner === current.owner) continue;
          expect(current.after).not.toBe(later.owner);
          expect(later.before).not.toBe(current.owner);
        }
      });
    }),
    { numRuns: 500 },
  );
});

test('taps without constraints keep their order and then their sequence', () => {
  fc.assert(
    fc.property(fc.array(tap, { maxLength: 12 }), (taps) => {
      const free = taps.map((one) => ({ ...one, before: undefined, after: undefined }));
      const expected = [-2, -1, 0, 1, 2].flatMap((order) => free.filter((one) => one.order === order));
      expect(orderTaps('x', free)).toEqual(expected);
    }),
  );
});
