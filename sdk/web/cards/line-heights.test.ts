import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineHeights } from './line-heights.ts';

test('lines that were not seen count as high as those seen first are on the average', () => {
  const heights = new LineHeights(100);
  expect([heights.topOf(7), heights.lineAt(250)]).toEqual([700, 2]);
  expect(
    heights.learn(
      new Map([
        [0, 40],
        [1, 60],
      ]),
    ),
  ).toBe(true);
  expect([heights.heightOf(0), heights.heightOf(9)]).toEqual([40, 50]);
  expect(heights.topOf(1_000_000)).toBe(50_000_000);
  heights.learn(new Map([[999_999, 90]]));
  expect(heights.topOf(1_000_000)).toBe(50_000_040);
  expect(heights.heightOf(9)).toBe(50);
  expect(heights.learn(new Map([[1, 60]]))).toBe(false);
});

test('places and lines agree, whatever was learnt in whatever order', () => {
  const seen = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 400 })), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 8 }), fc.nat(400), (steps, line) => {
      const heights = new LineHeights(64);
      for (const step of steps) heights.learn(new Map(step));
      let top = 0;
      for (let at = 0; at < line; at += 1) top += heights.heightOf(at);
      expect(heights.topOf(line)).toBeCloseTo(top, 4);
      expect(heights.lineAt(top + heights.heightOf(line) / 2)).toBe(line);
    }),
  );
});
