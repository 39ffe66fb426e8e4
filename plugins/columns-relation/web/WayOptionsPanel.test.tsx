import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { WayOptions } from '../shared/index.ts';
import { project, id, name, cities, link, countries, meta } from '../testing/countries.ts';
import { lackOfLink, lackOfLookup, lackOfRollup } from './lack-of.ts';
import { wayOptionsPanel } from './WayOptionsPanel.tsx';

afterEach(cleanup);

describe('a new column over a link', () => {
  const price = aColumn('cl_price', 'Price', { storage: 'decimal' });
  function propose(parts: { column: boolean; function: boolean }, others: readonly ColumnEntity[]) {
    const onChange = jest.fn();
    const Panel = wayOptionsPanel(parts);
    function Whole() {
      const [options, setOptions] = useState<WayOptions>({});
      const change = (next: WayOptions) => {
        setOptions(next);
        onChange(next);
      };
      return (
        <Panel options={options} project={project} table={countries} columns={[link]} onChange={change} />
      );
    }
    renderWithHost(<Whole />, {
      api: { [`GET ${meta}/tables/md_city`]: { ...cities, columns: others } },
    });
    return onChange;
  }

  const figure = { column: true, function: true };
  test.each([
    ['the sum of the first number', figure, [id, name, price], { columnId: 'cl_price', function: 'sum' }],
    ['the number of rows without one', figure, [name, id], { columnId: 'cl_id', function: 'count' }],
    [
      'the name of the rows for a lookup',
      { column: true, function: false },
      [id, name],
      { columnId: 'cl_name' },
    ],
  ])('proposes %s', async (_what, parts, others, proposed) => {
    const onChange = propose(parts, others);
    await waitFor(() =>
      expect(onChange).toHaveBeenLastCalledWith({ relationColumnId: 'cl_link', ...proposed }),
    );
  });

  test('proposes a column for the figure that was chosen, and leaves what was chosen alone', async () => {
    const onChange = propose(figure, [id, name, price]);
    const choice = await screen.findByRole('combobox', { name: 'Column of the linked rows' });
    await waitFor(() =>
      expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ function: 'sum' })),
    );
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Summary' }), 'Filled');
    await userEvent.selectOptions(choice, 'Title');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Summary' }), 'Average');
    expect(onChange).toHaveBeenLastCalledWith({
      relationColumnId: 'cl_link',
      columnId: 'cl_price',
      function: 'avg',
    });
  });
});

describe('what a new column over links still lacks', () => {
  test('is said by what is to be chosen, one after the other', () => {
    expect(lackOfLink({})).toBe('Choose the table to link to.');
    expect(lackOfLink({ link: { type: 'bt', parentId: 'md_city', childId: 'md_country' } })).toBeUndefined();
    const link = { relationColumnId: 'cl_cities' };
    expect([{}, link, { ...link, columnId: 'cl_title' }].map(lackOfLookup)).toEqual([
      'Choose the link that this goes over.',
      'Choose the column of the linked rows.',
      undefined,
    ]);
    expect(lackOfRollup(link)).toBe('Choose the summary.');
    expect(lackOfRollup({ ...link, function: 'sum', columnId: 'cl_title' })).toBeUndefined();
  });
});

describe('a column over a link', () => {
  test('asks for a link first where there is none', () => {
    const Panel = wayOptionsPanel({ column: true, function: false });
    renderWithHost(<Panel options={{}} columns={[id, name]} onChange={jest.fn()} />);
    expect(screen.getByText(/Add a column of the type “Link to another table” first/)).toBeTruthy();
  });

  test('goes over the only link there is without being told', async () => {
    const Panel = wayOptionsPanel({ column: true, function: false });
    const onChange = jest.fn();
    renderWithHost(<Panel options={{}} columns={[link, name]} onChange={onChange} />, {
      api: { [`GET ${meta}/tables/md_city`]: cities },
    });
    await waitFor(() => expect(onChange).toHaveBeenCalledWith({ relationColumnId: 'cl_link' }));
  });

  test('says which field is missing, or what the linked table lacks, where no column can be chosen', async () => {
    const Panel = wayOptionsPanel({ column: true, function: true });
    const other = { ...link, id: 'cl_other', title: 'Others' };
    const props = { columns: [link, other], onChange: jest.fn() };
    const api = { [`GET ${meta}/tables/md_city`]: { ...cities, columns: [name] } };
    const columnChoice = () => screen.getByRole('combobox', { name: 'Column of the linked rows' });
    const why = () => document.getElementById(columnChoice().getAttribute('aria-describedby') ?? '');
    renderWithHost(<Panel {...props} options={{}} />, { api });
    expect(columnChoice()).toHaveProperty('disabled', true);
    expect(why()?.textContent).toBe('The columns are there as soon as a link is chosen.');
    cleanup();
    renderWithHost(<Panel {...props} options={{ relationColumnId: 'cl_link', function: 'sum' }} />, { api });
    await waitFor(() => expect(why()?.textContent).toMatch(/^“City” has no column of numbers\./));
    expect(columnChoice()).toHaveProperty('disabled', true);
  });

  test('says why nothing of it can be chosen once it is made', async () => {
    const Panel = wayOptionsPanel({ column: true, function: true });
    renderWithHost(
      <Panel
        options={{ relationColumnId: 'cl_link', function: 'sum', columnId: 'cl_pop' }}
        column={aColumn('cl_sum', 'Sum', { uidt: 'Rollup', virtual: true })}
        columns={[link]}
        onChange={jest.fn()}
      />,
      { api: { [`GET ${meta}/tables/md_city`]: cities } },
    );
    await screen.findByText(/stays as it is\. For something else, add another column/);
    for (const choice of screen.getAllByRole('combobox')) expect(choice).toHaveProperty('disabled', true);
  });

  test('offers sums of numbers alone', async () => {
    const user = userEvent.setup();
    const Panel = wayOptionsPanel({ column: true, function: true });
    const onChange = jest.fn<(options: WayOptions) => void>();
    renderWithHost(
      <Panel
        options={{ relationColumnId: 'cl_link', function: 'sum' }}
        columns={[link]}
        onChange={onChange}
      />,
      { api: { [`GET ${meta}/tables/md_city`]: cities } },
    );
    const columns = screen.getByRole('combobox', { name: 'Column of the linked rows' });
    await within(columns).findByRole('option', { name: 'Pop' });
    expect(within(columns).queryByRole('option', { name: 'Title' })).toBeNull();
    // Nobody means a sum of keys.
    expect(within(columns).queryByRole('option', { name: 'Id' })).toBeNull();
    await user.selectOptions(columns, 'cl_pop');
    expect(onChange).toHaveBeenLastCalledWith({
      relationColumnId: 'cl_link',
      function: 'sum',
      columnId: 'cl_pop',
    });
  });
});
