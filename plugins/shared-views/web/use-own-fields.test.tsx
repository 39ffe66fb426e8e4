import { expect, test } from '@jest/globals';
import type { ViewColumnEntity } from '@trellis/sdk/shared';
import { act, renderHook } from '@testing-library/react';
import { useOwnFields } from './use-own-fields.ts';

const place = (id: string, order: number, show = true) =>
  ({ id: `vc_${id}`, fk_column_id: id, order, show }) as ViewColumnEntity;
const places = [place('name', 2), place('due', 1), place('key', 3, false)];

test('a visitor hides fields and puts them in another order; what the view hides is not offered, and stays hidden', () => {
  const { result } = renderHook(() => useOwnFields(places));
  expect(result.current).toMatchObject({ hidden: 0, columns: places });
  expect(result.current.fields.map(({ columnId }) => columnId)).toEqual(['due', 'name']);
  act(() =>
    result.current.change([
      { columnId: 'name', isShown: true },
      { columnId: 'due', isShown: false },
    ]),
  );
  const seen = result.current.columns
    .filter(({ show }) => show)
    .toSorted((a, b) => a.order - b.order)
    .map(({ fk_column_id: id }) => id);
  expect([seen, result.current.hidden]).toEqual([['name'], 1]);
  expect(result.current.columns.find(({ fk_column_id: id }) => id === 'key')?.show).toBe(false);
});

test('a field that the view shows from now on is shown behind those that a visitor has arranged, and one that it hides goes', () => {
  const { result, rerender } = renderHook(({ of }) => useOwnFields(of), { initialProps: { of: places } });
  act(() =>
    result.current.change([
      { columnId: 'name', isShown: true },
      { columnId: 'due', isShown: false },
    ]),
  );
  rerender({ of: [place('name', 2), place('due', 1, false), place('key', 3)] });
  expect(result.current.fields).toEqual([
    { columnId: 'name', isShown: true },
    { columnId: 'key', isShown: true },
  ]);
  const shown = result.current.columns.filter(({ show }) => show).map(({ fk_column_id: id }) => id);
  expect(shown).toEqual(['name', 'key']);
});
