import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { moved, orderAt } from './sortable.ts';

describe('the order of a list whose rows can be moved', () => {
  test('a moved row gets a number between its new neighbours, or the list is numbered anew', () => {
    const orders = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { maxLength: 8 });
    fc.assert(
      fc.property(orders, fc.nat(8), (some, place) => {
        const sorted = some.toSorted((a, b) => a - b);
        const at = Math.min(place, sorted.length);
        const order = orderAt(sorted, at);
        if (order === undefined) return;
        expect(sorted.slice(0, at).every((other) => other < order)).toBe(true);
        expect(sorted.slice(at).every((other) => other > order)).toBe(true);
      }),
    );
  });

  test('a row goes half-way between its neighbours, or one beyond the only one', () => {
    expect(orderAt([1, 2], 1)).toBe(1.5);
    expect(orderAt([undefined, 1], 1)).toBe(0);
    expect(orderAt([4, undefined], 1)).toBe(5);
  });

  test('neighbours with the same number leave no room', () => {
    expect(orderAt([1, 1], 1)).toBeUndefined();
  });

  test('a row goes to its place and the others close up', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  });
});
