import { afterEach, expect, jest, test } from '@jest/globals';
import type { CellValue, ColumnEntity } from '@trellis/sdk/shared';
import type { FilterValueProps } from '@trellis/sdk/web';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ComponentType, useState } from 'react';
import { DistanceInput, PeriodInput } from './PeriodInput.tsx';

const berlin = aColumn('cl_1', 'Leaves', {
  uidt: 'DateTime',
  storage: 'datetime',
  meta: { timezone: 'Europe/Berlin' },
});

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

function show(Input: ComponentType<FilterValueProps>, first: CellValue, column: ColumnEntity = berlin) {
  const onChange = jest.fn<(value: unknown) => void>();
  function Row() {
    const [value, setValue] = useState(first);
    return (
      <Input
        column={column}
        type={undefined}
        operator={{
          id: 'within',
          label: 'is within',
          arity: 'one',
          build: () => ({ kind: 'always', value: true }),
        }}
        value={value}
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

test('a chosen period begins where the days of the column begin', async () => {
  const { onChange, user } = show(PeriodInput, '');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'this month');
  expect(onChange).toHaveBeenLastCalledWith('this month in Europe/Berlin');
});

test('the last days are counted, and a field that is emptied on the way to a number does not filter', async () => {
  const { onChange, user } = show(PeriodInput, 'today');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'the last …');
  expect(onChange).toHaveBeenLastCalledWith('last 7 days');
  const count = screen.getByRole('spinbutton', { name: 'How many' });
  await user.clear(count);
  expect(onChange).toHaveBeenCalledTimes(1);
  await user.type(count, '30');
  expect(onChange).toHaveBeenLastCalledWith('last 30 days');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Unit' }), 'weeks');
  expect(onChange).toHaveBeenLastCalledWith('last 30 weeks');
});

test('an exact day is chosen from a calendar, from the day on that it is there now', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-30T20:00:00Z'));
  const { onChange, user } = show(PeriodInput, 'today in Asia/Tokyo');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'an exact day');
  expect(onChange).toHaveBeenLastCalledWith('2026-03-31 in Asia/Tokyo');
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2026-03-29' } });
  expect(onChange).toHaveBeenLastCalledWith('2026-03-29 in Asia/Tokyo');
});

test('a distance is a number and a unit', async () => {
  const { onChange, user } = show(DistanceInput, '');
  await user.type(screen.getByRole('spinbutton', { name: 'How many' }), '3');
  expect(onChange).toHaveBeenLastCalledWith('3 days in Europe/Berlin');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Unit' }), 'months');
  expect(onChange).toHaveBeenLastCalledWith('3 months in Europe/Berlin');
});
