import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import type { FilterEntity, TableEntity, ViewEntity } from '../../shared/index.ts';
import {
  aColumn,
  aProject,
  aTable,
  aView,
  FakeResponse,
  renderWithHost,
  textType,
} from '../../testing/web.tsx';
import { useShell, VisitedViewContext, type VisitLook, type WebFilterOperator } from '../index.ts';
import { RowSearchContext, useNewRowSearch } from '../views/index.ts';
import type { RowsClient } from './rows-client.ts';
import { useShownColumns } from '../views/use-shown-columns.ts';
import { useViewFilters, useViewSorts } from '../visited-view.ts';
import { useRows, type ShownRowsOptions } from './use-rows.ts';

const project = aProject();
const table = aTable([aColumn('cl_id', 'Id', { pk: true }), aColumn('cl_name', 'Name')]);
const rowPath = '/api/v1/db/data/noco/p_1/md_1/1';

function Rows({ onShow }: { readonly onShow: (rows: RowsClient) => void }) {
  onShow(useRows({ kind: 'table', project, table }));
  return null;
}

/** Two that show rows of the same table, as the grid and a dialog over it do. */
function show() {
  const shown: Partial<Record<'grid' | 'dialog', RowsClient>> = {};
  let writes = 0;
  const { requests } = renderWithHost(
    <>
      <Rows onShow={(rows) => (shown.grid = rows)} />
      <Rows onShow={(rows) => (shown.dialog = rows)} />
    </>,
    {
      project,
      api: ({ method }) => {
        if (method === 'GET') return { list: [], count: 0 };
        writes += 1;
        return new FakeResponse({ Id: 1 }, { 'x-trellis-operation': `op${writes}` });
      },
    },
  );
  const { grid, dialog } = shown;
  if (grid === undefined || dialog === undefined) throw new Error('The rows are not drawn.');
  const undone = () => requests.flatMap(({ path }) => /operations\/p_1\/(.*)\/undo/.exec(path)?.[1] ?? []);
  return { grid, dialog, undone };
}

const change = (value: string) => [{ rowKey: '1', index: 0, columnId: 'cl_name', value, before: null }];

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  jest.useRealTimers();
  cleanup();
});

test('what is written beside the grid is taken back from it, before what was done earlier', async () => {
  const { grid, dialog, undone } = show();
  let heard = 0;
  grid.onStep(() => (heard += 1));
  await act(async () => {
    await grid.write(change('a'));
    await dialog.perform({ method: 'POST', path: `${rowPath}/links` });
  });
  expect(heard).toBeGreaterThanOrEqual(2);
  await act(() => grid.undo('undo'));
  expect(undone()).toEqual(['op2']);
  await act(() => grid.undo('undo'));
  expect(undone()).toEqual(['op2', 'op1']);
});

test('what was not taken in the grid stays to be taken back while something else is undone beside it', async () => {
  const { grid, dialog, undone } = show();
  await act(() => dialog.write(change('a')));
  grid.edits.fail([{ rowKey: '1', columnId: 'cl_name', text: 'junk', message: 'No' }], {
    kind: 'edit',
    count: 1,
  });
  await act(() => dialog.undo('undo'));
  expect([grid.edits.hasAny, undone()]).toEqual([false, []]);
  await act(() => dialog.undo('undo'));
  expect(undone()).toEqual(['op1']);
});

test('rows that are being read when their table begins to link to another one still come', async () => {
  const link = aColumn('cl_link', 'Towns', {
    virtual: true,
    colOptions: { fk_related_model_id: 'md_towns' },
  });
  function Names({ of }: { readonly of: TableEntity }) {
    const { source } = useRows({ kind: 'table', project, table: of });
    useEffect(() => source.ensure(0, 10), [source]);
    useSyncExternalStore(source.subscribe, () => source.version);
    return <p>{String(source.rowAt(0)?.values.cl_name)}</p>;
  }
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { rerender } = renderWithHost(<Names of={table} />, {
    project,
    api: async ({ path, signal }) => {
      await answered;
      signal?.throwIfAborted();
      return path.endsWith('/count') ? { count: 1 } : { list: [{ Id: 1, Name: 'Ada' }] };
    },
  });
  rerender(<Names of={{ ...table, columns: [...(table.columns ?? []), link] }} />);
  answer();
  expect(await screen.findByText('Ada')).toBeTruthy();
});

test('rows are read again when a row changes at the far end of the links that their cells are made over', async () => {
  const total = aColumn('cl_total', 'Total', { virtual: true });
  const far = { ...table, columns: [...(table.columns ?? []), total], reached_tables: ['md_lines'] };
  let price = 1;
  function Totals() {
    const { source } = useRows({ kind: 'table', project, table: far });
    useEffect(() => source.ensure(0, 10), [source]);
    useSyncExternalStore(source.subscribe, () => source.version);
    return <p>{`Total ${String(source.rowAt(0)?.values.cl_total)}`}</p>;
  }
  const { receive } = renderWithHost(<Totals />, {
    project,
    api: ({ path }) =>
      path.endsWith('/count') ? { count: 1 } : { list: [{ Id: 1, Name: 'Ada', Total: price }] },
  });
  expect(await screen.findByText('Total 1')).toBeTruthy();
  price = 2;
  const event = { kind: 'rows', projectId: 'p_1', tableId: 'md_lines', seq: 1, requestId: 'r' } as const;
  act(() => receive({ ...event, changes: [{ op: 'update', key: '7', row: { Price: 2 } }] }));
  expect(await screen.findByText('Total 2')).toBeTruthy();
});

const view = { id: 'vw_1', title: 'All', view_type: 'cards' } as ViewEntity;
const viewPath = '/api/v1/db/meta/views/vw_1';
const near = { id: 'near', label: 'is near', arity: 'one' } as unknown as WebFilterOperator;

/** A view as an author writes it at first: it reads its rows by `useRows` and by nothing else. */
function PlainView(options: Pick<ShownRowsOptions, 'isAside' | 'onlyAdds'>) {
  const rows = useRows({ kind: 'view', project, table, view }, options);
  useEffect(() => rows.source.ensure(0, 10), [rows]);
  return null;
}

function Frame({ children }: { readonly children: ReactNode }) {
  const search = useNewRowSearch(view);
  const { rows } = useShell().context;
  return (
    <RowSearchContext value={search}>
      {search.isHeard && (
        <button type="button" onClick={() => search.search('oak')}>
          Look for oak
        </button>
      )}
      {rows && <p>Steps can be taken back</p>}
      {children}
    </RowSearchContext>
  );
}

/** Draws a view whose filters a test may change. `isKnown`: when it is told how the view is arranged. */
function showView(of = <PlainView />, isKnown = Promise.resolve()) {
  const kept = { filters: [] as readonly Partial<FilterEntity>[] };
  const memory = renderWithHost(<Frame>{of}</Frame>, {
    project,
    registries: { columnTypes: [{ ...textType, operators: ['like'] }], filterOperators: [] },
    api: async ({ path }) => {
      if (path.startsWith(viewPath)) await isKnown;
      if (path === `${viewPath}/filters`) return kept.filters;
      if (path === `${viewPath}/sorts`) return { sorts: { list: [] } };
      if (path === `${viewPath}/columns`) return [];
      return path.endsWith('/count') ? { count: 0 } : { list: [] };
    },
  });
  const reads = () => memory.requests.filter(({ path }) => path.endsWith('/md_1/views/vw_1'));
  return { ...memory, kept, reads };
}

test('a view that reads its rows by this hook alone takes part in the search, and its steps can be taken back', async () => {
  const { reads } = showView();
  await userEvent.click(await screen.findByRole('button', { name: 'Look for oak' }));
  await waitFor(() => expect(JSON.stringify(reads().at(-1)?.query)).toContain('oak'));
  expect(screen.getByText('Steps can be taken back')).toBeTruthy();
});

test('rows beside those that the page is about are searched, and undo is not about them', async () => {
  showView(<PlainView isAside />);
  await screen.findByRole('button', { name: 'Look for oak' });
  expect(screen.queryByText('Steps can be taken back')).toBeNull();
});

test('whoever only adds rows to a view hears no search, and how the view is arranged is not read', async () => {
  const { requests, reads } = showView(<PlainView onlyAdds />);
  await waitFor(() => expect(reads()).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Look for oak' })).toBeNull();
  expect(requests.filter(({ path }) => path.startsWith(viewPath))).toEqual([]);
});

test('where nothing reads rows of the view, there is nothing to search and nothing to take back', () => {
  showView(<Rows onShow={() => undefined} />);
  expect(screen.queryByRole('button', { name: 'Look for oak' })).toBeNull();
  expect(screen.queryByText('Steps can be taken back')).toBeNull();
});

function Arrangement() {
  const isKnown = [useViewFilters(view), useViewSorts(view), useShownColumns(table, view)].every(Boolean);
  return isKnown && <p>It is known how the view is arranged</p>;
}

test('rows of a view and their number are read once where its filters and sorts are answered after them', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const { requests, reads } = showView(
    <>
      <PlainView />
      <Arrangement />
    </>,
    answered,
  );
  const counts = () => requests.filter(({ path }) => path.endsWith('/count'));
  await waitFor(() => expect([reads().length, counts().length]).toEqual([1, 1]));
  answer();
  await screen.findByText('It is known how the view is arranged');
  expect([reads().length, counts().length]).toEqual([1, 1]);
});

test('rows of a view are read again when its filters change, and when a comparison of theirs is switched off', async () => {
  const { host, registries, reads, kept } = showView();
  const plugin = registries.get('filterOperators').register(near, 'acme');
  await waitFor(() => expect(reads()).toHaveLength(1));
  kept.filters = [
    { id: 'f_1', is_group: true, children: [{ id: 'f_2', comparison_op: 'near' } as FilterEntity] },
  ];
  act(() => host.invalidate(['view:vw_1']));
  await waitFor(() => expect(reads()).toHaveLength(2));
  act(() => void plugin.dispose());
  await waitFor(() => expect(reads()).toHaveLength(3));
});

test('rows of a view are read once when somebody arranges it otherwise, and not when it only looks otherwise', async () => {
  const { host, receive, reads, kept } = showView();
  await waitFor(() => expect(reads()).toHaveLength(1));
  jest.useFakeTimers();
  const hear = () =>
    act(async () => {
      receive({ kind: 'view', projectId: 'p_1', tableId: 'md_1', viewId: 'vw_1', requestId: 'other' });
      // As the page does at such an event.
      host.invalidate(['view:vw_1']);
      await jest.advanceTimersByTimeAsync(5000);
    });
  // It is known by now how the view is arranged.
  await act(() => jest.advanceTimersByTimeAsync(5000));
  await hear();
  expect(reads()).toHaveLength(1);
  kept.filters = [{ id: 'f_1', comparison_op: 'near' }];
  await hear();
  expect(reads()).toHaveLength(2);
});

function NamesOfView({ view }: { readonly view: ViewEntity }) {
  const { source } = useRows({ kind: 'view', project, table, view });
  useSyncExternalStore(source.subscribe, () => source.version);
  useEffect(() => source.ensure(0, 1), [source]);
  return <p>{String(source.rowAt(0)?.values.cl_name)}</p>;
}

test('whoever has the link of a view is shown what others wrote when its page says so, also by another password', async () => {
  const view = aView();
  let Name = 'Ada';
  const looks = new Set<(look: VisitLook) => void>();
  const onLook = (listener: (look: VisitLook) => void) => {
    looks.add(listener);
    return () => void looks.delete(listener);
  };
  const drawn = (password: string) => (
    <VisitedViewContext.Provider value={{ uuid: 'u1', password, viewId: view.id, columns: [], onLook }}>
      <NamesOfView view={view} />
    </VisitedViewContext.Provider>
  );
  const { rerender, requests } = renderWithHost(drawn('one'), {
    user: null,
    api: () => ({ data: { list: [{ Id: 1, Name }], pageInfo: { totalRows: 1 } } }),
  });
  await screen.findByText('Ada');
  rerender(drawn('two'));
  // The rows are the same ones, and stay in sight.
  expect(screen.queryByText('Ada')).toBeTruthy();
  const before = requests.length;
  Name = 'Grace';
  act(() => {
    for (const look of looks) look('return');
  });
  expect(await screen.findByText('Grace')).toBeTruthy();
  const sent = requests.slice(before).map(({ headers }) => headers?.['xc-password']);
  expect(new Set(sent)).toEqual(new Set(['two']));
});
