import { describe, expect, test } from '@jest/globals';
import type { ColumnEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { shownColumns } from '@trellis/sdk/web/views';
import { moveBefore, reordered } from './view-columns.ts';

/** What the server tells of columns for which nobody has chosen a width. */
const usual = '180px';
const column = (id: string, system = false): ColumnEntity => ({ id, title: id, system }) as ColumnEntity;
const place = (columnId: string, order: number, show = true, width = '120px'): ViewColumnEntity =>
  ({
    id: `v-${columnId}`,
    fk_column_id: columnId,
    order,
    show,
    width,
    is_width_chosen: width !== usual,
  }) as ViewColumnEntity;
const columns = [column('a'), column('b'), column('c'), column('secret', true)];
const ids = (shown: readonly { column: ColumnEntity }[]): string[] => shown.map((each) => each.column.id);

describe('the columns of a view', () => {
  test('stand in the order of the view, without the hidden ones', () => {
    expect(ids(shownColumns(columns, [place('a', 3), place('b', 1), place('c', 2, false)]))).toEqual([
      'b',
      'a',
    ]);
  });

  test('a new column that the view does not know yet is shown at the end, a system column is not', () => {
    expect(ids(shownColumns(columns, [place('b', 1), place('a', 2)]))).toEqual(['b', 'a', 'c']);
  });

  test('have the width of the view, where it was chosen', () => {
    const [first, second] = shownColumns(columns, [place('a', 1, true, '90px'), place('b', 2, true, usual)]);
    expect([first?.width, second?.width]).toEqual([90, undefined]);
  });

  test('stand where they were dragged until the view says the same', () => {
    const shown = shownColumns(columns, []);
    expect(ids(reordered(shown, moveBefore(['a', 'b', 'c'], 'c', 'a')))).toEqual(['c', 'a', 'b']);
    expect(moveBefore(['a', 'b', 'c'], 'a', undefined)).toEqual(['b', 'c', 'a']);
  });
});
