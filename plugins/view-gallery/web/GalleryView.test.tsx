import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, FakeResponse, renderWithHost, textType } from '@trellis/sdk/testing/web';
import type { ApiRequest } from '@trellis/sdk/web';
import { takeBack } from '@trellis/sdk/web/rows';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import GalleryView from './GalleryView.tsx';

const table = aTable([
  aColumn('cl_id', 'Id', { pk: true, system: true }),
  aColumn('cl_name', 'Name', { pv: true }),
]);
const meta = { coverFit: 'cover', cardSize: 'medium', showsNames: true };
const view = { id: 'vw_1', fk_model_id: table.id, view_type: 'gallery', title: 'Cards', meta };

interface Rows {
  list(this: void): readonly object[];
  /** What the server does with a call that writes. */
  write?(this: void, request: ApiRequest): unknown;
}

function show(role: 'editor' | 'viewer', { list, write }: Rows = { list: () => [{ Id: 1, Name: 'Ada' }] }) {
  return renderWithHost(
    <GalleryView
      project={aProject({ role })}
      table={table}
      view={view as unknown as ViewEntity}
      readOnly={role === 'viewer'}
    />,
    {
      registries: { columnTypes: [textType] },
      api: (request) => {
        const { method, path } = request;
        if (method !== 'GET') return write?.(request);
        if (path.endsWith(`/tables/${table.id}`)) return table;
        if (path.endsWith('/sorts')) return { sorts: { list: [] } };
        if (path.includes('/meta/views/')) return [];
        const rows = list();
        if (path.endsWith('/count')) return { count: rows.length };
        return { list: rows, pageInfo: { totalRows: rows.length, isLastPage: true } };
      },
    },
  );
}

beforeEach(() => {
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

test.each([
  ['editor', 'One row selected'],
  ['viewer', undefined],
] as const)('an %s selects cards by Space where something can be done with them: %s', async (role, words) => {
  show(role);
  (await screen.findByRole('article', { name: 'Ada' })).focus();
  await userEvent.keyboard(' ');
  expect(screen.queryByText('One row selected')?.textContent).toBe(words);
});

test('Escape in the field of a new card gives the keys back to its button', async () => {
  show('editor');
  await userEvent.click(await screen.findByRole('button', { name: 'New row' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'New row' }));
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New row' }));
});

test('a card that was deleted comes back by the offer to undo it, and one that was added goes by it', async () => {
  const ada = { Id: 1, Name: 'Ada' };
  let rows: readonly object[] = [ada];
  const undone: string[] = [];
  const { host, toasts } = show('editor', {
    list: () => rows,
    write({ method, path }) {
      if (path.endsWith('/undo')) {
        undone.push(path.split('/').at(-2) ?? '');
        rows = [ada];
        return new FakeResponse({}, { 'x-trellis-operation': 'back' });
      }
      const isDeletion = method === 'DELETE';
      const added = { Id: 2, Name: 'Bob' };
      rows = isDeletion ? [] : [ada, added];
      return new FakeResponse(isDeletion ? 1 : added, {
        'x-trellis-operation': isDeletion ? 'deletion' : 'addition',
      });
    },
  });
  const card = (name: string) => screen.queryByRole('article', { name });
  (await screen.findByRole('article', { name: 'Ada' })).focus();
  await userEvent.keyboard('{Shift>}{F10}{/Shift}');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete row' }));
  await waitFor(() => expect(card('Ada')).toBeNull());
  act(() => toasts.at(-1)?.action?.run());
  await waitFor(() => expect(card('Ada')).not.toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'New row' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'New row' }), 'Bob{Enter}');
  await waitFor(() => expect(card('Bob')).not.toBeNull());
  const inSight = host.shell.context.rows;
  if (inSight === undefined) throw new Error('No rows are in sight.');
  await act(() => takeBack(inSight, 'undo', host));
  await waitFor(() => expect(card('Bob')).toBeNull());
  expect(undone).toEqual(['deletion', 'addition']);
});

test('a gallery without rows says so', async () => {
  show('editor', { list: () => [] });
  expect(await screen.findByText('There are no rows yet.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
});
