import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Row } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest, type ViewProps } from '@trellis/sdk/web';
import { useRows } from '@trellis/sdk/web/rows';
import { aColumn, aTable, aView, FakeResponse, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Route, Routes } from 'react-router-dom';
import VisitPage from './VisitPage.tsx';

const { showModal } = HTMLDialogElement.prototype;
beforeEach(() => {
  // What jsdom lacks of dialogs.
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    this.open = true;
  };
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
  HTMLDialogElement.prototype.showModal = showModal;
});

/** The names of a view's rows, and something that a visitor types beside them. */
function Names({ project, table, view }: ViewProps) {
  const { source } = useRows({ kind: 'view', project, table, view });
  useSyncExternalStore(source.subscribe, () => source.version);
  useEffect(() => source.ensure(0, 1), [source]);
  const [note, setNote] = useState('');
  const name = Object.values(source.rowAt(0)?.values ?? {}).at(-1);
  return (
    <>
      <p>{source.error === undefined ? String(name) : `Failed: ${source.error.message}`}</p>
      <input aria-label="Note" value={note} onChange={({ target }) => setNote(target.value)} />
    </>
  );
}

/** The page of a link, with what its owner may change of it meanwhile. */
function visit() {
  const of = {
    password: undefined as string | undefined,
    isOpen: true,
    title: 'People',
    column: 'Name',
    rows: [{ Id: 1, Name: 'Ada' }] as readonly Row[],
  };
  const answerTo = ({ path, headers }: ApiRequest): unknown => {
    if (!of.isOpen) throw new ApiError(404, 'Not found');
    if (of.password !== undefined && headers?.['xc-password'] !== of.password)
      throw new ApiError(403, 'INVALID_SHARED_VIEW_PASSWORD', 'INVALID_SHARED_VIEW_PASSWORD');
    const columns = [aColumn('cl_id', 'Id', { pk: true }), aColumn('cl_name', of.column)];
    const body = path.endsWith('/meta')
      ? {
          fk_model_id: 'md_1',
          project_id: 'p_1',
          meta: '{}',
          columns: columns.map(({ id }, order) => ({ id: `vc_${id}`, fk_column_id: id, order, show: true })),
          model: { ...aTable(columns), views: [aView({ title: of.title })] },
        }
      : { data: { list: of.rows, pageInfo: { totalRows: of.rows.length } } };
    const etag = JSON.stringify(body);
    if (headers?.['if-none-match'] === etag) throw new ApiError(304, '');
    return new FakeResponse(body, { etag });
  };
  const grid = {
    id: 'grid',
    label: 'Grid',
    icon: 'table',
    uses: [],
    sharing: { visitors: 'read' },
    View: Names,
  };
  const memory = renderWithHost(
    <Routes>
      <Route path="/nc/view/:uuid" element={<VisitPage />} />
    </Routes>,
    {
      user: null,
      route: '/nc/view/u1',
      registries: { viewTypes: [grid as never], columnTypes: [textType] },
      api: answerTo,
    },
  );
  return { ...memory, of };
}

const lookAgain = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));

test('a password that changes while a stranger looks is asked for in place, and everything goes on from there', async () => {
  const { of } = visit();
  const user = userEvent.setup();
  await screen.findByText('Ada');
  await user.type(screen.getByLabelText('Note'), 'half a thought');
  of.password = 'open sesame';
  of.rows = [{ Id: 1, Name: 'Grace' }];
  lookAgain();
  const asked = await screen.findByLabelText('Password');
  expect(screen.getByRole('dialog', { name: 'This view has a new password' })).toBeTruthy();
  await user.type(asked, 'guess');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByText('The password is not right.');
  await user.clear(asked);
  await user.type(asked, 'open sesame');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByText('Grace');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('half a thought');
  expect(screen.queryByText(/Failed/)).toBeNull();
});

test('rows that are refused for a new password wait for it, without an error', async () => {
  const { of } = visit();
  const user = userEvent.setup();
  await screen.findByText('Ada');
  of.title = 'Folk';
  lookAgain();
  await screen.findByRole('heading', { name: 'Folk' });
  // The link was read before the password changed, the rows are read after it.
  of.password = 'open sesame';
  await user.type(await screen.findByLabelText('Password'), 'open sesame');
  of.rows = [{ Id: 1, Name: 'Grace' }];
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByText('Grace');
  expect(screen.queryByText(/Failed/)).toBeNull();
});

test('what members write is seen within a minute; while nothing changes, the answers are not sent again', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  const { of, requests } = visit();
  await screen.findByText('Ada');
  await act(() => jest.advanceTimersByTimeAsync(5000));
  const begun = requests.length;
  await act(() => jest.advanceTimersByTimeAsync(60_000));
  const again = requests.slice(begun);
  expect(again.length).toBeGreaterThan(0);
  expect(again.every(({ headers }) => headers?.['if-none-match'] !== undefined)).toBe(true);
  // The link by itself, a page of rows, and how many there are.
  expect(again.length).toBeLessThanOrEqual(6);
  of.rows = [{ Id: 1, Name: 'Grace' }];
  await act(() => jest.advanceTimersByTimeAsync(60_000));
  expect(screen.getByText('Grace')).toBeTruthy();
});

test('what the owner changes of the view reaches whoever looks at it, and its end does', async () => {
  const { of } = visit();
  await screen.findByText('Ada');
  of.title = 'Folk';
  of.column = 'First name';
  of.rows = [{ Id: 1, 'First name': 'Grace' }];
  lookAgain();
  await screen.findByRole('heading', { name: 'Folk' });
  await screen.findByText('Grace');
  of.isOpen = false;
  lookAgain();
  expect(await screen.findByText('This link opens nothing')).toBeTruthy();
});

test('a page that is not seen asks for nothing', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  const { requests } = visit();
  await screen.findByText('Ada');
  const hidden = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  lookAgain();
  await act(() => jest.advanceTimersByTimeAsync(5000));
  const begun = requests.length;
  await act(() => jest.advanceTimersByTimeAsync(600_000));
  expect(requests).toHaveLength(begun);
  hidden.mockRestore();
  lookAgain();
  await waitFor(() => expect(requests.length).toBeGreaterThan(begun));
});
