import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderAt } from './table-order.ts';

const tables = [
  { id: 'a', order: 1 },
  { id: 'b', order: 2 },
  { id: 'c', order: 3 },
];

describe('the order of a table that is moved', () => {
  test('a table can be moved to the first, a middle and the last place', () => {
    expect(orderAt(tables, 'c', 0)).toBe(0);
    expect(orderAt(tables, 'a', 1)).toBe(2.5);
    expect(orderAt(tables, 'a', 2)).toBe(4);
  });

  test('a table that is dropped where it stands is not moved', () => {
    expect(orderAt(tables, 'b', 1)).toBeUndefined();
  });

  test('whatever is moved stands at the place asked for, and the others keep their order', () => {
    const moves = fc.integer({ min: 2, max: 12 }).chain((count) => {
      const place = fc.nat({ max: count - 1 });
      return fc.record({ count: fc.constant(count), from: place, to: place });
    });
    fc.assert(
      fc.property(moves, ({ count, from, to }) => {
        const list = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, order: at + 1 }));
        const order = orderAt(list, `t${from}`, to);
        const after = list
          .map((table) => (table.id === `t${from}` && order !== undefined ? { ...table, order } : table))
          .toSorted((left, right) => left.order - right.order)
          .map((table) => table.id);
        expect(after[to]).toBe(`t${from}`);
        expect(after.filter((id) => id !== `t${from}`)).toEqual(
          list.map((table) => table.id).filter((id) => id !== `t${from}`),
        );
      }),
    );
  });
});
