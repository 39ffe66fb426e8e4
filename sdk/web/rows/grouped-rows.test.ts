import { describe, expect, test } from '@jest/globals';
import { GroupedRows } from './grouped-rows.ts';
import { arrangeGroups, type GroupAnswer } from './row-groups.ts';
import type { RowData } from './row-source.ts';
import { RowWindow } from './row-window.ts';

const group = (values: GroupAnswer['values'], count: number): GroupAnswer => ({ values, count, figures: [] });

/** Two levels: a (2 + 1 rows), b (3 rows). */
const levels = [
  [group(['a'], 3), group(['b'], 3)],
  [group(['a', 1], 2), group(['a', 2], 1), group(['b', 1], 3)],
];
const groups = arrangeGroups(levels);

function windowOf(total: number) {
  const asked: number[] = [];
  const window = new RowWindow({
    pageSize: 1,
    loadRows: (start, limit) => {
      asked.push(start);
      const rows = Array.from({ length: Math.min(limit, total - start) }, (_, at): RowData => ({
        key: String(start + at),
        values: {},
      }));
      return Promise.resolve(rows);
    },
    countRows: () => Promise.resolve(total),
  });
  return { window, asked };
}

async function shownKeys(rows: GroupedRows): Promise<readonly (string | undefined)[]> {
  await rows.load(0, rows.count ?? rows.atLeast);
  return Array.from({ length: rows.count ?? 0 }, (_, index) => rows.rowAt(index)?.key);
}

describe('groups of rows', () => {
  test('stand before those inside them, each where its first row stands', () => {
    expect(groups.map(({ key, level, start, count }) => [key, level, start, count])).toEqual([
      ['["a"]', 0, 0, 3],
      ['["a",1]', 1, 0, 2],
      ['["a",2]', 1, 2, 1],
      ['["b"]', 0, 3, 3],
      ['["b",1]', 1, 3, 3],
    ]);
  });

  test('show all rows while none is collapsed', async () => {
    const { window } = windowOf(6);
    const rows = new GroupedRows(window, groups, new Set());
    window.ensure(0, 1);
    await window.settled();
    expect(rows.heads.map(({ group: { key }, before }) => [key, before])).toEqual([
      ['["a"]', 0],
      ['["a",1]', 0],
      ['["a",2]', 2],
      ['["b"]', 3],
      ['["b",1]', 3],
    ]);
    expect(await shownKeys(rows)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  test('hide the rows and the groups inside a collapsed one, which are not read either', async () => {
    const { window, asked } = windowOf(6);
    const rows = new GroupedRows(window, groups, new Set(['["a"]']));
    rows.ensure(0, 2);
    await window.settled();
    expect(rows.heads.map(({ group: { key }, isCollapsed }) => [key, isCollapsed])).toEqual([
      ['["a"]', true],
      ['["b"]', false],
      ['["b",1]', false],
    ]);
    expect(await shownKeys(rows)).toEqual(['3', '4', '5']);
    expect(asked.filter((start) => start < 3)).toEqual([]);
    expect([0, 3, 5].map((place) => rows.shownAt(place))).toEqual([undefined, 0, 2]);
    await window.load(0, 1);
    expect(['0', '3', '5'].map((key) => rows.indexOf(key))).toEqual([undefined, 0, 2]);
  });

  test('leave out one in the middle: rows in sight may lie far apart', async () => {
    const { window } = windowOf(6);
    const rows = new GroupedRows(window, groups, new Set(['["a",2]']));
    rows.ensure(0, 5);
    await window.settled();
    expect(await shownKeys(rows)).toEqual(['0', '1', '3', '4', '5']);
  });

  test('keep a row that was just added after the last one', async () => {
    const { window } = windowOf(6);
    const rows = new GroupedRows(window, groups, new Set(['["b"]']));
    rows.ensure(0, 3);
    await window.settled();
    window.add({ key: 'new', values: {} });
    expect(rows.count).toBe(4);
    expect(rows.rowAt(3)?.key).toBe('new');
    expect(rows.shownAt(6)).toBe(3);
  });

  test('have no rows where all are collapsed', async () => {
    const { window } = windowOf(6);
    const rows = new GroupedRows(window, groups, new Set(groups.map(({ key }) => key)));
    rows.ensure(0, 0);
    await window.settled();
    expect(rows.count).toBe(0);
    expect(rows.heads).toHaveLength(2);
  });
});
