import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { SortEntity, ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, FakeResponse, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { gridView } from '../shared/index.ts';
import { FakeGridServer } from '../testing/fake-grid-server.ts';
import GridView from './GridView.tsx';

const columns = [
  aColumn('cl_id', 'Id', { uidt: 'Number', pk: true, ai: true }),
  aColumn('cl_name', 'Name', { pv: true }),
];
const table = { ...aTable(columns), base_id: 'ds_1' };
const view = { id: 'vw_1', title: 'Grid', meta: null } as ViewEntity;

beforeEach(() => {
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(async () => {
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  cleanup();
  jest.restoreAllMocks();
});

async function show({
  own = true,
  sorts = [],
}: { own?: boolean; sorts?: readonly Partial<SortEntity>[] } = {}) {
  const server = new FakeGridServer();
  server.sorts = sorts;
  const project = aProject({ bases: [{ id: 'ds_1', is_meta: own }] as never });
  const { receive } = renderWithHost(
    <GridView project={project} table={table} view={view} readOnly={false} />,
    {
      registries: { columnTypes: [textType], viewTypes: [{ ...gridView, icon: 'table', View: GridView }] },
      api: (request) => {
        const body = server.answer(request);
        const isWrite = request.method !== 'GET';
        return isWrite
          ? new FakeResponse(body, { 'x-trellis-operation': `op${server.requests.length}` })
          : body;
      },
    },
  );
  const ada = await screen.findByRole('gridcell', { name: 'Ada' });
  const openMenu = (row = 0) =>
    fireEvent.contextMenu(screen.getByRole('gridcell', { name: 'Ada' }), {
      clientX: 100,
      clientY: 50 + row * 34,
    });
  return {
    server,
    receive,
    ada,
    openMenu,
    user: userEvent.setup(),
    names: () => server.rows.map((row) => row.Name),
  };
}

test('a row is inserted above or below another one, and the person is led to it', async () => {
  const { openMenu, user, names } = await show();
  openMenu();
  await user.click(screen.getByRole('menuitem', { name: 'Insert a row above' }));
  await waitFor(() => expect(names()).toEqual([null, 'Ada', 'Grace']));
  const input = () => screen.getByRole('textbox');
  await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 1'));
  await user.keyboard('first{Enter}');
  await waitFor(() => expect(names()).toEqual(['first', 'Ada', 'Grace']));
  expect(input().getAttribute('aria-label')).toBe('Name, row 2');
  openMenu(1);
  await user.click(screen.getByRole('menuitem', { name: 'Insert a row below' }));
  await waitFor(() => expect(names()).toEqual(['first', 'Ada', null, 'Grace']));
  await waitFor(() => expect(input().getAttribute('aria-label')).toBe('Name, row 3'));
});

test('a duplicate stands below its row, and moving by keys is one step', async () => {
  const { openMenu, user, names } = await show();
  openMenu();
  await user.click(screen.getByRole('menuitem', { name: 'Duplicate row' }));
  await waitFor(() => expect(names()).toEqual(['Ada', 'Ada', 'Grace']));
  screen.getByRole('textbox').focus();
  await user.keyboard(
    '{Control>}{Home}{/Control}{ArrowDown}{ArrowDown}{Alt>}{Shift>}{ArrowUp}{/Shift}{/Alt}',
  );
  await waitFor(() => expect(names()).toEqual(['Ada', 'Grace', 'Ada']));
});

test('nothing of it is offered in a table of another database, and in a view that sorts', async () => {
  const { openMenu } = await show({ own: false });
  openMenu();
  expect(screen.queryByRole('menuitem', { name: /Insert/ })).toBeNull();
  cleanup();
  const sorted = await show({ sorts: [{ id: 'so_1', fk_column_id: 'cl_name', direction: 'asc' }] });
  await waitFor(() => expect(sorted.server.requests.some(({ path }) => path.endsWith('/sorts'))).toBe(true));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  sorted.openMenu();
  expect(screen.queryByRole('menuitem', { name: /Insert/ })).toBeNull();
});

test('a row is inserted beside the one that the menu was opened on, wherever others have moved it', async () => {
  const { server, receive, openMenu, user } = await show();
  openMenu(1);
  server.rows = server.rows.slice(1);
  const event = { kind: 'rows', projectId: 'p_1', tableId: 'md_1', seq: 1, requestId: 'r' } as const;
  act(() => receive({ ...event, changes: [{ op: 'delete', key: '1' }] }));
  await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull());
  await user.click(screen.getByRole('menuitem', { name: 'Insert a row above' }));
  await waitFor(() => expect(server.written().at(-1)?.query).toMatchObject({ before: '2' }));
});
