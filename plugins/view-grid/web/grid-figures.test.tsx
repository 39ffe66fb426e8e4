import { describe, expect, test } from '@jest/globals';
import type { WebColumnType } from '@trellis/sdk/web';
import { aColumn, numberType, textType } from '@trellis/sdk/testing/web';
import { screen, waitFor } from '@testing-library/react';
import { focusGrid, prepareGridView, show, sum, table } from '../testing/grid-view.tsx';

prepareGridView();

describe('figures under a grid', () => {
  test('are shown under their columns, and read again after a write', async () => {
    const { user } = show({ columnOptions: { cl_age: { figure: 'sum' } } });
    expect(await screen.findByRole('button', { name: 'Age: Sum 81' })).toBeTruthy();
    focusGrid();
    await user.keyboard('{ArrowRight}40{Enter}');
    expect(await screen.findByRole('button', { name: 'Age: Sum 85' })).toBeTruthy();
  });

  test('are one stop for Tab, and the arrow keys go from one to the next', async () => {
    const { user } = show();
    const age = await screen.findByRole('button', { name: 'Choose a summary for Age' });
    const map = screen.getByRole('button', { name: 'Choose a summary for Map' });
    expect([age.tabIndex, map.tabIndex]).toEqual([0, -1]);
    age.focus();
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(map);
    expect([age.tabIndex, map.tabIndex]).toEqual([-1, 0]);
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(age);
  });

  test('are chosen from a menu under the column', async () => {
    const { user, server } = show();
    await user.click(await screen.findByRole('button', { name: 'Choose a summary for Age' }));
    expect(screen.getByRole('menuitemradio', { name: 'None', checked: true })).toBeTruthy();
    await user.click(screen.getByRole('menuitemradio', { name: 'Sum', checked: false }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([
        {
          method: 'PATCH',
          path: '/api/v1/db/meta/views/vw_1/columns/nc_1',
          body: { meta: { figure: 'sum' } },
        },
      ]),
    );
  });

  test('are offered under computed columns by the kind of what these give, and shown as their values are', async () => {
    const computed: WebColumnType = {
      ...numberType,
      id: 'Computed',
      label: 'Computed',
      storage: 'virtual',
    };
    const made = { uidt: 'Computed', virtual: true, storage: 'virtual' } as const;
    const { user } = show({
      types: [numberType, textType, computed],
      aggregations: [{ ...sum, accepts: ['decimal'] }],
      columnOptions: { cl_map: { figure: 'sum' } },
      columns: [
        ...(table.columns ?? []).slice(0, 2),
        aColumn('cl_map', 'Total', { ...made, asked: { uidt: 'Number', storage: 'decimal', meta: {} } }),
        aColumn('cl_text', 'Words', { ...made, asked: { uidt: 'Text', storage: 'text', meta: {} } }),
      ],
    });
    await user.click(await screen.findByRole('button', { name: 'Total: Sum 81' }));
    expect(screen.getByRole('menuitemradio', { name: 'Sum', checked: true })).toBeTruthy();
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Choose a summary for Words' }));
    expect(screen.queryByRole('menuitemradio', { name: 'Sum' })).toBeNull();
  });

  test('cannot be chosen where the view is only read', async () => {
    show({ readOnly: true, columnOptions: { cl_age: { figure: 'sum' } } });
    expect(await screen.findByText('81')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /figure|Sum/ })).toBeNull();
  });
});
