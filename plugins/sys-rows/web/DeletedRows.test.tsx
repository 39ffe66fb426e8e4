import { afterEach, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aColumn, aProject, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { DeletionEntity } from '../shared/index.ts';
import DeletedRows from './DeletedRows.tsx';

afterEach(cleanup);

const name = aColumn('cl_name', 'Name', { pv: true });
const deletion: DeletionEntity = {
  operation_id: 'op_1',
  table: { id: 'md_1', title: 'People' },
  count: 5,
  column: name,
  names: ['Ada', 'Grace', 'Alan'],
  user: 'ann@example.com',
  deleted_at: '2026-03-01T10:00:00.000Z',
};

function show(
  list: readonly DeletionEntity[],
  answer: (request: ApiRequest) => unknown = () => ({ rows: 5 }),
) {
  const memory = renderWithHost(<DeletedRows project={aProject()} />, {
    api: (request) => ((request.method ?? 'GET') === 'GET' ? { list: [...list] } : answer(request)),
    registries: { columnTypes: [textType] },
  });
  return { ...memory, user: userEvent.setup() };
}

test('rows that one person deleted together are one entry, which brings all of them back', async () => {
  const { user, requests, toasts } = show([deletion]);
  expect(await screen.findByText('Ada, Grace, Alan and 2 more')).toBeTruthy();
  expect(screen.getByText(/5 rows of People, deleted .* by ann@example.com/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Restore Ada, Grace, Alan and 2 more' }));
  await waitFor(() => expect(toasts[0]?.summary).toBe('5 rows are back'));
  expect(requests.find(({ method }) => method === 'POST')?.path).toBe(
    '/api/v1/db/data/operations/p_1/op_1/undo',
  );
});

test('says which rows stay away since they were deleted for good meanwhile', async () => {
  const { user, toasts } = show([deletion], () => ({ rows: 4, purged: 1 }));
  await user.click(await screen.findByRole('button', { name: /^Restore/ }));
  await waitFor(() =>
    expect(toasts).toMatchObject([
      { summary: '4 rows are back', detail: 'One was deleted for good meanwhile and stays away.' },
    ]),
  );
});

test.each([
  ['they stay where the person says no', false],
  ['they leave the trash where the person says yes', true],
])('asks before rows are deleted for good: %s', async (_, agrees) => {
  const list = [deletion];
  const memory = renderWithHost(<DeletedRows project={aProject()} />, {
    api({ method }) {
      if (method === 'DELETE') list.pop();
      return method === 'DELETE' ? { rows: 5 } : { list: [...list] };
    },
    registries: { columnTypes: [textType] },
    confirm: () => agrees,
  });
  const { requests, questions, toasts } = memory;
  const user = userEvent.setup();
  const label = 'Delete Ada, Grace, Alan and 2 more for good';
  await user.click(await screen.findByRole('button', { name: label }));
  // Nobody is to take it for more than it is.
  const message = expect.stringMatching(
    /comments.*backups.*webhooks and automations for 30 days.*files for 90 days/,
  );
  expect(questions).toMatchObject([{ title: `${label}?`, danger: true, message }]);
  if (agrees) await screen.findByText('No rows were deleted.');
  expect(requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual(
    agrees ? ['/api/v1/db/data/operations/p_1/deletions/op_1'] : [],
  );
  expect(toasts.map(({ summary }) => summary)).toEqual(agrees ? ['5 rows are deleted for good'] : []);
});

test('the keys stay in the list when an entry leaves it, and with it when it is empty', async () => {
  const list = [deletion, { ...deletion, operation_id: 'op_2', names: ['Bo'], count: 1 }];
  const { user } = show(list, () => list.shift() && { rows: 1 });
  (await screen.findByRole('button', { name: /^Restore Ada/ })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Restore Bo' }));
  await user.keyboard('{Enter}');
  await screen.findByText('No rows were deleted.');
  expect(document.activeElement).toBe(screen.getByRole('list'));
});

test('whoever may not delete rows for good is not offered it', async () => {
  renderWithHost(<DeletedRows project={aProject({ role: 'editor' })} />, {
    api: () => ({ list: [deletion] }),
    registries: { columnTypes: [textType] },
  });
  expect(await screen.findByRole('button', { name: /^Restore/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /for good/ })).toBeNull();
});

test('rows without a name that may be read are counted', async () => {
  show([{ ...deletion, count: 1, column: null, names: [] }]);
  expect(await screen.findByText('1 row')).toBeTruthy();
  expect(screen.getByText(/^Row of People, deleted/)).toBeTruthy();
});

test('the list is read again when rows change, and whenever it is opened', async () => {
  const list = [deletion];
  function Trash() {
    const [isOpen, setOpen] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setOpen(!isOpen)}>
          Trash
        </button>
        {isOpen && <DeletedRows project={aProject()} />}
      </>
    );
  }
  const { receive } = renderWithHost(<Trash />, {
    api: () => ({ list: [...list] }),
    registries: { columnTypes: [textType] },
  });
  const user = userEvent.setup();
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  list.push({ ...deletion, operation_id: 'op_2' });
  const change = { projectId: 'p_1', tableId: 'md_1', seq: 1, requestId: 'rq_1' };
  act(() => receive({ kind: 'rowsReset', ...change }));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Trash' }));
  list.push({ ...deletion, operation_id: 'op_3' });
  await user.click(screen.getByRole('button', { name: 'Trash' }));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(3));
});

test('a covered name is not shown', async () => {
  const { container } = renderWithHost(<DeletedRows project={aProject()} />, {
    api: () => ({ list: [deletion] }),
    registries: { columnTypes: [{ ...textType, isCovered: true }] },
  });
  expect(await screen.findByText('5 rows')).toBeTruthy();
  expect(container.textContent).not.toContain('Ada');
});

test('says why rows cannot come back, and that there are none', async () => {
  const { user } = show([deletion], () => {
    throw new ApiError(409, 'Somebody changed them.');
  });
  await user.click(await screen.findByRole('button', { name: /^Restore/ }));
  expect((await screen.findByRole('alert')).textContent).toBe('Somebody changed them.');
  cleanup();
  show([]);
  expect(await screen.findByText('No rows were deleted.')).toBeTruthy();
});
