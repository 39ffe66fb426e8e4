import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AskedAs, FilterNode } from '@trellis/sdk/shared';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import type { WebColumnType, WebFilterOperator } from '@trellis/sdk/web';
import { FilterEditor } from '@trellis/sdk/web/views';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { webItems } from './web-items.ts';

let types: readonly WebColumnType[] = [];
let operators: readonly WebFilterOperator[] = [];
beforeAll(async () => {
  types = await webItems('columnTypes');
  operators = await webItems('filterOperators');
});
afterEach(cleanup);
afterAll(() => {
  [types, operators] = [[], []];
});

const option = (title: string) => ({ id: `sl_${title}`, title, color: '#cfdffe' });
const computed = (uidt: string, title: string, asked?: AskedAs) =>
  aColumn(`cl_${title}`, title, {
    uidt,
    virtual: true,
    storage: 'virtual',
    ...(asked && { asked }),
  });
const columns = [
  computed('Formula', 'Unknown'),
  computed('Formula', 'Due', { uidt: 'Date', storage: 'date', meta: { date_format: 'DD.MM.YYYY' } }),
  computed('Formula', 'Long', { uidt: 'Checkbox', storage: 'boolean', meta: {} }),
  computed('Rollup', 'Average', { uidt: 'Number', storage: 'float', meta: {} }),
  computed('Formula', 'Loud', { uidt: 'SingleLineText', storage: 'text', meta: {} }),
  computed('Lookup', 'Moods', {
    uidt: 'SingleSelect',
    storage: 'text',
    meta: { options: ['Happy', 'Tired'].map(option) },
    several: true,
  }),
];

/** A condition that somebody begins on a column; gives what it says at last. */
async function begin(title: string) {
  let kept: readonly FilterNode[] = [];
  function Filters() {
    const [value, setValue] = useState(kept);
    return (
      <FilterEditor
        emptyText="None"
        {...{ columns, value }}
        onChange={(next) => {
          kept = next;
          setValue(next);
        }}
      />
    );
  }
  renderWithHost(<Filters />, {
    registries: { columnTypes: [...types], filterOperators: [...operators] },
  });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Add filter' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Column to filter by' }), title);
  const comparison = screen.getByRole('combobox', { name: 'Comparison' });
  return {
    user,
    offered: () => [...comparison.querySelectorAll('option')].map(({ textContent }) => textContent),
    compare: (label: string) => user.selectOptions(comparison, label),
    asked: () => kept.map((node) => node.kind === 'condition' && [node.columnId, node.operator, node.value]),
  };
}

test('a formula that gives days is asked by days: from a calendar, and by the day on which rows are read', async () => {
  const { user, offered, compare, asked } = await begin('Due');
  expect(offered()).toEqual(
    expect.arrayContaining([
      'is within',
      'is longer ago than',
      'is further ahead than',
      'is between',
      'is empty',
    ]),
  );
  const day = document.querySelector('.tr-filter-editor input[type=date]');
  fireEvent.change(day as Element, { target: { value: '2026-03-04' } });
  fireEvent.blur(day as Element);
  expect(asked()).toEqual([['cl_Due', 'eq', '2026-03-04']]);
  await compare('is within');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'this month');
  expect(asked()).toEqual([['cl_Due', 'within', expect.stringContaining('this month')]]);
});

test('a formula that says yes or no is asked for one of them', async () => {
  const { user, offered, asked } = await begin('Long');
  expect(offered()).not.toContain('contains');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Value' }), 'checked');
  expect(asked()).toEqual([['cl_Long', 'eq', 'true']]);
});

test('a figure is asked for a number, with a fraction where it has one, and for nothing else', async () => {
  const { user, offered, compare, asked } = await begin('Average');
  expect(offered()).toContain('is between');
  await compare('gt');
  const value = screen.getByRole('textbox', { name: 'Value' });
  await user.type(value, 'abc{Enter}');
  expect(screen.getByText(/^Average must be a number/)).toBeTruthy();
  expect(asked()).toEqual([['cl_Average', 'gt', '']]);
  await user.clear(value);
  await user.type(value, '2.5{Enter}');
  expect(asked()).toEqual([['cl_Average', 'gt', '2.5']]);
});

test('a formula that gives texts is asked as a text is', async () => {
  const { offered } = await begin('Loud');
  expect(offered().slice(0, 2)).toEqual(['contains', 'does not contain']);
  expect(offered()).toContain('is empty');
});

test('a lookup of a list is asked for its options', async () => {
  const { user, compare, asked } = await begin('Moods');
  await compare('has any of');
  await user.click(screen.getByRole('button', { name: /^Moods/ }));
  await user.click(await screen.findByRole('option', { name: 'Tired' }));
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(asked()).toEqual([['cl_Moods', 'anyof', 'Tired']]);
});

test('a column of which nobody knows what it gives is asked as its own type says', async () => {
  const { offered } = await begin('Unknown');
  expect(offered()).toEqual(expect.arrayContaining(['is equal', 'contains', '>']));
});
