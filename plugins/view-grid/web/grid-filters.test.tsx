import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@trellis/sdk/web';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { input, prepareGridView, show } from '../testing/grid-view.tsx';

prepareGridView();

describe('a grid with filters', () => {
  test('without a row that meets its filters offers to clear them, and to have them back', async () => {
    const { server, user, toasts } = show({
      filters: [{ id: 'fi_1', fk_column_id: 'cl_name', comparison_op: 'eq', value: 'Nobody' }],
    });
    server.rows.splice(0);
    await screen.findByText('No rows match the filters');
    const [sent, filter] = [() => server.requests.filter(({ method }) => method === 'PUT'), { id: 'fi_1' }];
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(document.activeElement).toBe(input());
    await waitFor(() => expect(toasts.at(-1)?.action?.label).toBe('Undo'));
    toasts.at(-1)?.action?.run();
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent().map(({ body }) => body)).toMatchObject([
      { list: [], replaces: [filter] },
      { list: [filter], replaces: [] },
    ]);
  });

  test('forgets what was ticked once other rows are shown: nobody deletes what they do not see', async () => {
    const { server, host } = show();
    fireEvent.pointerMove(await screen.findByRole('gridcell', { name: 'Ada' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }));
    expect(screen.getByText('1 row selected')).toBeTruthy();
    server.filters = [{ id: 'fi_1', fk_column_id: 'cl_name', comparison_op: 'eq', value: 'Grace' }];
    server.rows = server.rows.slice(1);
    act(() => host.invalidate(['view:vw_1']));
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull());
    expect(screen.queryByText('1 row selected')).toBeNull();
  });

  test('offers nothing to those whose filters they are not', async () => {
    const { server } = show({ role: 'viewer', filters: [{ id: 'fi_1', fk_column_id: 'cl_name' }] });
    server.rows.splice(0);
    await screen.findByText('No rows match the filters');
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  });

  test('rows that a filter of a plugin that is off holds back are shown without it, to this person alone', async () => {
    const { server, user } = show({ filterIsOff: true });
    await user.click(await screen.findByRole('button', { name: 'Show without this filter' }));
    expect(await screen.findByRole('gridcell', { name: 'Ada' })).toBeTruthy();
    expect(
      screen.getByText(/Shown without the filters whose plugin is switched off or removed/),
    ).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Apply all filters' }));
    expect(await screen.findByRole('button', { name: 'Show without this filter' })).toBeTruthy();
    expect(server.written()).toEqual([]);
  });

  test('rows shown without a filter that does not fit say so, until the filters are others', async () => {
    const { server, user, host } = show({ filterIsOff: true });
    server.filterRefusal = new ApiError(409, 'The filter does not fit.', 'FILTER_UNFIT');
    await user.click(await screen.findByRole('button', { name: 'Show without this filter' }));
    expect(await screen.findByText(/Shown without the filters whose value does not fit/)).toBeTruthy();
    server.filterIsOff = false;
    server.filters = [{ id: 'fi_new' }];
    act(() => host.invalidate(['view:vw_1']));
    await waitFor(() => expect(screen.queryByText(/Shown without the filters/)).toBeNull());
    expect(await screen.findByRole('gridcell', { name: 'Ada' })).toBeTruthy();
  });
});
