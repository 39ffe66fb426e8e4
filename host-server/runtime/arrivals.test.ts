import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Arrivals } from './arrivals.ts';

describe('arrivals of strangers', () => {
  /** Enters and tells of the cut by name. */
  function begin(limits: ConstructorParameters<typeof Arrivals>[0]) {
    const arrivals = new Arrivals(limits);
    const cut: string[] = [];
    return { cut, enter: (key: string, name: string) => arrivals.enter(key, () => cut.push(name)) };
  }

  test('make room in their own share: the oldest one of the same holder is cut', () => {
    const { cut, enter } = begin({ all: 10, each: 2 });
    enter('a', 'a1');
    enter('b', 'b1');
    enter('a', 'a2');
    enter('a', 'a3');
    expect(cut).toEqual(['a1']);
  });

  test('make room for newcomers where all places are taken: the oldest one of all is cut', () => {
    const { cut, enter } = begin({ all: 2, each: 2 });
    enter('a', 'a1');
    enter('b', 'b1');
    enter('c', 'c1');
    expect(cut).toEqual(['a1']);
  });

  test('are not cut once they are over, and count no more', () => {
    const { cut, enter } = begin({ all: 2, each: 1 });
    const leave = enter('a', 'a1');
    leave();
    leave();
    enter('a', 'a2');
    enter('b', 'b1');
    expect(cut).toEqual([]);
  });

  test('are never more than there are places, for one holder and in all, and the newest is never cut', () => {
    const limits = fc.record({ all: fc.integer({ min: 1, max: 6 }), each: fc.integer({ min: 1, max: 4 }) });
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), leaves: fc.option(fc.nat(20)) });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 60 }), ({ all, each }, steps) => {
        const arrivals = new Arrivals({ all, each });
        const open = new Map<number, { readonly key: string; leave: () => void }>();
        steps.forEach(({ key, leaves }, number) => {
          const left = leaves === null ? undefined : [...open.keys()][leaves];
          if (left !== undefined) {
            open.get(left)?.leave();
            open.delete(left);
          }
          const leave = arrivals.enter(key, () => open.delete(number));
          open.set(number, { key, leave });
          const own = [...open.values()].filter((arrival) => arrival.key === key);
          expect(open.has(number)).toBe(true);
          expect(open.size).toBeLessThanOrEqual(all);
          expect(own.length).toBeLessThanOrEqual(each);
        });
      }),
    );
  });
});
