import { describe, expect, test } from '@jest/globals';
import type { CellValue, StorageKind } from '../../shared/index.ts';
import { fillRangeTo, planFill } from './fill-plan.ts';
import { continueValues } from './fill-series.ts';
import { makeRows, testColumns } from '../../testing/grid-fixtures.ts';
import type { RowData } from '../rows/index.ts';
import { englishTexts } from './grid-texts.ts';

const at = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right });
const rows = makeRows(6);
const target = {
  tableId: 'md_a',
  columns: testColumns,
  rowAt: (index: number) => rows.rowAt(index),
  valueOf: ({ values }: { values: Readonly<Record<string, unknown>> }, columnId: string) =>
    (values[columnId] ?? null) as CellValue,
  isEdited: () => false,
  t: englishTexts,
};
const cellsOf = ({ changes }: ReturnType<typeof planFill>) =>
  changes.map(({ rowKey, columnId, value }) => [rowKey, columnId, value]);

describe('a fill', () => {
  test.each<[StorageKind, CellValue[], CellValue[]]>([
    ['integer', [3, 5], [1, 7, 9]],
    ['integer', [3], [3, 3, 3]],
    ['integer', [3, 5, 6], [6, 3, 5]],
    ['decimal', ['0.1', '0.20'], ['0.00', '0.30', '0.40']],
    ['bigint', ['9007199254740993', '9007199254740992'], ['9007199254740994', '9007199254740991']],
    ['float', [0.5, 0.25], [0.75, 0, -0.25]],
    ['integer', [1, null], [null, 1, null]],
    ['string', ['a', 'b'], ['b', 'a', 'b']],
    ['date', ['2026-02-27', '2026-02-28'], ['2026-02-26', '2026-03-01']],
    ['date', ['2026-01-31', '2026-03-31'], ['2025-11-30', '2026-05-31', '2026-07-31']],
    ['date', ['2026-01-31', '2026-02-28'], ['2025-12-31', '2026-03-31', '2026-04-30']],
    ['date', ['2026-03-28'], ['2026-03-28', '2026-03-28']],
    [
      'datetime',
      ['2026-03-29 08:00:00', '2026-03-29 08:30:00'],
      ['2026-03-29 07:30:00', '2026-03-29 09:00:00'],
    ],
    [
      'datetime',
      ['2026-01-01T09:00:00.000Z', '2026-02-01T09:00:00.000Z'],
      ['2025-12-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z'],
    ],
    [
      'datetime',
      ['2026-01-01T09:00:00Z', '2026-01-02T09:00:00+01:00'],
      ['2026-01-02T09:00:00+01:00', '2026-01-01T09:00:00Z'],
    ],
  ])('of %s %j goes on, the value before first, with %j', (storage, values, expected) => {
    const going = continueValues(values, storage);
    expect(expected.map((_, place) => going(place === 0 ? -1 : values.length + place - 1))).toEqual(expected);
  });

  test('covers the way that the handle was dragged furthest', () => {
    expect(fillRangeTo(at(2, 1), { row: 5, column: 2 })).toEqual(at(2, 1, 5, 1));
    expect(fillRangeTo(at(2, 1), { row: 0, column: 1 })).toEqual(at(0, 1, 2, 1));
    expect(fillRangeTo(at(2, 1), { row: 3, column: 3 })).toEqual(at(2, 1, 2, 3));
    expect(fillRangeTo(at(2, 1, 4, 2), { row: 3, column: 2 })).toEqual(at(2, 1, 4, 2));
  });

  test('goes on with each column by itself, and writes only what changes', () => {
    const plan = planFill(at(0, 0, 1, 1), at(0, 0, 3, 1), target);
    expect(cellsOf(plan)).toEqual([
      ['k2', 'name', 'row 0'],
      ['k3', 'name', 'row 1'],
    ]);
    expect(plan.covered).toEqual(at(0, 0, 3, 1));
  });

  test('goes on with the values of cells that their type writes by itself, where they mean the same', () => {
    const [named, age, ...others] = testColumns;
    if (named?.type === undefined || age === undefined) throw new Error('The columns have types.');
    const type = { ...named.type, writeCells: () => Promise.resolve([]), meaningOf: () => 'rows of cities' };
    const columns = [{ ...named, type, whyReadOnly: 'Press Enter.' }, age, ...others];
    const value = [{ Id: 1, Title: 'Paris' }];
    const valueOf = (row: RowData) => (row.key === 'k0' ? value : null);
    const plan = planFill(at(0, 0), at(0, 0, 2, 0), { ...target, columns, valueOf });
    const from = { tableId: 'md_a', columnId: 'name', rowKey: 'k0' };
    expect(plan.changes).toMatchObject([
      { rowKey: 'k1', value, from },
      { rowKey: 'k2', value, from },
    ]);
  });

  test('to the side reads values for the columns they come to, and leaves read-only cells', () => {
    const plan = planFill(at(2, 0), at(2, 0, 2, 3), target);
    expect(cellsOf(plan)).toEqual([['k2', 'done', false]]);
    expect(plan.rejected.map(({ columnId, text }) => [columnId, text])).toEqual([['age', 'row 2']]);
    expect(plan.readOnlyCells).toBe(1);
    expect(cellsOf(planFill(at(2, 1), at(2, 0, 2, 1), target))).toEqual([['k2', 'name', '2']]);
  });
});
