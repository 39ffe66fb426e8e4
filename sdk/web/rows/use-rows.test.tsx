import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup } from '@testing-library/react';
import { aColumn, aProject, aTable, FakeResponse, renderWithHost } from '../../testing/web.tsx';
import type { RowsClient } from './rows-client.ts';
import { useRows } from './use-rows.ts';

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
afterEach(cleanup);

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
