import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BoundedMap } from './bounded-map.ts';

test('keeps what is used and tells of what it drops', () => {
  const dropped: number[] = [];
  const map = new BoundedMap<string, number>(10, (value) => void dropped.push(value));
  map.set('used', 0);
  for (let number = 1; number <= 100; number += 1) {
    map.set(`n${number}`, number);
    expect(map.get('used')).toBe(0);
  }
  expect(map.get('n1')).toBeUndefined();
  expect(map.get('n100')).toBe(100);
  expect(dropped).toContain(1);
  expect(dropped).not.toContain(0);
});

test('never holds more than it may, and drops each entry once', () => {
  const key = fc.integer({ min: 0, max: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.array(key), (most, keys) => {
      let made = 0;
      const alive = new Set<number>();
      const map = new BoundedMap<number, number>(most, (value) => {
        expect(alive.delete(value)).toBe(true);
      });
      for (const of of keys) {
        if (map.get(of) === undefined) {
          made += 1;
          alive.add(made);
          map.set(of, made);
        }
        expect(alive.has(map.get(of) ?? 0)).toBe(true);
        expect(alive.size).toBeLessThanOrEqual(most);
      }
    }),
  );
});
