import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import type { WebColumnType } from '../extensions/index.ts';
import { editNumber, plainNumber, showNumber } from '../local-numbers.ts';
import type { GridProps } from './grid-types.ts';
import { aColumn, numberType } from '../../testing/table-fixtures.ts';
import { makeRows } from '../../testing/grid-fixtures.ts';
import { cellAt, copyFrom, paste, showGrid, storeIn, prepareGridBench } from '../../testing/grid-bench.tsx';

prepareGridBench();
beforeEach(() => {
  document.documentElement.lang = 'de';
});
afterEach(() => {
  document.documentElement.lang = '';
});

const decimals: WebColumnType = {
  ...numberType,
  local: {
    show: (value) => showNumber(value as number | null),
    edit: (value) => editNumber(value as number | null),
    read: (text, column) => numberType.parse(plainNumber(text), column),
  },
};

function showPrices(props: Partial<GridProps> = {}) {
  const source = makeRows(3);
  source.put(0, { price: 1234.5 });
  const columns = [{ entity: aColumn('price', 'Price', { storage: 'decimal' }), width: 100, type: decimals }];
  return { ...showGrid({ source, columns, onCommitCells: storeIn(source), ...props }), source };
}

test('a number is shown and edited as people of the language write it, and copied as programs do', async () => {
  const { user, input } = showPrices();
  input.focus();
  expect(cellAt(0, 0).textContent).toBe('1.234,5');
  await user.keyboard('{F2}');
  expect(input).toHaveProperty('value', '1234,5');
  await user.keyboard('{Escape}');
  expect(copyFrom(input)).toBe('1234.5');
});

test.each([
  ['1.234', 1234],
  ['7,25', 7.25],
  ['7.25', 7.25],
])('%s is typed', async (text, value) => {
  const { user, input, source } = showPrices();
  input.focus();
  await user.keyboard(`${text}{Enter}`);
  await waitFor(() => expect(source.rowAt(0)?.values.price).toBe(value));
});

test('what is pasted is a number of programs', async () => {
  const { input, source } = showPrices();
  input.focus();
  paste(input, '1.234');
  await waitFor(() => expect(source.rowAt(0)?.values.price).toBe(1.234));
});

test('what is pasted and refused is the same number when it is sent again', async () => {
  const onCommitCells = jest
    .fn<NonNullable<GridProps['onCommitCells']>>()
    .mockRejectedValueOnce(new Error('The database is away'))
    .mockResolvedValue([]);
  const { user, input } = showPrices({ onCommitCells });
  input.focus();
  paste(input, '1.234');
  await waitFor(() => expect(cellAt(0, 0).textContent).toContain('1,234'));
  await user.keyboard('{F2}{Enter}');
  await waitFor(() => expect(onCommitCells).toHaveBeenCalledTimes(2));
  expect(onCommitCells.mock.calls[1]?.[0]).toMatchObject([{ value: 1.234 }]);
});
