import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contentTop, createRowScale, followScroll, MAX_SPACER_HEIGHT, placeAt, TOP } from './row-scale.ts';

const rowHeight = 34;
const viewport = 700;

describe('the scale between the scroll bar and a tall table', () => {
  test('a table that fits is scrolled one to one', () => {
    const scale = createRowScale(10_000, viewport);
    expect(scale.spacerHeight).toBe(10_000);
    expect(followScroll(scale, TOP, 1234.5)).toEqual({ scrollTop: 1234.5, offset: 0 });
  });

  test('the scrolled element never grows past what a browser can lay out', () => {
    expect(createRowScale(1_000_000 * rowHeight, viewport).spacerHeight).toBe(MAX_SPACER_HEIGHT);
  });

  test('both ends of the scroll bar are both ends of the table', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 441_177, max: 50_000_000 }),
        fc.integer({ min: 1, max: 14_999_000 }),
        (rows, from) => {
          const scale = createRowScale(rows * rowHeight, viewport);
          const before = followScroll(scale, TOP, from);
          const bottom = followScroll(scale, before, scale.spacerHeight - viewport);
          expect(contentTop(bottom)).toBe(scale.contentHeight - viewport);
          expect(contentTop(followScroll(scale, before, 0))).toBe(0);
        },
      ),
    );
  });

  test('a small scroll moves the rows by exactly as many pixels, anywhere', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500_000, max: 5_000_000 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.integer({ min: -600, max: 600 }),
        (rows, share, by) => {
          const scale = createRowScale(rows * rowHeight, viewport);
          const before = placeAt(scale, Math.round(share * scale.contentHeight));
          const after = followScroll(scale, before, before.scrollTop + by);
          expect(contentTop(after)).toBeCloseTo(contentTop(before) + by, 6);
        },
      ),
    );
  });

  test('every coordinate of the table can be shown', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, share) => {
          const scale = createRowScale(rows * rowHeight, viewport);
          const top = Math.floor(share * Math.max(0, scale.contentHeight - viewport));
          const place = placeAt(scale, top);
          expect(contentTop(place)).toBeCloseTo(top, 6);
          expect(place.scrollTop).toBeGreaterThanOrEqual(0);
          expect(place.scrollTop).toBeLessThanOrEqual(Math.max(0, scale.spacerHeight - viewport) + 1);
        },
      ),
    );
  });

  test('a jump with the scroll bar lands in proportion', () => {
    const scale = createRowScale(1_000_000 * rowHeight, viewport);
    const middle = followScroll(scale, TOP, scale.spacerHeight / 2);
    expect(contentTop(middle) / scale.contentHeight).toBeCloseTo(0.5, 1);
  });
});
