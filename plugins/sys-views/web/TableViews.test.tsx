import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProjectEntity, ViewEntity } from '@trellis/sdk/shared';
import type { ApiRequest } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import TableViews from './TableViews.tsx';

const table = aTable([aColumn('cl_1', 'Name')]);
const view = (id: string, title: string, order: number, more: Partial<ViewEntity> = {}) =>
  ({ id, title, order, view_type: 'grid', lock_type: 'collaborative', meta: null, ...more }) as ViewEntity;
const all = view('vw_1', 'All', 1);
const late = view('vw_2', 'Late', 2, { lock_type: 'locked' });

function show(
  views: readonly ViewEntity[] = [late, all],
  project: ProjectEntity = aProject(),
  refuse: () => void = () => undefined,
) {
  const grid = { id: 'grid', label: 'Grid', icon: 'table', View: () => null };
  const memory = renderWithHost(<TableViews project={project} table={table} />, {
    project,
    registries: { viewTypes: [grid, { ...grid, id: 'cards', label: 'Cards' }] },
    api: ({ method, body }: ApiRequest & { readonly method: string }) => {
      if (method === 'GET') return { list: views };
      refuse();
      return { ...all, id: 'vw_new', ...(body as object) };
    },
  });
  const writes = () => memory.requests.filter(({ method = 'GET' }) => method !== 'GET');
  const user = userEvent.setup();
  const choose = async (title: string, entry: string) => {
    await user.click(await screen.findByRole('button', { name: `Actions for ${title}` }));
    await user.click(within(screen.getByRole('menu')).getByRole('menuitem', { name: entry }));
  };
  return { ...memory, writes, user, choose };
}

afterEach(cleanup);

describe('the views of a table in the side bar', () => {
  test('stand in their order and are opened in the tab of the table', async () => {
    const { user, host } = show();
    const items = await screen.findAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual(['All', 'Late']);
    expect(within(items[1] as HTMLElement).getByRole('img', { name: 'Locked' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^Late/ }));
    expect(host.shell.activeTab).toEqual({ type: 'table', key: 'md_1', name: 'People', view: 'vw_2' });
  });

  test('one is renamed in place, and Escape changes nothing', async () => {
    const { user, writes } = show();
    (await screen.findByRole('button', { name: 'All' })).focus();
    await user.keyboard('{F2}Every{Escape}');
    expect(writes()).toEqual([]);
    screen.getByRole('button', { name: 'All' }).focus();
    await user.keyboard('{F2}Every{Enter}');
    await waitFor(() => expect(writes()).toMatchObject([{ method: 'PATCH', body: { title: 'Every' } }]));
  });

  test('one is copied under a free name and shown', async () => {
    const { choose, writes, host } = show();
    await choose('All', 'Duplicate');
    await waitFor(() => expect(host.shell.activeTab?.view).toBe('vw_new'));
    expect(writes()).toMatchObject([
      { method: 'POST', body: { title: 'All copy', type: 'grid', copy_from_id: 'vw_1' } },
    ]);
  });

  test('one is deleted after a question, and the last one cannot be', async () => {
    const { choose, writes, questions } = show();
    await choose('Late', 'Delete');
    await waitFor(() => expect(writes()).toMatchObject([{ method: 'DELETE' }]));
    expect(questions).toMatchObject([{ danger: true }]);
    cleanup();
    const { user } = show([all]);
    await user.click(await screen.findByRole('button', { name: 'Actions for All' }));
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull();
  });

  test('one is moved by its menu; views with the same number are numbered anew', async () => {
    const first = show();
    await first.choose('Late', 'Move up');
    await waitFor(() => expect(first.writes()).toMatchObject([{ body: { order: 0 } }]));
    cleanup();
    const same = show([view('vw_1', 'A', 1), view('vw_2', 'B', 1), view('vw_3', 'C', 1)]);
    await same.choose('C', 'Move up');
    await waitFor(() =>
      expect(same.writes().map(({ path, body }) => [path.slice(-4), body])).toEqual([
        ['vw_3', { order: 2 }],
        ['vw_2', { order: 3 }],
      ]),
    );
  });

  test('a new one is made of the types that the person may make', async () => {
    const project = aProject();
    const withCards = { ...project, permissions: [...(project.permissions ?? []), 'cardsViewCreate'] };
    const { user, writes } = show([all], withCards);
    await user.click(await screen.findByRole('button', { name: 'Add a view to People' }));
    await user.click(screen.getByRole('menuitem', { name: 'New view: Cards' }));
    await waitFor(() => expect(writes()).toMatchObject([{ body: { title: 'Cards', type: 'cards' } }]));
    cleanup();
    const plain = show([all]);
    await plain.user.click(await screen.findByRole('button', { name: 'Add a view to People' }));
    expect(screen.getAllByRole('menuitem').map((entry) => entry.textContent)).toEqual(['New view: Grid']);
  });

  test('many are searched by what they are called and described, and keep their order meanwhile', async () => {
    const many = Array.from({ length: 7 }, (_, at) => view(`vw_${at}`, `View ${at}`, at));
    const { user } = show([...many, view('vw_due', 'Due', 9, { description: 'What is late' })]);
    await user.type(await screen.findByRole('searchbox', { name: 'Search the views' }), 'late');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Due']);
    await user.click(screen.getByRole('button', { name: 'Actions for Due' }));
    expect(screen.queryByRole('menuitem', { name: 'Move up' })).toBeNull();
    await user.keyboard('{Escape}');
    await user.type(screen.getByRole('searchbox', { name: 'Search the views' }), ' nowhere');
    await screen.findByText('No view is called or described like that.');
    cleanup();
    show();
    await screen.findByRole('button', { name: 'All' });
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  test('one that is refused is said not to be made, with the reason', async () => {
    const { user, toasts } = show([all], aProject(), () => {
      throw new Error('A kanban view needs a column of single select or of collaborators.');
    });
    await user.click(await screen.findByRole('button', { name: 'Add a view to People' }));
    await user.click(screen.getByRole('menuitem', { name: 'New view: Grid' }));
    await waitFor(() => expect(toasts).toMatchObject([{ summary: 'The view could not be made' }]));
  });

  test('whoever may only look sees no way to change them', async () => {
    show([all, late], aProject({ role: 'viewer' }));
    await screen.findByRole('button', { name: 'All' });
    expect(screen.getAllByRole('button').map((button) => button.title)).toEqual(['All', 'Late']);
  });
});
