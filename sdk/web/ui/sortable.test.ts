import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { moved, numbersOfMove, orderAt } from './sortable.ts';

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

  test('whatever numbers the rows had, those of a move put them in the wished order', () => {
    const orders = fc.array(fc.oneof(fc.constant(1), fc.constant(undefined), fc.double({ noNaN: true })), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(orders, fc.nat(5), fc.nat(5), (some, a, b) => {
        const [from, to] = [a % some.length, b % some.length];
        const sorted = some.toSorted((left, right) => (left ?? Infinity) - (right ?? Infinity));
        const numbers = numbersOfMove(sorted, from, to);
        const after = moved([...sorted.keys()], from, to).map((row) => numbers.get(row) ?? sorted[row]);
        // A row without a number stands behind those that have one, and may keep none while it is not moved.
        const known = after.filter((order) => order !== undefined);
        if (numbers.size > 1) expect(known).toEqual(known.toSorted((left, right) => left - right));
        expect(numbers.has(from) || numbers.size > 0).toBe(true);
      }),
    );
  });

  test('two rows with the same number are numbered anew, and only those that need it', () => {
    expect([...numbersOfMove([1, 2, 2], 0, 1)]).toEqual([
      [1, 1],
      [0, 2],
      [2, 3],
    ]);
    expect([...numbersOfMove([1, 2, 3], 2, 0)]).toEqual([[2, 0]]);
  });

  test('a row goes to its place and the others close up', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  });
});
