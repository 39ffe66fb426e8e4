import { expect, test } from '@jest/globals';
import { MemoryRows, type RowsClient } from '@trellis/sdk/web/rows';
import { act, renderHook } from '@testing-library/react';
import type { GridGroups } from './use-grid-groups.tsx';
import { useGridPages } from './use-grid-pages.tsx';

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ key: String(at), values: { name: `Row ${at}` } }));

function showPages(pageSize: number) {
  const source = new MemoryRows(rowsOf(60));
  const rows = { source } as unknown as RowsClient;
  const grouped = { source, heads: undefined } as unknown as GridGroups;
  let draws = 0;
  const shown = renderHook(
    (changed: { readonly pageSize?: number; readonly arrangement?: string | undefined }) => {
      draws += 1;
      return useGridPages({ rows, grouped, isGrouped: false, pageSize, arrangement: 'known', ...changed })
        .pages;
    },
    { initialProps: {} },
  );
  return {
    ...shown,
    source,
    drawn: () => draws,
    go: (page: number) => act(() => shown.result.current?.go(page)),
  };
}

test('a grid without pages is not drawn again as a whole with each change of its rows', () => {
  const { source, drawn } = showPages(0);
  const before = drawn();
  act(() => {
    source.rows = rowsOf(61);
  });
  expect(drawn()).toBe(before);
});

test('pages are counted anew with the rows', () => {
  const { source, result } = showPages(25);
  expect(result.current?.count).toBe(3);
  act(() => {
    source.rows = rowsOf(80);
  });
  expect(result.current?.count).toBe(4);
});

test('pages of another size keep the row in sight that was the first one', () => {
  const { result, rerender, go } = showPages(10);
  go(4);
  rerender({ pageSize: 25 });
  expect(result.current?.current).toBe(1);
});

test('a page is left for the first one once the rows are arranged otherwise, and not when that is merely known', () => {
  const { result, rerender, go } = showPages(10);
  go(4);
  rerender({ arrangement: undefined });
  rerender({ arrangement: 'known' });
  expect(result.current?.current).toBe(4);
  rerender({ arrangement: 'otherwise' });
  expect(result.current?.current).toBe(0);
});
