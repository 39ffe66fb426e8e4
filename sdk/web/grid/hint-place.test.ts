import { describe, expect, test } from '@jest/globals';
import { placeHint } from './hint-place.ts';

const grid = { left: 100, right: 900, top: 50, bottom: 450 };
const cell = (left: number, top: number) => ({ left, right: left + 160, top, bottom: top + 32 });
const hint = { width: 300, height: 60 };

describe('what is said about a cell', () => {
  test('stands under its leading edge', () => {
    expect(placeHint(cell(300, 100), grid, hint, false)).toEqual({ start: 0, isAbove: false });
    expect(placeHint(cell(500, 100), grid, hint, true)).toEqual({ start: 0, isAbove: false });
  });

  test('is not cut at the last column: it goes towards the first', () => {
    // 740 + 300 would end at 1040, behind the edge at 900.
    expect(placeHint(cell(740, 100), grid, hint, false)).toEqual({ start: -144, isAbove: false });
    expect(placeHint(cell(100, 100), grid, hint, true)).toEqual({ start: -144, isAbove: false });
  });

  test('does not leave a narrow grid on the other side', () => {
    expect(placeHint(cell(150, 100), { ...grid, right: 350 }, hint, false).start).toBe(-46);
  });

  test('stands over its cell where there is no room under it', () => {
    expect(placeHint(cell(300, 400), grid, hint, false)).toEqual({ start: 0, isAbove: true });
    expect(placeHint(cell(300, 60), { ...grid, bottom: 130 }, hint, false).isAbove).toBe(false);
  });
});
