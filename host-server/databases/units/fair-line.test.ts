import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairLine } from './fair-line.ts';

describe('a fair line', () => {
  test('serves a share that has one item waiting before the second item of another', () => {
    const line = new FairLine<string>({ most: 10, perShare: 10 });
    for (const item of ['a1', 'a2', 'a3']) line.add(item, 'a');
    line.add('b1', 'b');
    expect([line.take(), line.peek(), line.take(), line.take(), line.take(), line.take()]).toEqual([
      'a1',
      'b1',
      'b1',
      'a2',
      'a3',
      undefined,
    ]);
  });

  test('is bounded, in all and per share', () => {
    const line = new FairLine<number>({ most: 3, perShare: 2 });
    line.add(1, 'a');
    line.add(2, 'a');
    expect(() => line.add(3, 'a')).toThrow(/busy/);
    line.add(3, 'b');
    expect(() => line.add(4, 'c')).toThrow(/busy/);
    expect(line.remove(2, 'a')).toBe(true);
    expect(line.remove(2, 'a')).toBe(false);
    line.add(4, 'c');
    expect(line.size).toBe(3);
  });

  test('loses nothing, doubles nothing, keeps the order of a share and makes no share wait for two turns of another', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', undefined), { maxLength: 60 }), (steps) => {
        const line = new FairLine<string>({ most: 100, perShare: 100 });
        const waiting = new Map<string, string[]>();
        const servedSince = new Map<string, string[]>();
        for (const [index, share] of steps.entries()) {
          if (share !== undefined) {
            line.add(`${share}${index}`, share);
            const items = waiting.get(share) ?? [];
            if (items.length === 0) servedSince.set(share, []);
            waiting.set(share, [...items, `${share}${index}`]);
            continue;
          }
          const taken = line.take();
          const [served = ''] = taken ?? '';
          expect(taken).toBe(waiting.get(served)?.shift());
          for (const [other, seen] of servedSince) {
            if (other === served || (waiting.get(other) ?? []).length === 0) continue;
            expect(seen).not.toContain(served);
            seen.push(served);
          }
          servedSince.set(served, []);
        }
        expect(line.size).toBe([...waiting.values()].flat().length);
      }),
    );
  });
});
