import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { aColumn, numberType } from '../../testing/table-fixtures.ts';
import { renderWithHost } from '../../testing/web.tsx';
import type { CellValue } from '../../shared/index.ts';
import type { WebColumnType, WebFilterOperator } from '../extensions/index.ts';
import { editNumber, plainNumber, showNumber } from '../local-numbers.ts';
import { FilterValue } from './FilterValue.tsx';

beforeEach(() => {
  document.documentElement.lang = 'de';
});
afterEach(() => {
  cleanup();
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
const price = aColumn('price', 'Price', { storage: 'decimal' });

function show(first: CellValue, arity: 'one' | 'two') {
  const onChange = jest.fn<(value: unknown) => void>();
  function Row() {
    const [value, setValue] = useState(first);
    const operator: WebFilterOperator = {
      id: 'eq',
      label: 'is',
      arity,
      build: () => ({ kind: 'always', value: true }),
    };
    return (
      <FilterValue
        column={price}
        type={decimals}
        {...{ operator, value }}
        readOnly={false}
        onChange={(next) => {
          onChange(next);
          setValue(next);
        }}
      />
    );
  }
  renderWithHost(<Row />);
  return { onChange, user: userEvent.setup() };
}

test('a number of a condition is shown and typed as in cells, and kept as programs write it', async () => {
  const { onChange, user } = show('1234.5', 'one');
  const input = screen.getByRole('textbox', { name: 'Value' });
  expect(input).toHaveProperty('value', '1234,5');
  await user.click(input);
  await user.tab();
  expect(onChange).not.toHaveBeenCalled();
  await user.clear(input);
  await user.type(input, '1.234{Enter}');
  expect(onChange).toHaveBeenLastCalledWith('1234');
  await user.clear(input);
  await user.type(input, '0,25{Enter}');
  expect(onChange).toHaveBeenLastCalledWith('0.25');
  expect(input).toHaveProperty('value', '0,25');
});

test('both ends of a range are numbers of the language', async () => {
  const { onChange, user } = show('0.5,1234', 'two');
  const to = screen.getByRole('textbox', { name: 'To' });
  const from = screen.getByRole('textbox', { name: 'From' });
  expect([from, to].map((input) => (input as HTMLInputElement).value)).toEqual(['0,5', '1234']);
  await user.clear(to);
  await user.type(to, '1.234,5{Enter}');
  expect(onChange).toHaveBeenLastCalledWith('0.5,1234.5');
});
