import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { LinkOptions } from '../shared/index.ts';
import { project, cities, countries, meta } from '../testing/countries.ts';
import { LinkOptionsPanel } from './LinkOptionsPanel.tsx';

afterEach(cleanup);

describe('a new link', () => {
  test('names its tables by the way that was chosen in plain words', async () => {
    const user = userEvent.setup();
    const onChange = jest.fn();
    function Panel() {
      const [options, setOptions] = useState<LinkOptions>({});
      return (
        <LinkOptionsPanel
          options={options}
          project={project}
          table={countries}
          onChange={(next) => {
            setOptions(next);
            onChange(next);
          }}
        />
      );
    }
    renderWithHost(<Panel />, {
      api: { [`GET ${meta}/projects/${project.id}/tables`]: { list: [countries, cities] } },
    });
    await screen.findByRole('option', { name: 'City' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Table to link to' }), 'md_city');
    const made = { type: 'bt', parentId: 'md_city', childId: 'md_country', title: 'City' };
    expect(onChange).toHaveBeenLastCalledWith({ link: made });
    await user.click(
      screen.getByRole('radio', { name: /Country links to several rows of City, .* to one row here/ }),
    );
    expect(onChange).toHaveBeenLastCalledWith({
      link: { type: 'hm', parentId: 'md_country', childId: 'md_city', title: 'City' },
    });
  });

  test('says what becomes of its rows when a row that they point to is deleted', async () => {
    const user = userEvent.setup();
    const onChange = jest.fn();
    const link = { type: 'hm', parentId: 'md_country', childId: 'md_city', title: 'City' } as const;
    renderWithHost(
      <LinkOptionsPanel options={{ link }} project={project} table={countries} onChange={onChange} />,
      { api: { [`GET ${meta}/projects/${project.id}/tables`]: { list: [countries, cities] } } },
    );
    const deleted = screen.getByRole('combobox', { name: 'When a row of Country is deleted' });
    await user.selectOptions(deleted, 'Delete the linked rows as well');
    expect(onChange).toHaveBeenLastCalledWith({ link: { ...link, onDelete: 'cascade' } });
  });
});

describe('a link that is there', () => {
  const column = (virtual: boolean | null) =>
    ({
      id: 'cl_cities',
      title: 'Cities',
      uidt: 'LinkToAnotherRecord',
      colOptions: { type: 'hm', fk_related_model_id: 'md_city', dr: 'restrict', ur: null, virtual },
    }) as unknown as ColumnEntity;
  const show = (of: ColumnEntity, onChange = jest.fn()) => {
    renderWithHost(
      <LinkOptionsPanel options={{}} project={project} table={countries} column={of} onChange={onChange} />,
      { api: { [`GET ${meta}/tables/md_city`]: cities } },
    );
    return screen.getByRole<HTMLSelectElement>('combobox', { name: 'When a row of Country is deleted' });
  };

  test('can do something else with its rows when a row that they point to is deleted', async () => {
    const onChange = jest.fn();
    await userEvent.setup().selectOptions(show(column(null), onChange), 'Delete the linked rows as well');
    expect(onChange).toHaveBeenLastCalledWith({ link: { onDelete: 'cascade', onUpdate: undefined } });
  });

  test('does nothing with its rows where the database does not watch over it', () => {
    expect(show(column(true)).disabled).toBe(true);
  });
});
