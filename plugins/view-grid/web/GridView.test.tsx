import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type {
  ColumnEntity,
  ProjectEntity,
  Row,
  TableEntity,
  UserEntity,
  ViewColumnEntity,
  ViewEntity,
} from '@trellis/sdk/shared';
import {
  ApiError,
  type ApiRequest,
  defineWebColumnType,
  RowPanelToken,
  type WebColumnType,
} from '@trellis/sdk/web';
import { FakeResponse, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import GridView from './GridView.tsx';

const number = defineWebColumnType<number>({
  id: 'Number',
  label: 'Number',
  icon: 'hashtag',
  storage: 'integer',
  accepts: ['integer'],
  fallback: 'Number',
  operators: [],
  parse: (input) => {
    if (input === null) return { ok: true, value: null };
    const value = Number(input);
    return Number.isNaN(value) ? { ok: false, message: 'Not a number' } : { ok: true, value };
  },
  format: (value) => (value === null ? '' : String(value)),
  examples: [],
  Editor: 'text',
  align: 'end',
});
const text = defineWebColumnType<string>({
  id: 'SingleLineText',
  label: 'Text',
  icon: 'align-left',
  storage: 'string',
  accepts: ['string'],
  fallback: 'SingleLineText',
  operators: [],
  parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
  format: (value) => value ?? '',
  examples: [],
  Editor: 'text',
});

const column = (id: string, title: string, uidt: string, rest: Partial<ColumnEntity> = {}): ColumnEntity =>
  ({
    id,
    title,
    uidt,
    column_name: title.toLowerCase(),
    pk: false,
    pv: false,
    rqd: false,
    ai: false,
    au: false,
    cdf: null,
    system: false,
    virtual: null,
    meta: null,
    order: 1,
    ...rest,
  }) as ColumnEntity;
const table = {
  id: 'md_1',
  title: 'People',
  columns: [
    column('cl_id', 'Id', 'Number', { pk: true, ai: true }),
    column('cl_name', 'Name', 'SingleLineText', { pv: true }),
    column('cl_age', 'Age', 'Number'),
    column('cl_map', 'Map', 'GeoShape'),
  ],
} as Partial<TableEntity> as TableEntity;
const project = { id: 'p_1', title: 'Demo' } as Partial<ProjectEntity> as ProjectEntity;
const view = { id: 'vw_1', title: 'Grid' } as Partial<ViewEntity> as ViewEntity;
const viewColumns = ['cl_name', 'cl_age', 'cl_map', 'cl_id'].map(
  (id, at) =>
    ({
      id: `nc_${at}`,
      fk_column_id: id,
      show: id !== 'cl_id',
      order: at + 1,
      width: '120px',
    }) as ViewColumnEntity,
);

const idOf = (row: Row): string => String(Number(row.Id));

/** A server of one table, as far as the grid asks. */
class FakeServer {
  readonly requests: ApiRequest[] = [];
  rows: Row[] = [
    { Id: 1, Name: 'Ada', Age: 36, Map: 'somewhere' },
    { Id: 2, Name: 'Grace', Age: 45, Map: null },
  ];
  refusal: ApiError | undefined;
  /** Rows that are added do not meet the view's filters. */
  hidesNewRows = false;
  /** A filter of the view is of a plugin that is off. */
  filterIsOff = false;

  written(): ApiRequest[] {
    return this.requests.filter((request) => (request.method ?? 'GET') !== 'GET');
  }

  answer(request: ApiRequest): unknown {
    this.requests.push(request);
    const { method = 'GET', path } = request;
    if (method !== 'GET' && this.refusal !== undefined) throw this.refusal;
    if (this.filterIsOff && path.includes('/data/') && request.query?.skipDisabledFilters !== 'true')
      throw new ApiError(409, 'A comparison is off.', 'FILTER_OPERATOR_DISABLED');
    if (path.endsWith('/count')) return { count: this.rows.length };
    if (path.endsWith('/columns')) return viewColumns;
    if (path.endsWith('/sorts')) return { sorts: { list: [] } };
    if (path.endsWith('/filters')) return [];
    if (path.includes('/operations/')) return { rows: 1 };
    if (path.includes('/bulk/')) return this.bulk(method, request.body as Row[]);
    if (method === 'POST' && path.endsWith('/views/vw_1')) {
      const row: Row = { Id: this.rows.length + 1, Name: null, Age: null, Map: null };
      if (!this.hidesNewRows) this.rows = [...this.rows, row];
      return row;
    }
    if (method === 'PATCH' && path.includes('/data/')) {
      const id = Number(path.split('/').at(-1));
      this.rows = this.rows.map((row) => (row.Id === id ? { ...row, ...(request.body as Row) } : row));
      return this.rows.find((row) => row.Id === id) ?? { Id: id, ...(request.body as Row) };
    }
    if (method !== 'GET') return {};
    const start = Number(request.query?.offset);
    return { list: this.rows.slice(start, start + Number(request.query?.limit)) };
  }

  private bulk(method: string, body: Row[]): unknown {
    if (method === 'POST') {
      const added = body.map((row, at): Row => ({
        Age: null,
        Map: null,
        ...row,
        Id: this.rows.length + at + 1,
      }));
      this.rows = [...this.rows, ...added];
      return added.map((row) => ({ id: row.Id }));
    }
    const ids = body.map(idOf);
    if (method === 'DELETE') this.rows = this.rows.filter((row) => !ids.includes(idOf(row)));
    else
      this.rows = this.rows.map((row): Row => ({
        ...row,
        ...body[ids.indexOf(idOf(row))],
        Id: row.Id ?? null,
      }));
    return ids.map(() => 1);
  }
}

function show(
  options: {
    readOnly?: boolean;
    types?: readonly WebColumnType[];
    user?: UserEntity;
    filterIsOff?: boolean;
    columns?: readonly ColumnEntity[];
  } = {},
) {
  const server = new FakeServer();
  server.filterIsOff = options.filterIsOff === true;
  const { types = [number, text], readOnly = false } = options;
  const shown = { ...table, columns: options.columns ?? table.columns };
  const memory = renderWithHost(
    <GridView project={project} table={shown} view={view} readOnly={readOnly} />,
    {
      registries: { columnTypes: types },
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

  test('adds a row at the end and goes there', async () => {
    const { user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: /Add a row/ }));
    await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
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
    const columns = [...(table.columns ?? []), column('cl_new', 'New', 'Number')];
    rerender(<GridView project={project} table={{ ...table, columns }} view={view} readOnly={false} />);
    expect(await screen.findByRole('columnheader', { name: /^New/ })).toBeTruthy();
    expect(input().getAttribute('aria-label')).toBe('Name, row 2');
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

  test('deletes ticked rows after a question and offers to take it back', async () => {
    const { server, user, toasts, questions } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    fireEvent.pointerMove(screen.getByRole('gridcell', { name: 'Ada' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull());
    expect(questions[0]?.title).toBe('Delete this row?');
    toasts[0]?.action?.run();
    await waitFor(() => expect(server.written().at(-1)?.path).toMatch(/operations\/p_1\/op\d+\/undo$/));
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
    expect(screen.getByText(/Shown without the filters whose plugin is switched off/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Apply all filters' }));
    expect(await screen.findByRole('button', { name: 'Show without this filter' })).toBeTruthy();
    expect(server.written()).toEqual([]);
  });

  test('a cell that throws is laid at the door of the plugin that owns its type', async () => {
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    const Cell = () => {
      throw new Error('no stars tonight');
    };
    const { reports, toasts } = show({ types: [{ ...number, Cell }, text] });
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
    const { reports, toasts } = show({ types: [{ ...number, Cell }, text], user });
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
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Sort ascending',
      'Sort descending',
      'Move left',
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
});
