import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type {
  Aggregation,
  ColumnEntity,
  FilterEntity,
  ProjectEntity,
  Row,
  SortEntity,
  UserEntity,
  ViewEntity,
} from '@trellis/sdk/shared';
import { RowPanelToken, ApiError, type WebColumnType } from '@trellis/sdk/web';
import {
  aColumn,
  aProject,
  aTable,
  FakeResponse,
  numberType,
  renderWithHost,
  textType,
} from '@trellis/sdk/testing/web';
import { OwnLookContext, useNewOwnLook } from '@trellis/sdk/web/views';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { FakeGridServer } from '../testing/fake-grid-server.ts';
import { gridView } from '../shared/index.ts';
import GridView from './GridView.tsx';

const table = aTable([
  aColumn('cl_id', 'Id', { uidt: 'Number', pk: true, ai: true }),
  aColumn('cl_name', 'Name', { pv: true }),
  aColumn('cl_age', 'Age', { uidt: 'Number' }),
  aColumn('cl_map', 'Map', { uidt: 'GeoShape' }),
]);
const project = aProject();
const view = { id: 'vw_1', title: 'Grid' } as ViewEntity;

const sum: Aggregation = {
  id: 'sum',
  label: 'Sum',
  accepts: 'any',
  format: 'column',
  build: (of) => ({ kind: 'aggregate', aggregate: 'sum', of }),
};

/** As a view stands in the tab of its table. */
function OwnLook({ children }: { readonly children: ReactNode }) {
  return <OwnLookContext value={useNewOwnLook()}>{children}</OwnLookContext>;
}

function show(
  options: {
    readOnly?: boolean;
    types?: readonly WebColumnType[];
    user?: UserEntity;
    filterIsOff?: boolean;
    groupsRefusal?: ApiError;
    columns?: readonly ColumnEntity[];
    role?: ProjectEntity['role'];
    meta?: ViewEntity['meta'];
    lock?: ViewEntity['lock_type'];
    sorts?: readonly Partial<SortEntity>[];
    filters?: readonly Partial<FilterEntity>[];
    columnOptions?: Readonly<Record<string, object>>;
    rows?: readonly Row[];
    aggregations?: readonly Aggregation[];
  } = {},
) {
  const server = new FakeGridServer();
  server.filterIsOff = options.filterIsOff === true;
  server.groupsRefusal = options.groupsRefusal;
  server.sorts = options.sorts ?? [];
  server.filters = options.filters ?? [];
  server.columnOptions = options.columnOptions ?? {};
  if (options.rows !== undefined) server.rows = [...options.rows];
  const of = aProject({ role: options.role ?? project.role });
  const { types = [numberType, textType], readOnly = false } = options;
  const shown = { ...table, columns: options.columns ?? table.columns };
  const memory = renderWithHost(
    <OwnLook>
      <GridView
        project={of}
        table={shown}
        view={{ ...view, lock_type: options.lock ?? 'collaborative', meta: options.meta ?? null }}
        readOnly={readOnly}
      />
    </OwnLook>,
    {
      registries: {
        columnTypes: types,
        aggregations: options.aggregations ?? [sum],
        viewTypes: [{ ...gridView, icon: 'table', View: GridView }],
      },
      ...(options.user && { user: options.user }),
      api: (request) => {
        const body = server.answer(request);
        const isWrite = request.method !== 'GET';
        return isWrite
          ? new FakeResponse(body, { 'x-trellis-operation': `op${server.requests.length}` })
          : body;
      },
    },
  );
  return { server, user: userEvent.setup(), ...memory };
}

beforeEach(() => {
  // What a tab keeps for undo.
  sessionStorage.clear();
  localStorage.clear();
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  Object.assign(window, { CSS: { escape: (id: string) => id } });
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

const input = (): HTMLElement => screen.getByRole('textbox');
const focusGrid = (): void => act(() => input().focus());

describe('a grid view', () => {
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

  test('offers nothing to those whose filters they are not', async () => {
    const { server } = show({ role: 'viewer', filters: [{ id: 'fi_1', fk_column_id: 'cl_name' }] });
    server.rows.splice(0);
    await screen.findByText('No rows match the filters');
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  });

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

  test('writes a single cell to its row by title and takes over what the server made of it', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{ArrowRight}37{Enter}');
    await waitFor(() => expect(screen.getByRole('gridcell', { name: '37' })).toBeTruthy());
    expect(server.written()).toMatchObject([
      { method: 'PATCH', path: '/api/v1/db/data/noco/p_1/md_1/views/vw_1/1', body: { Age: 37 } },
    ]);
  });

  test('writes cells of several rows in one call', async () => {
    const { server } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    fireEvent.paste(input(), {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'A\t1\nB\t2\n' : '') },
    });
    await waitFor(() => expect(screen.getByRole('gridcell', { name: 'B' })).toBeTruthy());
    expect(server.written()).toMatchObject([
      {
        method: 'PATCH',
        path: '/api/v1/db/data/bulk/noco/p_1/md_1',
        body: [
          { Id: '1', Name: 'A', Age: 1 },
          { Id: '2', Name: 'B', Age: 2 },
        ],
      },
    ]);
  });

  test('keeps what was typed at its cell when the server refuses it', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.refusal = new ApiError(400, 'Age must be below 200');
    focusGrid();
    await user.keyboard('{ArrowRight}999{Enter}{ArrowUp}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Age must be below 200'));
    expect(screen.getByRole('gridcell', { name: '999' }).getAttribute('aria-invalid')).toBe('true');
  });

  test('shows what was typed and not taken when the grid goes away, to be copied', async () => {
    const { server, user, unmount, questions } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.refusal = new ApiError(404, 'Table not found', 'TABLE_NOT_FOUND');
    focusGrid();
    await user.keyboard('half typed');
    unmount();
    await waitFor(() => expect(questions).toHaveLength(1));
    expect(questions[0]).toMatchObject({ title: 'What you entered was not saved', confirmLabel: 'Copy' });
    const { container } = render(questions[0]?.message);
    expect(container.textContent).toBe('half typedName: Table not found');
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('half typed'));
  });

  test('adds a row at the end and goes there', async () => {
    const { user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: /Add a row/ }));
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
  });

  test('a row that comes late leaves the focus in a panel that was opened meanwhile', async () => {
    show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    render(
      <div role="dialog" aria-modal="true">
        <button>Inside</button>
      </div>,
    );
    fireEvent.click(screen.getByRole('button', { name: /Add a row/ }));
    const inside = screen.getByRole('button', { name: 'Inside' });
    inside.focus();
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
    expect(document.activeElement).toBe(inside);
  });

  test('a row that needs a value is filled in at the side before it is added', async () => {
    const columns = (table.columns ?? []).map((each) =>
      each.id === 'cl_name' ? { ...each, rqd: true } : each,
    );
    const { server, services, user } = show({ columns });
    const open = jest.fn();
    services.bind(RowPanelToken, { value: { open } });
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: /Add a row/ }));
    expect(open).toHaveBeenCalledWith(
      expect.objectContaining({ rowKey: undefined, table: { ...table, columns } }),
    );
    expect(server.written()).toEqual([]);
  });

  test('a row that filters hide is the one that is typed into, and the person is told', async () => {
    const { server, user, toasts } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.hidesNewRows = true;
    await user.click(screen.getByRole('button', { name: /Add a row/ }));
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
    await user.keyboard('Eve{Enter}');
    await waitFor(() =>
      expect(server.written().at(-1)).toMatchObject({
        path: expect.stringMatching(/vw_1\/3$/),
        body: { Name: 'Eve' },
      }),
    );
    expect(toasts[0]?.summary).toMatch(/stays at the end for now/);
    expect(screen.getByText('2 rows')).toBeTruthy();
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

  test('adds the rows that were pasted past the end', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{ArrowDown}');
    fireEvent.paste(input(), {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'G\nAlan\nBarbara' : '') },
    });
    await screen.findByRole('gridcell', { name: 'Barbara' });
    expect(server.rows.map((row) => row.Name)).toEqual(['Ada', 'G', 'Alan', 'Barbara']);
  });

  test('takes back a paste in one step: what it changed, what it added, and what it marked', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{ArrowDown}');
    fireEvent.paste(input(), {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'G\tx\nAlan\ty' : '') },
    });
    await screen.findByRole('gridcell', { name: 'Alan' });
    await waitFor(() => expect(screen.getByRole('gridcell', { name: 'y' })).toBeTruthy());
    expect(screen.getByText(/2 cells were not taken/)).toBeTruthy();
    const before = server.written().length;
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(server.written()).toHaveLength(before + 2));
    expect(
      server
        .written()
        .slice(before)
        .map(({ path }) => path),
    ).toEqual([expect.stringContaining('/undo'), expect.stringContaining('/undo')]);
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'x' })).toBeNull());
    expect(screen.queryByText(/were not taken/)).toBeNull();
  });

  test('tells how many cells of a paste the server refused', async () => {
    const { server } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.refusal = new ApiError(400, 'Too short.');
    focusGrid();
    fireEvent.paste(input(), {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'A\nB' : '') },
    });
    expect(await screen.findByText(/2 cells were not taken/)).toBeTruthy();
  });

  test('duplicates a row with what can be written of it, as one step', async () => {
    const { server, user, toasts } = show();
    const cell = await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.contextMenu(cell, { clientX: 100, clientY: 50 });
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Duplicate row',
      'Add a row at the end',
      'Delete row',
    ]);
    await user.click(screen.getByRole('menuitem', { name: 'Duplicate row' }));
    await waitFor(() => expect(toasts[0]?.summary).toBe('Row duplicated.'));
    expect(server.written().at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/v1/db/data/bulk/noco/p_1/md_1/copies',
      body: [{ of: '1', values: { Name: 'Ada', Age: 36 } }],
    });
    expect(JSON.stringify(server.written().at(-1)?.body)).not.toContain('Id');
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
  });

  test('deletes ticked rows after a question and offers to take it back', async () => {
    const { server, user, toasts, questions } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.pointerMove(screen.getByRole('gridcell', { name: 'Ada' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull());
    expect(questions[0]).toMatchObject({
      title: 'Delete this row?',
      message: 'You can take it back with Undo.',
    });
    toasts[0]?.action?.run();
    await waitFor(() => expect(server.written().at(-1)?.path).toMatch(/operations\/p_1\/op\d+\/undo$/));
  });

  test('promises no undo of a deletion where a column cannot tell what else goes', async () => {
    const warnOfDeletion = () => Promise.reject(new Error('no network'));
    const { user, questions } = show({ types: [numberType, { ...textType, warnOfDeletion }] });
    await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.pointerMove(screen.getByRole('gridcell', { name: 'Ada' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() =>
      expect(questions[0]?.message).toBe(
        'It could not be found out what else changes with “Name”; Undo may not bring all of it back.',
      ),
    );
  });

  test('the offer to take a deletion back takes nothing else back once something else was done', async () => {
    const { server, user, toasts } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.pointerMove(screen.getByRole('gridcell', { name: 'Ada' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(toasts).toHaveLength(1));
    focusGrid();
    // The row that was selected is gone, and so is the selection until somebody moves.
    await user.keyboard('{ArrowDown}Eve{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(2));
    toasts[0]?.action?.run();
    await waitFor(() => expect(toasts[1]?.summary).toMatch(/not your last change/));
    expect(server.written().filter(({ path }) => path.includes('/undo'))).toEqual([]);
  });

  test('Ctrl+Z takes the last write back, and says so when there is none', async () => {
    const { server, user, toasts } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(toasts[0]?.summary).toBe('Nothing to undo.'));
    await user.keyboard('Eve{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(1));
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

  test('the menu of a title sorts and hides', async () => {
    const { server, user } = show({ role: 'editor' });
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Sort ascending',
      'Sort descending',
      // Groups of the view are for those who design it; others have their own.
      'Group by this column',
      'Move right',
      'Hide column',
    ]);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() =>
      expect(server.written()).toMatchObject([
        {
          method: 'POST',
          path: '/api/v1/db/meta/views/vw_1/sorts',
          body: { fk_column_id: 'cl_age', direction: 'desc' },
        },
      ]),
    );
    expect(screen.queryByRole('menu')).toBeNull();
  });

  test.each([
    ['a locked view', { role: 'creator', lock: 'locked' }],
    ['a view that one may only look at', { role: 'viewer', readOnly: true }],
  ] as const)(
    'the menu of a title sorts and groups %s for oneself, and offers no more',
    async (_what, of) => {
      const { server, user } = show(of);
      await screen.findByRole('gridcell', { name: 'Ada' });
      const openMenu = () => user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
      const entries = () => screen.getAllByRole('menuitem').map((item) => item.textContent);
      await openMenu();
      expect(entries().filter((entry) => /Hide|Move|Freeze/.test(entry))).toEqual([]);
      await user.click(screen.getByRole('menuitem', { name: 'Sort descending' }));
      const asked = () => server.requests.filter(({ path }) => path.includes('/data/')).at(-1)?.query;
      const sortArrJson = JSON.stringify([{ fk_column_id: 'cl_age', direction: 'desc' }]);
      await waitFor(() => expect(asked()).toMatchObject({ sortArrJson }));
      expect(screen.getByRole('columnheader', { name: /Age/ }).getAttribute('aria-sort')).toBe('descending');
      await openMenu();
      await user.click(screen.getByRole('menuitem', { name: 'Group by this column' }));
      const groupArrJson = JSON.stringify([{ fk_column_id: 'cl_age', direction: 'asc' }]);
      await waitFor(() => expect(asked()).toMatchObject({ groupArrJson }));
      await openMenu();
      await user.click(screen.getByRole('menuitem', { name: 'Do not sort by it' }));
      await waitFor(() => expect(asked()).not.toHaveProperty('sortArrJson'));
      expect(server.written()).toEqual([]);
    },
  );

  test('who designs the table renames a column in its title, from the menu or by a double click', async () => {
    const { server, user } = show({ role: 'creator' });
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
    await user.click(screen.getByRole('menuitem', { name: 'Rename column' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Title of column Age'));
    await user.keyboard('Years{Enter}');
    await waitFor(() =>
      expect(server.written()).toMatchObject([
        { method: 'PATCH', path: '/api/v1/db/meta/columns/cl_age', body: { title: 'Years' } },
      ]),
    );
    await user.dblClick(screen.getByRole('columnheader', { name: /^Age/ }));
    await user.keyboard('Nothing of it{Escape}');
    expect(screen.queryByLabelText('Title of column Age')).toBeNull();
    expect(server.written()).toHaveLength(1);
  });

  test('the first columns stay in sight as the view says, and up to where somebody says', async () => {
    const { server, user } = show({ role: 'owner', meta: { frozenColumns: 2, colour: 'kept' } });
    await screen.findByRole('gridcell', { name: 'Ada' });
    const frozen = document.querySelectorAll('.tgrid-header .tgrid-frozen [role=columnheader]');
    expect([...frozen].map((each) => each.textContent)).toEqual(['', 'Name', 'Age']);
    await user.click(screen.getByRole('button', { name: 'Menu of column Name' }));
    await user.click(screen.getByRole('menuitem', { name: 'Freeze up to here' }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([
        {
          method: 'PATCH',
          path: '/api/v1/db/meta/views/vw_1',
          // What others changed meanwhile stays: the server merges.
          body: {
            meta: { frozenColumns: 1, colour: 'kept' },
            meta_before: { frozenColumns: 2, colour: 'kept' },
          },
        },
      ]),
    );
  });

  test('a column that the rows are sorted by says so, and is sorted by no more when somebody says so', async () => {
    const { server, user } = show({ sorts: [{ id: 'so_1', fk_column_id: 'cl_age', direction: 'desc' }] });
    const header = await screen.findByRole('columnheader', { name: /^Age.*Sorted descending/ });
    expect(header.getAttribute('aria-sort')).toBe('descending');
    await user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
    await user.click(screen.getByRole('menuitem', { name: 'Do not sort by it' }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([{ method: 'DELETE', path: '/api/v1/db/meta/sorts/so_1' }]),
    );
  });
});

describe('the menu of a title', () => {
  afterEach(() => document.documentElement.removeAttribute('dir'));

  test.each([
    ['ltr', 'Move right'],
    ['rtl', 'Move left'],
  ])('names the side to which a column goes on a page that runs %s', async (dir, name) => {
    document.documentElement.dir = dir;
    const { user } = show({ role: 'editor' });
    await user.click(await screen.findByRole('button', { name: 'Menu of column Age' }));
    const moves = screen.getAllByRole('menuitem', { name: /^Move/ });
    expect(moves.map((item) => item.textContent)).toEqual([name]);
  });

  test.each([
    ['Group by this column', [], [{ columnId: 'cl_age', direction: 'asc' }]],
    ['Do not group by it', [{ columnId: 'cl_age', direction: 'asc' }], []],
  ])('%s', async (name, before, after) => {
    const { server, user } = show({ role: 'owner', meta: { groups: before } });
    await user.click(await screen.findByRole('button', { name: 'Menu of column Age' }));
    await user.click(screen.getByRole('menuitem', { name }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([{ method: 'PATCH', body: { meta: { groups: after } } }]),
    );
  });
});

describe('a grouped grid', () => {
  const meta = { groups: [{ columnId: 'cl_name', direction: 'desc' }] };
  const columnOptions = { cl_age: { figure: 'sum' } };

  test('shows its rows under the heads of their groups, with figures over each', async () => {
    show({ meta, columnOptions });
    const heads = await screen.findAllByRole('button', { name: /^Hide the rows of/, expanded: true });
    expect(heads.map((head) => head.getAttribute('aria-label'))).toEqual([
      'Hide the rows of Grace',
      'Hide the rows of Ada',
    ]);
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('NameGrace1'),
      expect.stringContaining('Grace45'),
      expect.stringContaining('NameAda1'),
      expect.stringContaining('Ada36'),
      expect.stringContaining('Add a row'),
    ]);
    expect(rows[0]?.textContent).toContain('45');
  });

  test('hides the rows of a group and remembers it, and those of all', async () => {
    const { user } = show({ meta });
    await user.click(await screen.findByRole('button', { name: 'Hide the rows of Grace' }));
    expect(screen.queryByRole('gridcell', { name: 'Grace' })).toBeNull();
    expect(screen.getByRole('gridcell', { name: 'Ada' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Collapse all' }));
    expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Expand all' }));
    expect(await screen.findByRole('gridcell', { name: 'Grace' })).toBeTruthy();
  });

  test('has three levels, each with counts and figures, which collapse one inside the other', async () => {
    const by = (columnId: string) => ({ columnId, direction: 'asc' });
    const row = (Id: number, Name: string, Map: string, Age: number): Row => ({ Id, Name, Map, Age });
    const { user } = show({
      meta: { groups: [by('cl_name'), by('cl_map'), by('cl_age')] },
      columnOptions,
      rows: [
        row(1, 'Ada', 'here', 36),
        row(2, 'Ada', 'here', 36),
        row(3, 'Ada', 'there', 7),
        row(4, 'Bo', 'here', 1),
      ],
    });
    await screen.findByRole('button', { name: 'Hide the rows of Bo' });
    /** Level, name, count and figure of each head in sight. */
    const heads = () =>
      screen
        .getAllByRole('row')
        .filter((of) => of.hasAttribute('aria-expanded'))
        .map((of) => `${of.getAttribute('aria-level')} ${of.textContent}`);
    const all = heads();
    expect(all).toEqual([
      expect.stringMatching(/^1 NameAda3.*79$/),
      expect.stringMatching(/^2 Maphere2.*72$/),
      expect.stringMatching(/^3 Age362.*72$/),
      expect.stringMatching(/^2 Mapthere1.*7$/),
      expect.stringMatching(/^3 Age71.*7$/),
      expect.stringMatching(/^1 NameBo1.*1$/),
      expect.stringMatching(/^2 Maphere1.*1$/),
      expect.stringMatching(/^3 Age11.*1$/),
    ]);
    const [inner] = screen.getAllByRole('button', { name: 'Hide the rows of here' });
    await user.click(inner as HTMLElement);
    expect(heads()).toHaveLength(7);
    expect(screen.getAllByRole('gridcell', { name: 'Ada' })).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Hide the rows of Ada' }));
    expect(heads().map((head) => head.slice(0, 6))).toEqual(['1 Name', '1 Name', '2 Maph', '3 Age1']);
    // What was collapsed inside is collapsed still.
    await user.click(screen.getByRole('button', { name: 'Show the rows of Ada' }));
    expect(heads()).toHaveLength(7);
    await user.click(screen.getByRole('button', { name: 'Expand all' }));
    expect(heads()).toEqual(all);
  });

  test('is a tree to screen readers, whose heads and rows are counted together', async () => {
    show({ meta });
    await screen.findByRole('gridcell', { name: 'Ada' });
    expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('5');
    const rows = screen.getAllByRole('row').slice(1, 5);
    const facts = rows.map((row) => ['aria-rowindex', 'aria-level'].map((name) => row.getAttribute(name)));
    expect(facts).toEqual([
      ['2', '1'],
      ['3', '2'],
      ['4', '1'],
      ['5', '2'],
    ]);
    expect(rows[0]?.getAttribute('aria-expanded')).toBe('true');
  });

  test('is folded by keys: from a row, and from head to head', async () => {
    const { user } = show({ meta });
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(screen.queryByRole('gridcell', { name: 'Grace' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show the rows of Grace' }));
    await user.keyboard('{ArrowDown}{ArrowLeft}');
    expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull();
    await user.keyboard('{ArrowUp}{ArrowRight}');
    expect(screen.getByRole('gridcell', { name: 'Grace' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(input());
  });

  test('forgets what was collapsed of groups that it has no more', async () => {
    const { user, host } = show({ meta });
    const kept = () => host.userStorageOf('host').get('groups.collapsed-by.vw_1');
    await user.click(await screen.findByRole('button', { name: 'Hide the rows of Grace' }));
    expect(kept()).toEqual({ by: 'cl_name', keys: [expect.any(String)] });
    await user.click(screen.getByRole('button', { name: 'Show the rows of Grace' }));
    expect(kept()).toBeUndefined();
  });

  test('adds a row with what the rows of a group have in common', async () => {
    const { user, server } = show({ meta });
    await user.click(await screen.findByRole('button', { name: 'Add a row to Grace' }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([{ method: 'POST', body: { Name: 'Grace' } }]),
    );
  });

  test('leads by the keyboard from row to row, whatever stands between them', async () => {
    show({ meta });
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await userEvent.keyboard('{ArrowDown}');
    const active = input().getAttribute('aria-activedescendant') ?? '';
    expect(document.getElementById(active)?.textContent).toBe('Ada');
  });
});

describe('groups that cannot be read', () => {
  const meta = { groups: [{ columnId: 'cl_name', direction: 'desc' }] };

  test('are told of, and the rows are shown without them to this person alone', async () => {
    const { server, user } = show({ meta, groupsRefusal: new ApiError(409, 'More than 5,000 groups.') });
    expect((await screen.findByRole('alert')).textContent).toContain('More than 5,000 groups.');
    expect(await screen.findByRole('gridcell', { name: 'Ada' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show without groups' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(await screen.findByText('2 rows')).toBeTruthy();
    server.groupsRefusal = undefined;
    await user.click(screen.getByRole('button', { name: 'Show groups' }));
    expect(await screen.findByRole('button', { name: 'Hide the rows of Grace' })).toBeTruthy();
    expect(server.written()).toEqual([]);
  });
});

describe('the selection of a grouped grid', () => {
  const meta = { groups: [{ columnId: 'cl_name', direction: 'desc' }] };
  const activeText = (): string | null | undefined =>
    document.getElementById(input().getAttribute('aria-activedescendant') ?? '')?.textContent;

  test('is nowhere while its row is hidden: what is typed goes to no other row', async () => {
    const { server, user } = show({ meta });
    await screen.findByRole('gridcell', { name: 'Grace' });
    focusGrid();
    await user.keyboard('{ArrowRight}');
    await user.click(await screen.findByRole('button', { name: 'Hide the rows of Grace' }));
    focusGrid();
    await user.keyboard('7{Enter}');
    expect(server.written()).toEqual([]);
    expect(activeText()).toBeUndefined();
    await user.keyboard('{ArrowDown}');
    expect(activeText()).toBe('36');
  });

  test('stays with its row when that moves to another place', async () => {
    const { server, user } = show({ meta });
    await screen.findByRole('gridcell', { name: 'Grace' });
    focusGrid();
    await user.keyboard('Aaa{Enter}');
    expect(activeText()).toBe('Ada');
    await waitFor(() =>
      expect(screen.getAllByRole('gridcell', { name: /Ada|Aaa/ })[0]?.textContent).toBe('Ada'),
    );
    expect(activeText()).toBe('Ada');
    await user.keyboard('Zed{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(2));
    expect(server.written()[1]).toMatchObject({
      path: expect.stringMatching(/vw_1\/1$/),
      body: { Name: 'Zed' },
    });
  });

  test('goes to a row that is added to a collapsed group, which opens', async () => {
    const { server, user } = show({ meta });
    await user.click(await screen.findByRole('button', { name: 'Hide the rows of Grace' }));
    focusGrid();
    await user.click(await screen.findByRole('button', { name: 'Add a row to Grace' }));
    await screen.findByRole('button', { name: 'Hide the rows of Grace' });
    await waitFor(() => expect(document.activeElement).toBe(input()));
    await user.keyboard('Gwen{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(2));
    expect(server.written()[1]).toMatchObject({
      path: expect.stringMatching(/vw_1\/3$/),
      body: { Name: 'Gwen' },
    });
    // Typing goes on in the group: below may stand a row of another one. Going down alone adds nothing.
    expect(input().getAttribute('aria-label')).toBe('Name, new row');
    await user.keyboard('Gus{Enter}');
    await waitFor(() => expect(server.written().length).toBeGreaterThan(2));
    expect(server.written()[2]).toMatchObject({ method: 'POST', body: { Name: 'Grace' } });
  });
});

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

  test('are offered under computed columns by the kind of what these give', async () => {
    const computed: WebColumnType = {
      ...numberType,
      id: 'Computed',
      label: 'Computed',
      storage: 'virtual',
      kindOf: ({ meta }) => (meta?.result === 'number' ? 'decimal' : 'text'),
    };
    const made = { uidt: 'Computed', virtual: true, storage: 'virtual' } as const;
    const { user } = show({
      types: [numberType, textType, computed],
      aggregations: [{ ...sum, accepts: ['decimal'] }],
      columns: [
        ...(table.columns ?? []).slice(0, 2),
        aColumn('cl_sum', 'Total', { ...made, meta: { result: 'number' } }),
        aColumn('cl_text', 'Words', { ...made, meta: { result: 'text' } }),
      ],
    });
    await user.click(await screen.findByRole('button', { name: 'Choose a summary for Total' }));
    expect(screen.getByRole('menuitemradio', { name: 'Sum' })).toBeTruthy();
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
