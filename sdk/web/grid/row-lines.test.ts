import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRowLines } from './row-lines.ts';

describe('lines of a grid', () => {
  test('are the rows where nothing stands between them', () => {
    const lines = createRowLines(3);
    expect(lines.count).toBe(3);
    expect(lines.lineOf(2)).toBe(2);
    expect(lines.lineAt(1)).toEqual({ kind: 'row', row: 1 });
  });

  test('have heads before the rows that they stand before, several at one place and at the end', () => {
    const lines = createRowLines(3, [{ before: 0 }, { before: 0 }, { before: 2 }, { before: 3 }]);
    const all = Array.from({ length: lines.count }, (_, line) => lines.lineAt(line));
    expect(all.map((line) => (line.kind === 'row' ? line.row : `head ${line.at}`))).toEqual([
      'head 0',
      'head 1',
      0,
      1,
      'head 2',
      2,
      'head 3',
    ]);
    expect([0, 1, 2].map(lines.lineOf)).toEqual([2, 3, 5]);
    expect([0, 1, 2, 3, 4, 5, 6].map(lines.rowFrom)).toEqual([0, 0, 0, 1, 2, 2, 3]);
  });

  test('lead from each line to where it begins and back, whatever rows and heads are high', () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.array(fc.nat(40), { maxLength: 12 }),
        fc.record({ row: fc.integer({ min: 1, max: 140 }), head: fc.integer({ min: 1, max: 140 }) }),
        (rowCount, places, height) => {
          const heads = places
            .map((before) => ({ before: Math.min(before, rowCount) }))
            .toSorted((a, b) => a.before - b.before);
          const lines = createRowLines(rowCount, heads, height);
          let top = 0;
          for (let line = 0; line < lines.count; line++) {
            const high = height[lines.lineAt(line).kind];
            expect([line, lines.topOf(line)]).toEqual([line, top]);
            expect([lines.lineAtTop(top), lines.lineAtTop(top + high - 1)]).toEqual([line, line]);
            top += high;
          }
          expect([lines.topOf(lines.count), lines.height]).toEqual([top, top]);
          expect(lines.lineAtTop(top)).toBe(lines.count);
        },
      ),
    );
  });

  test('lead from each row to its line and back', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.array(fc.nat(60), { maxLength: 20 }), (rowCount, places) => {
        const heads = places
          .map((before) => ({ before: Math.min(before, rowCount) }))
          .toSorted((a, b) => a.before - b.before);
        const lines = createRowLines(rowCount, heads);
        for (let row = 0; row < rowCount; row++) {
          expect(lines.lineAt(lines.lineOf(row))).toEqual({ kind: 'row', row });
          expect(lines.rowFrom(lines.lineOf(row))).toBe(row);
        }
        let found = 0;
        for (let line = 0; line < lines.count; line++) if (lines.lineAt(line).kind === 'head') found += 1;
        expect(found).toBe(heads.length);
      }),
    );
  });
});
