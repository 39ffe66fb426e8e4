import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { RowSearchContext, useNewRowSearch } from '@trellis/sdk/web/views';
import {
  aColumn,
  aProject,
  aTable,
  FakeResponse,
  numberType,
  renderWithHost,
  textType,
} from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { userEvent } from '@testing-library/user-event';
import { gridView } from '../shared/index.ts';
import { FakeGridServer } from '../testing/fake-grid-server.ts';
import GridSettings from './GridSettings.tsx';
import GridView from './GridView.tsx';

const table = aTable([
  aColumn('cl_id', 'Id', { uidt: 'Number', pk: true, ai: true }),
  aColumn('cl_name', 'Name', { pv: true }),
  aColumn('cl_age', 'Age', { uidt: 'Number' }),
]);
const viewOf = (meta: object) => ({ id: 'vw_1', title: 'Grid', meta }) as ViewEntity;
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ Id: at + 1, Name: `Row ${at + 1}`, Age: at + 1, Map: null }));

const gridOf = (meta: object): ReactElement => (
  <GridView
    project={aProject({ role: 'owner' })}
    table={table}
    view={{ ...viewOf(meta), lock_type: 'collaborative' }}
    readOnly={false}
  />
);

interface Around {
  readonly prepare?: (server: FakeGridServer) => void;
  /** What is drawn; the grid alone when left out. */
  readonly of?: ReactElement;
}

function show(meta: object, count = 60, { prepare, of = gridOf(meta) }: Around = {}) {
  const server = new FakeGridServer();
  server.rows = rowsOf(count);
  prepare?.(server);
  const memory = renderWithHost(of, {
    registries: {
      columnTypes: [numberType, { ...textType, operators: ['like'] }],
      viewTypes: [{ ...gridView, icon: 'table', View: GridView }],
    },
    api: (request) => {
      const body = server.answer(request);
      return request.method === 'GET' || request.method === undefined
        ? body
        : new FakeResponse(body, { 'x-trellis-operation': `op${server.requests.length}` });
    },
  });
  return { server, user: userEvent.setup(), ...memory };
}

beforeEach(() => {
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

const cell = (name: string) => screen.findByRole('gridcell', { name });
const pages = () => screen.getByRole('navigation', { name: 'Pages' });
const go = (name: string) => within(pages()).getByRole('button', { name });
const pasteText = (text: string) =>
  fireEvent.paste(screen.getByRole('textbox'), {
    clipboardData: { getData: (type: string) => (type === 'text/plain' ? text : '') },
  });

test('a view without pages has no pager', async () => {
  show({});
  await cell('Row 1');
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
});

test('each page shows its rows with their numbers, and says which of how many', async () => {
  const { user } = show({ pageSize: 25 });
  await cell('Row 1');
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('26');
  expect(await within(pages()).findByText('1–25 of 60')).toBeTruthy();
  expect(go('Previous page').getAttribute('aria-disabled')).toBe('true');

  await user.click(go('Next page'));
  await cell('Row 26');
  expect(screen.queryByRole('gridcell', { name: 'Row 1' })).toBeNull();
  expect(within(pages()).getByText('26–50 of 60')).toBeTruthy();
  expect(screen.getAllByRole('rowheader')[0]?.textContent).toBe('26');

  await user.click(go('Last page'));
  await cell('Row 51');
  expect(within(pages()).getByText('51–60 of 60')).toBeTruthy();
  expect(go('Next page').getAttribute('aria-disabled')).toBe('true');
  await user.click(go('First page'));
  await cell('Row 1');
});

test('by the keyboard alone, and what was ticked goes with its page', async () => {
  const { user } = show({ pageSize: 25 });
  await cell('Row 1');
  await within(pages()).findByText('1–25 of 60');
  await user.click(screen.getByRole('checkbox', { name: /all rows/i }));
  await waitFor(() => expect(screen.getAllByRole('row', { selected: true }).length).toBeGreaterThan(0));
  act(() => go('Next page').focus());
  await user.keyboard('{Enter}');
  await cell('Row 26');
  expect(document.activeElement).toBe(go('Next page'));
  await waitFor(() => expect(screen.queryAllByRole('row', { selected: true })).toEqual([]));
});

test('a row that is added leads to the page on which it stands', async () => {
  const { user, server } = show({ pageSize: 25 });
  await cell('Row 1');
  await within(pages()).findByText('1–25 of 60');
  await user.click(screen.getAllByRole('button', { name: 'New row' })[0] as HTMLElement);
  await waitFor(() => expect(server.rows).toHaveLength(61));
  expect(await within(pages()).findByText('51–61 of 61')).toBeTruthy();
});

test('a page whose rows are gone gives way to the one before it', async () => {
  const { user, server, receive } = show({ pageSize: 25 }, 51);
  await cell('Row 1');
  await within(pages()).findByText('1–25 of 51');
  await user.click(go('Last page'));
  await cell('Row 51');
  server.rows = rowsOf(50);
  act(() =>
    receive({
      kind: 'rows',
      projectId: 'p_1',
      tableId: table.id,
      seq: 1,
      requestId: 'others',
      changes: [{ op: 'delete', key: '51' }],
    }),
  );
  expect(await within(pages()).findByText('26–50 of 50')).toBeTruthy();
});

test('what is being typed on a later page is told where others delete its row', async () => {
  const { user, server, receive } = show({ pageSize: 25 });
  await cell('Row 1');
  await within(pages()).findByText('1–25 of 60');
  await user.click(go('Next page'));
  await cell('Row 26');
  act(() => screen.getByRole('textbox').focus());
  await user.keyboard('{Control>}{Home}{/Control}Anna');
  server.rows = server.rows.filter(({ Id }) => Id !== 26);
  act(() =>
    receive({
      kind: 'rows',
      projectId: 'p_1',
      tableId: table.id,
      seq: 1,
      requestId: 'others',
      changes: [{ op: 'delete', key: '26' }],
    }),
  );
  expect(await screen.findByText(/“Anna” was not saved. This row was deleted while you typed/)).toBeTruthy();
});

test('what is pasted over the end of a page makes no row behind all others, and is told', async () => {
  const { user, server } = show({ pageSize: 25 }, 30);
  await cell('Row 1');
  await within(pages()).findByText('1–25 of 30');
  act(() => screen.getByRole('textbox').focus());
  await user.keyboard('{Control>}{ArrowDown}{/Control}');
  pasteText('one\ntwo');
  await waitFor(() => expect(server.rows[24]?.Name).toBe('one'));
  expect(server.rows.slice(25).map(({ Name }) => Name)).toEqual(
    rowsOf(30)
      .slice(25)
      .map(({ Name }) => Name),
  );
  expect(
    await screen.findByText(/1 pasted row had no place beyond the last row of this page and was left out/),
  ).toBeTruthy();

  await user.click(go('Last page'));
  await cell('Row 30');
  act(() => screen.getByRole('textbox').focus());
  await user.keyboard('{Control>}{ArrowDown}{/Control}');
  pasteText('one\ntwo');
  await waitFor(() => expect(server.rows.slice(29).map(({ Name }) => Name)).toEqual(['one', 'two']));
});

describe('while nobody can count the rows', () => {
  const uncounted = {
    prepare: (server: FakeGridServer) => {
      server.countRefusal = new ApiError(503, 'It takes too long.');
    },
  };

  test('each full page leads to the next one, and the last one is known by its end', async () => {
    const { user } = show({ pageSize: 100 }, 200, uncounted);
    await cell('Row 1');
    expect(within(pages()).getByText('1–100 of …')).toBeTruthy();
    await user.click(go('Next page'));
    await cell('Row 101');
    await user.click(go('Next page'));
    expect(await within(pages()).findByText('101–200 of 200')).toBeTruthy();
    expect(go('Next page').getAttribute('aria-disabled')).toBe('true');
  });

  test('what is pasted over the end of a page makes no row behind all others', async () => {
    const { user, server } = show({ pageSize: 100 }, 250, uncounted);
    await cell('Row 1');
    act(() => screen.getByRole('textbox').focus());
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    pasteText('one\ntwo');
    await waitFor(() => expect(server.rows[99]?.Name).toBe('one'));
    expect(server.rows).toHaveLength(250);
  });
});

test('a cell that was not taken on a later page is named by the number of its row', async () => {
  const { user } = show({ pageSize: 25 });
  await cell('Row 1');
  await within(pages()).findByText('1–25 of 60');
  await user.click(go('Next page'));
  await cell('Row 26');
  act(() => screen.getByRole('textbox').focus());
  await user.keyboard('{Control>}{Home}{/Control}{ArrowRight}');
  pasteText('many');
  expect(await screen.findByText(/^Age, row 26: “many”/)).toBeTruthy();
});

test('what is looked for is shown from the first page on', async () => {
  function Searched() {
    const search = useNewRowSearch({ id: 'vw_1' });
    return (
      <RowSearchContext value={search}>
        <button type="button" onClick={() => search.search('Row')}>
          Look for “Row”
        </button>
        {gridOf({ pageSize: 25 })}
      </RowSearchContext>
    );
  }
  const { user, server } = show({}, 130, { of: <Searched /> });
  await cell('Row 1');
  await within(pages()).findByText('1–25 of 130');
  await user.click(go('Last page'));
  await cell('Row 126');
  server.rows = rowsOf(60);
  await user.click(screen.getByRole('button', { name: 'Look for “Row”' }));
  expect(await within(pages()).findByText('1–25 of 60')).toBeTruthy();
  await cell('Row 1');
});

test('under heads of groups there are no pages, and it is said', async () => {
  show({ pageSize: 25, groups: [{ columnId: 'cl_name', direction: 'asc' }] }, 3);
  expect(await screen.findByText(/While rows are grouped they are not shown in pages/)).toBeTruthy();
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
});

test('while groups are still read there are no pages either; where they cannot be read there are', async () => {
  const grouped = { pageSize: 25, groups: [{ columnId: 'cl_name', direction: 'asc' }] };
  const neverGrouped = (server: FakeGridServer) => {
    const answer = server.answer.bind(server);
    server.answer = (request) =>
      request.path.endsWith('/groups') ? new Promise(() => undefined) : answer(request);
  };
  show(grouped, 60, { prepare: neverGrouped });
  await cell('Row 10');
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  cleanup();

  const refused = (server: FakeGridServer) => {
    server.groupsRefusal = new ApiError(503, 'It takes too long.');
  };
  show(grouped, 60, { prepare: refused });
  expect(await screen.findByText(/Groups could not be read/)).toBeTruthy();
  expect(await within(pages()).findByText('1–25 of 60')).toBeTruthy();
});

test.each([
  ['short', 34],
  ['medium', 58],
  ['tall', 94],
  ['extraTall', 130],
])('rows are as high as the view says: %s', async (rowHeight, pixels) => {
  show({ rowHeight }, 3);
  const row = (await cell('Row 1')).closest<HTMLElement>('[role=row]');
  expect(row?.style.height).toBe(`${pixels}px`);
  const lines = (await screen.findByRole('grid')).closest<HTMLElement>('.tgrid')?.style;
  expect(lines?.getPropertyValue('--tr-cell-lines') ?? '').toBe(
    { short: '', medium: '2', tall: '4', extraTall: '6' }[rowHeight],
  );
});

test('height, pages and frozen columns are settings of the view, and the others stay', async () => {
  const changes: unknown[] = [];
  const kept = { rowHeight: 'short', pageSize: 0, frozenColumns: 1, groups: [], additions: { stars: {} } };
  renderWithHost(
    <GridSettings
      project={aProject({ role: 'owner' })}
      table={table}
      view={viewOf(kept)}
      readOnly={false}
      settings={kept}
      onChange={(next) => changes.push(next)}
    />,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('radio', { name: 'Tall' }));
  await user.selectOptions(screen.getByLabelText('Rows per page'), '50');
  await user.selectOptions(screen.getByLabelText('Frozen columns'), 'None');
  expect(changes).toEqual([
    { ...kept, rowHeight: 'tall' },
    { ...kept, pageSize: 50 },
    { ...kept, frozenColumns: 0 },
  ]);
});
