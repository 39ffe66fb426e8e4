import { describe, expect, test } from '@jest/globals';
import {
  columnAtViewport,
  columnsInSight,
  dropIndexAt,
  layOutColumns,
  scrollLeftFor,
} from './column-layout.ts';
import { aColumn, textType } from '../../testing/table-fixtures.ts';
import type { GridColumn } from './grid-column.ts';

const columns: GridColumn[] = Array.from({ length: 20 }, (_, at) => ({
  entity: aColumn(`c${at}`, `c${at}`),
  width: 100,
  type: textType,
  frozen: at === 3,
}));
const layout = layOutColumns(columns, 50, 800);

describe('columns side by side', () => {
  test('frozen ones stand first', () => {
    expect(layout.columns.slice(0, 3).map(({ entity }) => entity.id)).toEqual(['c3', 'c0', 'c1']);
    expect(layout.frozenWidth).toBe(150);
    expect(layout.totalWidth).toBe(2050);
  });

  test('only those in sight are drawn', () => {
    expect(columnsInSight(layout, 0, 800)).toEqual({ start: 1, end: 8 });
    expect(columnsInSight(layout, 1250, 800)).toEqual({ start: 13, end: 20 });
  });

  test('frozen columns that would fill a narrow screen scroll along', () => {
    expect(layOutColumns(columns, 50, 200).frozenCount).toBe(0);
    const two = columns.map((column, at) => ({ ...column, frozen: at < 2 }));
    expect(layOutColumns(two, 50, 300).frozenCount).toBe(1);
  });

  test('a wide frozen column leaves room for another one on a phone', () => {
    const wide = columns.map((column, at) => ({ ...column, width: 180, frozen: at === 0 }));
    const phone = layOutColumns(wide, 60, 390);
    expect(phone).toMatchObject({ frozenCount: 1, frozenWidth: 195 });
    expect(phone.columns.map(({ width }) => width).slice(0, 2)).toEqual([135, 180]);
    expect(layOutColumns(wide, 60, 800)).toMatchObject({ frozenCount: 1, frozenWidth: 240 });
    // Next to nothing would be left of it.
    expect(layOutColumns(wide, 60, 280)).toMatchObject({ frozenCount: 0 });
  });

  test('the column under a point is the frozen one where that covers others', () => {
    expect(columnAtViewport(layout, 60, 500)).toBe(0);
    expect(columnAtViewport(layout, 160, 500)).toBe(6);
  });

  test('a column is brought into sight from under the frozen ones and from beyond the edge', () => {
    expect(scrollLeftFor(layout, 2, 500, 800)).toBe(100);
    expect(scrollLeftFor(layout, 19, 0, 800)).toBe(2050 - 800);
    expect(scrollLeftFor(layout, 0, 500, 800)).toBe(500);
  });

  test('a title dropped past the middle of a column goes after it', () => {
    expect(dropIndexAt(layout, 170, 0)).toBe(1);
    expect(dropIndexAt(layout, 230, 0)).toBe(2);
  });
});
