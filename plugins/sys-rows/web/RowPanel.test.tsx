import { afterEach, describe, expect, test } from '@jest/globals';
import type { Row, ViewEntity } from '@trellis/sdk/shared';
import {
  ApiError,
  type ApiRequest,
  type RowPane,
  type RowPaneProps,
  type WebColumnType,
} from '@trellis/sdk/web';
import { useRows, useRowsInSight } from '@trellis/sdk/web/rows';
import { PopoverButton } from '@trellis/sdk/web/ui';
import {
  aColumn,
  aProject,
  aTable,
  FakeResponse,
  numberType,
  renderWithHost,
  textType,
  type MemoryHostOptions,
} from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, type ReactNode } from 'react';
import { copyLink } from './copy-link.ts';
import { historyPane } from './history-pane.ts';
import { PanelRequests, type RowRequest } from './panel-requests.ts';
import { createRowPanelHost } from './RowPanelHost.tsx';

const number: WebColumnType = {
  ...numberType,
  validate: (value) => (Number(value) > 200 ? { message: 'must be 200 at most' } : undefined),
};
const table = aTable([
  aColumn('cl_id', 'Id', { uidt: 'Number', pk: true, ai: true, rqd: true }),
  aColumn('cl_name', 'Name', { pv: true, rqd: true }),
  aColumn('cl_age', 'Age', { uidt: 'Number' }),
]);
const project = aProject();
const rowPath = '/api/v1/db/data/noco/p_1/md_1';

function show(request: Partial<RowRequest> = {}, options: MemoryHostOptions = {}, beside?: ReactNode) {
  const requests = new PanelRequests();
  const PanelHost = createRowPanelHost(requests);
  const types: readonly WebColumnType[] = [textType, number];
  const memory = renderWithHost(
    <>
      <button type="button">Opener</button>
      <PanelHost />
      {beside}
    </>,
    {
      project,
      registries: { columnTypes: types, cellActions: [copyLink], rowPanes: [historyPane] },
      api: {
        'GET /api/v1/db/meta/tables/md_1': table,
        [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
        [`PATCH ${rowPath}/1`]: ({ body }: { readonly body: Row }) => ({ Id: 1, ...body }),
        [`POST ${rowPath}`]: ({ body }: { readonly body: Row }) => ({ Id: 2, ...body }),
      },
      ...options,
    },
  );
  const open = () => act(() => requests.open({ project, table, rowKey: '1', ...request }));
  return { open, panelRequests: requests, user: userEvent.setup(), ...memory };
}

const linking = (related: string) =>
  aTable([
    ...(table.columns ?? []),
    {
      ...aColumn('cl_link', 'Owner', { uidt: 'SingleLineText' }),
      virtual: true,
      colOptions: { fk_related_model_id: related },
    },
  ]);

const sent = (memory: ReturnType<typeof show>) =>
  memory.requests.filter((request) => (request.method ?? 'GET') !== 'GET');

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('a row by itself', () => {
  test('a text that cannot be read stays, says why, and is not saved with the rest', async () => {
    const memory = show();
    memory.open();
    const age = await screen.findByRole('textbox', { name: /Age/ });
    await memory.user.clear(age);
    await memory.user.type(age, 'many');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(age).toHaveProperty('value', 'many');
    expect(screen.getByText('“Age” must be a number.')).toBeTruthy();
    expect(sent(memory)).toEqual([]);
    await memory.user.clear(age);
    await memory.user.type(age, '300');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('“Age” must be 200 at most.')).toBeTruthy();
    await memory.user.clear(age);
    await memory.user.type(age, '37');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(memory)).toMatchObject([{ method: 'PATCH', body: { Age: 37 } }]));
  });

  test('what is typed while it is saved stays, and is saved the next time', async () => {
    const saves: (() => void)[] = [];
    const memory = show(
      {},
      {
        api: async ({ method, path, body }) => {
          if (path.includes('/meta/')) return table;
          if (method !== 'PATCH') return { Id: 1, Name: 'Ada', Age: 36 };
          await new Promise<void>((resolve) => saves.push(resolve));
          return { Id: 1, ...(body as Row) };
        },
      },
    );
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, 'x');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saves).toHaveLength(1));
    await memory.user.type(name, 'y');
    await memory.user.type(screen.getByRole('textbox', { name: /Age/ }), '{Backspace}7{Tab}');
    await act(async () => saves[0]?.());
    await memory.user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saves).toHaveLength(2));
    expect(sent(memory)).toMatchObject([{ body: { Name: 'Adax' } }, { body: { Name: 'Adaxy', Age: 37 } }]);
    await act(async () => saves[1]?.());
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull());
  });

  test('keeps the keys when it is saved: the cursor stays in its field', async () => {
    const memory = show();
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, 'x{Control>}s{/Control}');
    await waitFor(() => expect(sent(memory)).toMatchObject([{ body: { Name: 'Adax' } }]));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Name/ }));
    await memory.user.type(screen.getByRole('textbox', { name: /Name/ }), 'y');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true);
    await memory.user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a value that must be there cannot be emptied', async () => {
    const memory = show();
    memory.open();
    await memory.user.clear(await screen.findByRole('textbox', { name: /Name/ }));
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('“Name” must not be empty.')).toBeTruthy();
    expect(sent(memory)).toEqual([]);
  });

  test('a refusal that names a column stands at its field', async () => {
    const memory = show(
      {},
      {
        api: (request) => {
          if (request.method === 'PATCH')
            throw new ApiError(400, 'taken already', 'TAKEN', { column: 'Name' });
          return request.path.includes('/meta/') ? table : { Id: 1, Name: 'Ada', Age: 36 };
        },
      },
    );
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByText('taken already')).className).toContain('problem');
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
  });

  test('closing asks before it throws away what stands in a field, and gives the focus back', async () => {
    const answers = [false, true];
    const memory = show({}, { confirm: () => answers.shift() ?? true });
    act(() => screen.getByRole('button', { name: 'Opener' }).focus());
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x{Escape}');
    await waitFor(() => expect(memory.questions).toHaveLength(1));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
    await memory.user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Opener' }));
  });

  test('Escape closes what a field has opened above it, and not the row', async () => {
    const opening: WebColumnType = {
      ...textType,
      Editor: ({ onCommit }) => (
        <PopoverButton icon="pencil" label="Write">
          {() => <input aria-label="Draft" onChange={({ target }) => onCommit(target.value)} />}
        </PopoverButton>
      ),
    };
    const memory = show({}, { registries: { columnTypes: [opening, number] } });
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'Write' }));
    await memory.user.type(screen.getByRole('textbox', { name: 'Draft' }), '{Escape}');
    expect(screen.queryByRole('textbox', { name: 'Draft' })).toBeNull();
    expect(screen.getByRole('dialog', { name: /Ada/ })).toBeTruthy();
    await memory.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('after Discard the keys still reach it', async () => {
    const memory = show();
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x{Tab}');
    await memory.user.click(screen.getByRole('button', { name: 'Discard' }));
    await memory.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(memory.questions).toEqual([]);
  });

  test('a row that somebody deletes keeps what was typed and offers no way to save it', async () => {
    let isGone = false;
    const memory = show(
      {},
      {
        api: ({ path }) => {
          if (path.includes('/meta/')) return table;
          if (isGone) throw new ApiError(404, 'Not found', 'ROW_NOT_FOUND');
          return { Id: 1, Name: 'Ada', Age: 36 };
        },
      },
    );
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x{Tab}');
    isGone = true;
    act(() => memory.host.invalidate(['row:md_1:1']));
    expect(await screen.findByText('This row is gone.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
  });

  test('its link opens it in its view, also where the view leaves it out, and says so', async () => {
    const view = { id: 'vw_1', title: 'Grown-ups' } as ViewEntity;
    const memory = show({ view });
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'Copy link' }));
    await screen.findByRole('textbox', { name: /Name/ });
    const link = await navigator.clipboard.readText();
    cleanup();
    const linked = show(
      {},
      {
        route: link.split('#')[1],
        api: ({ path }) =>
          path === `${rowPath}/views/vw_1/count`
            ? { count: 0 }
            : path === `${rowPath}/1`
              ? { Id: 1, Name: 'Ada' }
              : path.endsWith('/columns')
                ? []
                : table,
      },
    );
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => linked.host.shell.setContext({ project, table: { ...table, views: [view] }, view }));
    expect(await screen.findByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Ada');
    expect((await screen.findByRole('status')).textContent).toContain('“Grown-ups”');
    await linked.user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('shows the fields in the order of its view, the hidden ones folded away', async () => {
    const view = { id: 'vw_1', title: 'Grid', view_type: 'grid', meta: null } as ViewEntity;
    const places = [
      { fk_column_id: 'cl_age', order: 1, show: true },
      { fk_column_id: 'cl_id', order: 2, show: false },
      { fk_column_id: 'cl_name', order: 3, show: true },
    ];
    const memory = show(
      { view },
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
          'GET /api/v1/db/meta/views/vw_1/columns': places,
        },
      },
    );
    memory.open();
    const hidden = await screen.findByText('One field that the view hides');
    const labels = [...document.querySelectorAll('.rows-label')].map((each) => each.textContent);
    expect(labels.map((label) => label.replace('*', ''))).toEqual(['Name', 'Age', 'Id']);
    expect(hidden.closest('details')?.open).toBe(false);
    expect(hidden.closest('details')?.textContent).toContain('Id');
  });

  test('of a linked table, which has no view here, folds the columns of the system away', async () => {
    const columns = table.columns?.map((column) =>
      column.title === 'Age' ? { ...column, uidt: 'ForeignKey', system: true } : column,
    );
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': { ...table, columns },
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
        },
      },
    );
    memory.open();
    const hidden = await screen.findByText('One system field');
    expect(within(hidden.closest('details') as HTMLElement).getByText('Age')).toBeTruthy();
    expect(hidden.closest('details')?.open).toBe(false);
  });

  test('lists what happened to the row', async () => {
    const events = [
      {
        id: 7,
        op: 'update',
        at: '2026-11-22T08:00:00.000Z',
        user: 'ada@example.com',
        isUndo: false,
        isPurged: false,
        cells: [
          { fk_column_id: 'cl_age', before: 35, after: 36 },
          { fk_column_id: 'cl_gone', before: 'x', after: 'y' },
        ],
      },
      {
        id: 6,
        op: 'update',
        at: '2026-11-22T07:00:00.000Z',
        user: 'ada@example.com',
        isUndo: false,
        isPurged: false,
        cells: [{ fk_column_id: 'cl_gone', before: 'w', after: 'x' }],
      },
      {
        id: 5,
        op: 'delete',
        at: '2026-11-21T07:00:00.000Z',
        user: 'ada@example.com',
        isUndo: false,
        isPurged: true,
        cells: [],
      },
    ];
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
          [`GET ${rowPath}/1/history`]: { list: events },
        },
      },
    );
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'History' }));
    const [event, hidden, purged] = await screen.findAllByRole('listitem');
    if (event === undefined) throw new Error('No event is listed');
    expect(hidden?.textContent).toMatch(/In columns that are not shown here/);
    expect(purged?.textContent).toMatch(/Row deleted.*its values were deleted for good/);
    expect(event.textContent).toMatch(/Changed.*ada@example.com/);
    expect(event.querySelector('del')?.textContent).toBe('35');
    expect(event.querySelector('ins')?.textContent).toBe('36');
    expect(event.querySelectorAll('dt')).toHaveLength(1);
  });

  test('an address that names a pane shows it first, and the fields are a click away', async () => {
    const linked = show(
      {},
      {
        route: '/nc/p_1?dbalias=md_1&row=1&pane=history',
        api: ({ path }) =>
          path.endsWith('/history') ? { list: [] } : path.endsWith('/1') ? { Id: 1, Name: 'Ada' } : table,
      },
    );
    act(() => linked.host.shell.setContext({ project, table }));
    expect(await screen.findByText('Nothing is known of what happened to this row.')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: /Name/ })).toBeNull();
    await linked.user.click(screen.getByRole('button', { name: 'History' }));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Ada');
  });

  test('a request for a pane of the row that is open already shows the pane, each time', async () => {
    const memory = show(
      {},
      {
        api: ({ path }) =>
          path.endsWith('/history') ? { list: [] } : path.endsWith('/1') ? { Id: 1, Name: 'Ada' } : table,
      },
    );
    memory.open();
    const button = await screen.findByRole('button', { name: 'History', pressed: false });
    act(() => memory.panelRequests.open({ project, table, rowKey: '1', pane: 'history' }));
    expect(button.getAttribute('aria-pressed')).toBe('true');
    await memory.user.click(button);
    expect(screen.getByRole('button', { name: 'History', pressed: false })).toBeTruthy();
    act(() => memory.panelRequests.open({ project, table, rowKey: '1', pane: 'history' }));
    expect(screen.getByRole('button', { name: 'History', pressed: true })).toBeTruthy();
  });

  test('says why earlier changes of a row cannot be read, and reads them when asked again', async () => {
    const event = (id: number) => ({ id, op: 'update', at: '2026-11-01T10:00:00Z', user: 'ada', cells: [] });
    let fails = true;
    const memory = show(
      {},
      {
        api: ({ path, query, method }) => {
          if (method !== 'GET' || !path.endsWith('/history'))
            return path.includes('/meta/') ? table : { Id: 1, Name: 'Ada', Age: 36 };
          if (query?.before === undefined)
            return { list: Array.from({ length: 50 }, (_, at) => event(100 - at)) };
          if (fails) throw new ApiError(503, 'The server is busy.');
          return { list: [event(1)] };
        },
      },
    );
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'History' }));
    await memory.user.click(await screen.findByRole('button', { name: 'Show earlier changes' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The server is busy.');
    fails = false;
    await memory.user.click(screen.getByRole('button', { name: /again|retry/i }));
    await waitFor(() => expect(document.querySelectorAll('.rows-event')).toHaveLength(51));
  });

  test('says where its row stands, also after somebody deleted one before it', async () => {
    let list: readonly Row[] = [1, 2, 3].map((Id) => ({ Id, Name: `row ${Id}`, Age: null }));
    function View() {
      const rows = useRows({ kind: 'table', project, table });
      useRowsInSight(rows);
      useEffect(() => rows.source.ensure(0, 10), [rows]);
      return null;
    }
    const answers = ({ path }: ApiRequest): unknown => {
      if (path.includes('/meta/')) return table;
      if (path.endsWith('/count')) return { count: list.length };
      return path === rowPath ? { list } : list.find(({ Id }) => path.endsWith(`/${JSON.stringify(Id)}`));
    };
    const memory = show({}, { api: answers }, <View />);
    const { rows } = memory.host.shell.context;
    await act(async () => rows?.source.settled());
    act(() => memory.panelRequests.open({ project, table, rowKey: '2', rows }));
    await screen.findByText('2 of 3');
    list = list.slice(1);
    act(() => rows?.source.refresh());
    expect(await screen.findByText('1 of 2')).toBeTruthy();
  });

  test('tells who opened it which row was looked at last, instead of giving the focus back itself', async () => {
    const closed: string[] = [];
    const memory = show({ onClosed: (rowKey) => closed.push(rowKey) });
    memory.open();
    await screen.findByRole('button', { name: 'History' });
    await memory.user.keyboard('{Escape}');
    expect(closed).toEqual(['1']);
  });

  test('a value that cannot be changed is drawn as its type draws it', async () => {
    const Cell: WebColumnType['Cell'] = ({ value }) => (
      <em>covered {(value as string | number).toString().length}</em>
    );
    const reader = aProject({ role: 'viewer' });
    show({ project: reader }, { registries: { columnTypes: [{ ...textType, Cell }, number] } }).open();
    expect((await screen.findByText('covered 3')).tagName).toBe('EM');
    expect(screen.getByRole('dialog').querySelector('.rows-fields')?.textContent).not.toContain('Ada');
  });

  test('offers what the rights on the rows of the table allow, and nothing else', async () => {
    const offered = async (denied: readonly string[]) => {
      const lacking = { ...table, denied };
      const api: MemoryHostOptions['api'] = ({ path }) =>
        path.includes('/meta/') ? lacking : { Id: 1, Name: 'Ada', Age: 36 };
      show({ table: lacking }, { api }).open();
      await screen.findByRole('textbox', { name: /Name/ });
      const names = ['Delete row', 'Duplicate row'].filter((name) => screen.queryByRole('button', { name }));
      cleanup();
      return names;
    };
    expect(await offered([])).toEqual(['Delete row', 'Duplicate row']);
    expect(await offered(['dataDelete', 'bulkDataDelete'])).toEqual(['Duplicate row']);
    expect(await offered(['dataInsert', 'bulkDataInsert'])).toEqual(['Delete row']);
  });

  test('is called by the text of its primary value, but not by one that is covered', async () => {
    const named = show();
    named.open();
    expect(await screen.findByRole('dialog', { name: 'Ada' })).toBeTruthy();
    // A text in Hebrew is read from the right in an English page, too.
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Name/ }).dir).toBe('auto');
    cleanup();
    const secret: WebColumnType = { ...textType, isCovered: true };
    const memory = show({}, { registries: { columnTypes: [secret, number] } });
    memory.open();
    expect(await screen.findByRole('dialog', { name: 'Row 1' })).toBeTruthy();
    expect(screen.queryByText('Ada')).toBeNull();
  });

  test('it waits out of sight while another project is open, or a page of its own that shows no table', async () => {
    const memory = show();
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
    act(() => memory.host.shell.setContext({ project: { ...project, id: 'p_2' } }));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => memory.host.shell.setContext({ project }));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
    const team = { type: 'team', key: 'team', name: 'Team' };
    act(() => memory.host.shell.openTab(team));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => memory.host.shell.closeTab(team));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
  });
});

describe('a row that is yet to be added', () => {
  test('says which values it needs, and is added with them', async () => {
    const added: number[] = [];
    const memory = show({ rowKey: undefined, onAdded: (index) => added.push(index) });
    memory.open();
    await screen.findByRole('dialog', { name: 'New row' });
    await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
    expect(screen.getByText('“Name” must not be empty.')).toBeTruthy();
    expect(sent(memory)).toEqual([]);
    await memory.user.type(screen.getByRole('textbox', { name: /Name/ }), 'Grace');
    await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(memory)).toMatchObject([{ method: 'POST', path: rowPath, body: { Name: 'Grace' } }]);
    expect(added).toHaveLength(1);
  });

  test('begins with what was typed before it was clear that more is needed', async () => {
    const naming = table.columns?.find(({ title }) => title === 'Name');
    const memory = show({ rowKey: undefined, values: { [naming?.id ?? '']: 'Grace', other: undefined } });
    memory.open();
    await screen.findByRole('dialog', { name: 'New row' });
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Grace');
    await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(memory)).toMatchObject([{ method: 'POST', path: rowPath, body: { Name: 'Grace' } }]);
  });

  test('that begins with what its place gave is left without a question until something is entered', async () => {
    const naming = table.columns?.find(({ title }) => title === 'Name');
    const values = { [naming?.id ?? '']: 'Grace' };
    const memory = show({ rowKey: undefined, values, areDefaults: true }, { confirm: () => false });
    memory.open();
    expect(await screen.findByRole('textbox', { name: /Name/ })).toBe(document.activeElement);
    await memory.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), ' H.');
    await memory.user.keyboard('{Escape}');
    await waitFor(() => expect(memory.questions).toHaveLength(1));
    expect(sent(memory)).toEqual([]);
  });

  describe('of a table with links', () => {
    const linkType: WebColumnType = {
      ...textType,
      id: 'Link',
      storage: 'virtual',
      open: () => undefined,
      Answer: ({ column, labelledBy, onChange }) => (
        <button
          type="button"
          aria-labelledby={labelledBy}
          onClick={() => onChange([{ Id: 7, Name: 'AC/DC' }])}
        >
          {`Choose for ${column.title}`}
        </button>
      ),
      keptAnswers: {
        columnsOf: ({ id }) => (id === 'cl_artist' ? ['cl_fk'] : []),
        valuesOf: async (_value, { column }) => (column.id === 'cl_artist' ? { cl_fk: 7 } : undefined),
      },
      writeCells: async ({ column, changes, perform }) => {
        await perform({ method: 'PUT', path: '/links', body: changes.map(({ rowKey }) => rowKey) });
        return refusals.map((message) => ({ rowKey: '2', columnId: column.id, message }));
      },
    };
    let refusals: readonly string[] = [];
    afterEach(() => {
      refusals = [];
    });
    const linked = { virtual: true, uidt: 'Link', storage: 'virtual' } as const;
    const album = aTable([
      aColumn('cl_id', 'Id', { uidt: 'Number', pk: true, ai: true, rqd: true }),
      aColumn('cl_name', 'Name', { pv: true }),
      aColumn('cl_fk', 'ArtistId', { uidt: 'Number', rqd: true }),
      aColumn('cl_artist', 'Artist', linked),
      aColumn('cl_tracks', 'Tracks', linked),
      aColumn('cl_hidden', 'Junction', { ...linked, system: true }),
    ]);
    const withLinks = (request: Partial<RowRequest> = {}) => {
      const permitted = { ...project, permissions: [...(project.permissions ?? []), 'relationDataAdd'] };
      const memory = show(
        { project: permitted, table: album, rowKey: undefined, ...request },
        {
          registries: { columnTypes: [textType, number, linkType] },
          api: {
            'GET /api/v1/db/meta/tables/md_1': album,
            [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', ArtistId: 7 },
            [`POST ${rowPath}`]: ({ body }: { readonly body: Row }) =>
              new FakeResponse({ Id: 2, ...body }, { 'x-trellis-operation': 'op_1' }),
            'PUT /links': new FakeResponse({}, { 'x-trellis-operation': 'op_2' }),
            'POST /api/v1/db/data/operations/p_1/op_1/undo': {},
            'POST /api/v1/db/data/operations/p_1/op_2/undo': {},
          },
        },
      );
      memory.open();
      return memory;
    };

    test('shows what is linked, and folds the key that says so away', async () => {
      withLinks({ rowKey: '1' });
      await screen.findByRole('dialog', { name: /Ada/ });
      expect(screen.getByText('Artist').closest('details')).toBeNull();
      expect(screen.getByText('ArtistId').closest('details')?.open).toBe(false);
    });

    test('asks for the row behind a foreign key, not for the key, and needs it where the key does', async () => {
      const memory = withLinks();
      await screen.findByRole('dialog', { name: 'New row' });
      expect(screen.queryByText('Junction')).toBeNull();
      expect(screen.getByText('ArtistId').closest('details')?.open).toBe(false);
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      expect(screen.getByText('“Artist” must not be empty.')).toBeTruthy();
      expect(sent(memory)).toEqual([]);
      await memory.user.click(screen.getByText('Choose for Artist'));
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(sent(memory)).toMatchObject([{ method: 'POST', path: rowPath, body: { ArtistId: 7 } }]);
    });

    test('shows a key that it was given, in place of asking for its row', async () => {
      const memory = withLinks({ values: { cl_fk: 9 } });
      expect(await screen.findByRole('textbox', { name: /ArtistId/ })).toHaveProperty('value', '9');
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      await waitFor(() => expect(sent(memory)).toMatchObject([{ method: 'POST', body: { ArtistId: 9 } }]));
    });

    test('links other rows once it is there', async () => {
      const memory = withLinks({ values: { cl_fk: 9 } });
      await memory.user.click(await screen.findByText('Choose for Tracks'));
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(sent(memory)).toMatchObject([
        { method: 'POST', path: rowPath },
        { method: 'PUT', path: '/links', body: ['2'] },
      ]);
    });

    test('is taken back where a link is refused, and says so at the link', async () => {
      refusals = ['The row is gone.'];
      const memory = withLinks({ values: { cl_fk: 9 } });
      await memory.user.click(await screen.findByText('Choose for Tracks'));
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      expect(await screen.findByText('The row is gone.')).toBeTruthy();
      expect(sent(memory).slice(2)).toMatchObject([
        { method: 'POST', path: expect.stringMatching(/op_2\/undo$/) as unknown },
        { method: 'POST', path: expect.stringMatching(/op_1\/undo$/) as unknown },
      ]);
    });
  });
});

describe('changes that are not saved', () => {
  const others: MemoryHostOptions = {
    api: ({ path }) =>
      path.includes('/meta/')
        ? table
        : path.endsWith('/history')
          ? { list: [] }
          : { Id: Number(path.split('/').at(-1)), Name: 'Ada' },
  };

  describe('in a pane', () => {
    const notes: RowPane = { id: 'notes', label: 'Notes', icon: 'comment', Component: Notes };
    function Notes({ rowKey, onDirty }: RowPaneProps) {
      return (
        <input aria-label={`Note on ${rowKey}`} onChange={({ target }) => onDirty?.(target.value !== '')} />
      );
    }
    const withNotes = (options: MemoryHostOptions) => {
      const registries = { columnTypes: [textType, number], rowPanes: [notes, historyPane] };
      return show({}, { ...others, registries, ...options });
    };

    test('are asked about before the page is left, until they are gone', async () => {
      const memory = withNotes({});
      memory.open();
      await memory.user.click(await screen.findByRole('button', { name: 'Notes' }));
      const note = screen.getByRole('textbox', { name: 'Note on 1' });
      const leavesAsking = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
      expect(leavesAsking()).toBe(false);
      await memory.user.type(note, 'x');
      expect(leavesAsking()).toBe(true);
      await memory.user.clear(note);
      expect(leavesAsking()).toBe(false);
      await memory.user.click(screen.getByRole('button', { name: 'Notes' }));
      await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      expect(leavesAsking()).toBe(true);
      memory.unmount();
      expect(leavesAsking()).toBe(false);
    });

    test('are asked about, whichever way the row is left, and stay when the answer is no', async () => {
      const memory = withNotes({ confirm: () => false });
      memory.open();
      await memory.user.click(await screen.findByRole('button', { name: 'Notes' }));
      await memory.user.type(screen.getByRole('textbox', { name: 'Note on 1' }), 'x{Escape}');
      await waitFor(() => expect(memory.questions).toHaveLength(1));
      expect(memory.questions[0]?.message).toBe('What you wrote under “Notes” is not sent.');
      await memory.user.click(screen.getByRole('button', { name: 'Close' }));
      await act(async () => memory.panelRequests.open({ project, table, rowKey: '2' }));
      expect(memory.questions).toHaveLength(3);
      expect(screen.getByRole('textbox', { name: 'Note on 1' })).toHaveProperty('value', 'x');
    });

    test('wait out of sight while the fields or another pane are shown', async () => {
      const memory = withNotes({ confirm: () => false });
      memory.open();
      await memory.user.click(await screen.findByRole('button', { name: 'Notes' }));
      await memory.user.type(screen.getByRole('textbox', { name: 'Note on 1' }), 'x');
      for (const name of ['Notes', 'History']) {
        await memory.user.click(screen.getByRole('button', { name }));
        expect(screen.queryByRole('textbox', { name: 'Note on 1' })).toBeNull();
      }
      await memory.user.click(screen.getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(memory.questions).toHaveLength(1));
      await memory.user.click(screen.getByRole('button', { name: 'Notes' }));
      expect(screen.getByRole('textbox', { name: 'Note on 1' })).toHaveProperty('value', 'x');
    });

    test('are asked about once where the row is left for its duplicate', async () => {
      const memory = withNotes({
        confirm: () => true,
        api: ({ path, method, body }) => {
          if (path.includes('/meta/')) return table;
          if (method === 'GET') return { Id: Number(path.split('/').at(-1)), Name: 'Ada' };
          return (body as readonly Row[]).map((row) => ({ Id: 9, ...row }));
        },
      });
      memory.open();
      await memory.user.click(await screen.findByRole('button', { name: 'Notes' }));
      await memory.user.type(screen.getByRole('textbox', { name: 'Note on 1' }), 'x');
      await memory.user.click(screen.getByRole('button', { name: 'Duplicate row' }));
      await waitFor(() => expect(memory.panelRequests.current?.rowKey).toBe('9'));
      expect(memory.questions).toHaveLength(1);
    });

    test('leave the hidden form alone when the keys for saving are pressed', async () => {
      const memory = withNotes({});
      memory.open();
      await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      await memory.user.click(screen.getByRole('button', { name: 'Notes' }));
      await memory.user.type(screen.getByRole('textbox', { name: 'Note on 1' }), 'x{Control>}s{/Control}');
      expect(sent(memory)).toEqual([]);
      await memory.user.click(screen.getByRole('button', { name: 'Notes' }));
      await memory.user.keyboard('{Control>}s{/Control}');
      await waitFor(() => expect(sent(memory)).toHaveLength(1));
    });
  });

  test.each([true, false])(
    'are asked about when another row is opened, over this one: %p, and stay when the answer is no',
    async (isDeeper) => {
      const memory = show({}, { ...others, confirm: () => false });
      memory.open();
      await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      await act(async () => memory.panelRequests.open({ project, table, rowKey: '2', isDeeper }));
      expect(memory.questions).toHaveLength(1);
      expect(memory.panelRequests.current?.rowKey).toBe('1');
      expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
    },
  );

  test('go when the person says so, and are not asked about where there are none', async () => {
    const memory = show({}, { ...others, confirm: () => true });
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
    await act(async () => memory.panelRequests.open({ project, table, rowKey: '2', isDeeper: true }));
    expect(memory.panelRequests.current?.rowKey).toBe('2');
    await memory.user.click(await screen.findByRole('button', { name: 'Back' }));
    await waitFor(() => expect(memory.panelRequests.current?.rowKey).toBe('1'));
    expect(memory.questions).toHaveLength(1);
  });

  test('keep the panel at their row when a duplicate of it or its deletion comes back late', async () => {
    for (const name of ['Duplicate row', 'Delete row']) {
      let answer = () => {};
      const gate = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const memory = show(
        {},
        {
          api: async ({ method, path, body }) => {
            if (path.includes('/meta/')) return table;
            if (method === 'GET') return { Id: Number(path.split('/').at(-1)), Name: 'Ada' };
            await gate;
            return (body as readonly Row[]).map((row) => ({ Id: 9, ...row }));
          },
        },
      );
      memory.open();
      await screen.findByRole('textbox', { name: /Name/ });
      await memory.user.click(screen.getByRole('button', { name }));
      await memory.user.type(screen.getByRole('textbox', { name: /Name/ }), 'x');
      await act(async () => answer());
      await waitFor(() => expect(memory.toasts).toHaveLength(1));
      expect(memory.panelRequests.current?.rowKey).toBe('1');
      expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
      cleanup();
    }
  });

  test('or none: a row is deleted after a question, as it is in a view', async () => {
    const memory = show({}, { ...others, confirm: () => false });
    memory.open();
    await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.click(screen.getByRole('button', { name: 'Delete row' }));
    await waitFor(() => expect(memory.questions).toMatchObject([{ title: 'Delete this row?' }]));
    expect(sent(memory)).toEqual([]);
  });

  test('are asked about before their row is deleted', async () => {
    const memory = show({}, { ...others, confirm: () => false });
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
    await memory.user.click(screen.getByRole('button', { name: 'Delete row' }));
    expect(memory.questions).toHaveLength(1);
    expect(sent(memory)).toEqual([]);
  });
});

describe('what others change while a row is open', () => {
  test('a row of a linked table is shown as it is now', async () => {
    let owner = 'Bo';
    const linked = linking('md_owners');
    const memory = show(
      { table: linked },
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': linked,
          [`GET ${rowPath}/1`]: () => ({ Id: 1, Name: 'Ada', Age: 36, Owner: owner }),
        },
      },
    );
    memory.open();
    await screen.findByText('Bo');
    owner = 'Cy';
    act(() =>
      memory.receive({
        kind: 'rows',
        projectId: 'p_1',
        tableId: 'md_owners',
        changes: [{ key: '7', op: 'update' }],
        requestId: 'other',
      } as never),
    );
    expect(await screen.findByText('Cy')).toBeTruthy();
  });

  test('a row is saved though a column with a problem is gone, and what was typed for it is told', async () => {
    let columns = table.columns ?? [];
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': () => ({ ...table, columns }),
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
          [`PATCH ${rowPath}/1`]: ({ body }: { readonly body: Row }) => ({ Id: 1, ...body }),
        },
      },
    );
    memory.open();
    const age = await screen.findByRole('textbox', { name: 'Age' });
    await memory.user.clear(age);
    await memory.user.type(age, 'old{Tab}');
    const name = screen.getByRole('textbox', { name: /Name/ });
    await memory.user.type(name, ' Lovelace{Tab}');
    columns = columns.filter(({ id }) => id !== 'cl_age');
    act(() => memory.host.invalidate(['table:md_1']));
    await waitFor(() => expect(screen.queryByText('Age')).toBeNull());
    expect(memory.toasts).toMatchObject([{ summary: 'The column “Age” was taken away while you typed.' }]);
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(memory)).toMatchObject([{ body: { Name: 'Ada Lovelace' } }]));
  });
});
