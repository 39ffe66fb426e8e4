import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest, type TrashSection } from '@trellis/sdk/web';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { TrashEntity } from '../shared/index.ts';
import TrashDialog from './TrashDialog.tsx';

const project = aProject({ title: 'Zoo' });
const times = { deleted_at: '2026-03-01 10:00:00', drops_at: '2026-03-31 10:00:00', is_meta: true };
const table: TrashEntity = { kind: 'table', id: 't_1', title: 'Cages', uidt: null, table: null, ...times };
const column: TrashEntity = {
  kind: 'column',
  id: 'c_1',
  title: 'Legs',
  uidt: 'Number',
  table: { id: 't_2', title: 'Animals' },
  ...times,
};

function show(
  answer: (request: ApiRequest) => unknown = () => true,
  list = [table, column],
  registries: { readonly trashSections?: readonly TrashSection[] } = {},
  of = project,
  open: ProjectEntity | undefined = of,
) {
  const memory = renderWithHost(<TrashDialog project={of} onClose={() => undefined} />, {
    api: (request) => (request.method === 'GET' ? { list: [...list] } : answer(request)),
    project: open,
    registries,
  });
  return {
    ...memory,
    user: userEvent.setup(),
    writes: () => memory.requests.filter((of) => (of.method ?? 'GET') !== 'GET'),
  };
}

afterEach(cleanup);

describe('the trash of a project', () => {
  test('says what was deleted, and until when it is kept', async () => {
    show();
    const text = await screen.findByText(/Column of Animals/);
    expect(text.textContent).toContain('deleted Mar 1, 2026, kept until Mar 31, 2026');
    expect(screen.getByText('Cages')).toBeTruthy();
  });

  test('shows what was deleted since it was closed, and what others delete and bring back meanwhile', async () => {
    let list = [table];
    function Trash() {
      const [isOpen, setOpen] = useState(true);
      return (
        <>
          <button type="button" onClick={() => setOpen(!isOpen)}>
            Trash
          </button>
          {isOpen && <TrashDialog project={project} onClose={() => setOpen(false)} />}
        </>
      );
    }
    const { receive } = renderWithHost(<Trash />, { api: () => ({ list }), project });
    await screen.findByText('Cages');
    const press = () => act(() => screen.getByText('Trash', { selector: 'button' }).click());
    press();
    list = [table, column];
    press();
    await screen.findByText('Legs');
    list = [column];
    act(() =>
      receive({ kind: 'schema', projectId: project.id, tableId: 't_1', generation: 1, requestId: 'r' }),
    );
    await waitFor(() => expect(screen.queryByText('Cages')).toBeNull());
  });

  test('brings a column back', async () => {
    const { user, writes } = show();
    await user.click(await screen.findByRole('button', { name: 'Restore Legs' }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/db/meta/projects/p_1/trash/columns/c_1/restore',
    });
  });

  test('keeps the keys in the list when an entry leaves it', async () => {
    const list = [table, column];
    const { user } = show(() => list.shift() && true, list);
    const restore = await screen.findByRole('button', { name: 'Restore Cages' });
    restore.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByText('Cages')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Restore Legs' }));
  });

  test('shows why something cannot come back', async () => {
    const { user } = show(() => {
      throw new ApiError(409, 'The database has no such table.');
    });
    await user.click(await screen.findByRole('button', { name: 'Restore Cages' }));
    expect((await screen.findByRole('alert')).textContent).toBe('The database has no such table.');
  });

  test('says so when it is empty', async () => {
    show(undefined, []);
    expect(await screen.findByText('The trash is empty')).toBeTruthy();
  });
});

describe('what else was deleted', () => {
  const section = { id: 'rows', label: 'Rows', Component: () => <p>two rows</p> };

  test('is drawn below by the plugins that know of it', async () => {
    const { user } = show(undefined, [table], { trashSections: [section] });
    expect(await screen.findByText('Cages')).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Rows' }).textContent).toContain('two rows');
    expect(screen.getByRole('heading', { name: 'Tables and columns' })).toBeTruthy();
    await user.keyboard('{Escape}');
  });

  test('keeps its place when no table or column was deleted', async () => {
    show(undefined, [], { trashSections: [section] });
    expect(await screen.findByText('No tables or columns were deleted in the last 30 days.')).toBeTruthy();
    expect(screen.queryByText('The trash is empty')).toBeNull();
  });

  test('is offered to whoever may see it in this project, whichever one is open', async () => {
    const { host } = show(
      undefined,
      [],
      { trashSections: [{ ...section, permission: 'dataRead' }] },
      aProject({ id: 'p_1', role: 'editor' }),
      aProject({ id: 'p_2', permissions: [] }),
    );
    expect(await screen.findByText('two rows')).toBeTruthy();
    act(() => host.shell.setContext({ project: undefined }));
    expect(screen.getByText('two rows')).toBeTruthy();
  });

  test('is all that somebody sees who may not delete tables', async () => {
    const { requests } = show(undefined, [table], { trashSections: [section] }, aProject({ role: 'editor' }));
    expect(await screen.findByText('two rows')).toBeTruthy();
    expect(screen.queryByText('Tables and columns')).toBeNull();
    expect(requests).toEqual([]);
  });
});
