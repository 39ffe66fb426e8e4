import { describe, expect, jest, test } from '@jest/globals';
import type { UserEntity } from '@trellis/sdk/shared';
import { aColumn, numberType, textType } from '@trellis/sdk/testing/web';
import { act, screen, waitFor } from '@testing-library/react';
import {
  focusGrid,
  input,
  OwnLook,
  prepareGridView,
  project,
  show,
  table,
  view,
} from '../testing/grid-view.tsx';
import GridView from './GridView.tsx';

prepareGridView();

describe('a grid view', () => {
  test('shows the columns of the view with the values of the rows', async () => {
    show();
    expect(await screen.findByRole('gridcell', { name: 'Ada' })).toBeTruthy();
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
      '',
      'Name',
      'Age',
      'Map',
    ]);
  });

  test('columns for which nobody has chosen a width are as wide as their type says', async () => {
    show({
      columns: [
        ...(table.columns ?? []),
        aColumn('cl_new', 'New', { uidt: 'Number' }),
        aColumn('cl_note', 'Note'),
      ],
      types: [{ ...numberType, width: 90 }, textType],
    });
    const widthOf = (title: string) =>
      screen.getByRole('columnheader', { name: new RegExp(`^${title}`) }).style.width;
    await screen.findByRole('columnheader', { name: /^New/ });
    expect(['Age', 'New', 'Note'].map(widthOf)).toEqual(['120px', '90px', '180px']);
  });

  test('asks for rows and for their number apart, so that rows never wait', async () => {
    const { server } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    const rows = server.requests.filter((request) => request.path.endsWith('/views/vw_1'));
    expect(rows[0]?.query).toEqual({ offset: 0, limit: 100, count: 'false' });
    expect(server.requests.some((request) => request.path.endsWith('/views/vw_1/count'))).toBe(true);
  });

  test('says how many rows there are', async () => {
    const { server } = show();
    expect(await screen.findByText(`${server.rows.length} rows`)).toBeTruthy();
  });

  test('a column that somebody adds leaves the selection and what can be taken back', async () => {
    const { server, user, rerender } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{ArrowDown}Grace H{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(1));
    const columns = [...(table.columns ?? []), aColumn('cl_new', 'New', { uidt: 'Number' })];
    rerender(
      <OwnLook>
        <GridView project={project} table={{ ...table, columns }} view={view} readOnly={false} />
      </OwnLook>,
    );
    expect(await screen.findByRole('columnheader', { name: /^New/ })).toBeTruthy();
    expect(input().getAttribute('aria-label')).toBe('Name, new row');
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(server.written().at(-1)?.path).toContain('/undo'));
  });

  test('a column whose type is switched off shows its values and may not be changed', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'somewhere' });
    focusGrid();
    await user.keyboard('{End}x');
    expect(screen.getByRole('alert').textContent).toContain('The column type GeoShape is switched off');
    expect(server.written()).toEqual([]);
  });

  test('a cell that throws is laid at the door of the plugin that owns its type', async () => {
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    const Cell = () => {
      throw new Error('no stars tonight');
    };
    const { reports, toasts } = show({ types: [{ ...numberType, Cell }, textType] });
    await screen.findAllByRole('img', { name: /no stars tonight/ });
    expect(toasts).toHaveLength(1);
    expect(reports).toEqual([
      {
        source: { registry: 'columnTypes', id: 'Number' },
        where: 'column Age',
        error: new Error('no stars tonight'),
      },
    ]);
  });

  test('a cell that throws is not told twice to who looks after the plugins: the host tells them', async () => {
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    const Cell = () => {
      throw new Error('no stars tonight');
    };
    const user = { id: 'us_1', email: 'ann@example.com', roles: { super: true } } as unknown as UserEntity;
    const { reports, toasts } = show({ types: [{ ...numberType, Cell }, textType], user });
    await screen.findAllByRole('img', { name: /no stars tonight/ });
    expect(reports).toHaveLength(1);
    expect(toasts).toEqual([]);
  });

  test('what somebody else wrote is shown at once', async () => {
    const { receive } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    const event = { kind: 'rows', projectId: 'p_1', tableId: 'md_1', seq: 1, requestId: 'r' } as const;
    act(() => receive({ ...event, changes: [{ op: 'update', key: '2', row: { Age: 46 } }] }));
    expect(screen.getByRole('gridcell', { name: '46' })).toBeTruthy();
  });

  test('rows that somebody else added are read', async () => {
    const { receive, server } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.rows = [...server.rows, { Id: 3, Name: 'Radia', Age: null, Map: null }];
    const event = { kind: 'rows', projectId: 'p_1', tableId: 'md_1', seq: 1, requestId: 'r' } as const;
    act(() => receive({ ...event, changes: [{ op: 'insert', key: '3' }] }));
    expect(await screen.findByRole('gridcell', { name: 'Radia' })).toBeTruthy();
  });

  test('a read-only view offers no way to change anything', async () => {
    const { user } = show({ readOnly: true });
    await screen.findByRole('gridcell', { name: 'Ada' });
    expect(screen.queryByRole('button', { name: /Add a row/ })).toBeNull();
    focusGrid();
    await user.keyboard('x');
    expect(screen.getByRole('alert').textContent).toBe('This table is read-only for you.');
  });
});
