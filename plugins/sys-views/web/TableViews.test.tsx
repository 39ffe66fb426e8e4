import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ProjectEntity, ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest, type WebViewType } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
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
  groups: readonly ViewGroup[] = [],
  View: WebViewType['View'] = () => null,
  answer = ({ body }: ApiRequest): object => ({ ...all, id: 'vw_new', ...(body as object) }),
  refuseToRead: () => void = () => undefined,
) {
  const grid = { id: 'grid', label: 'Grid', icon: 'table', View };
  const memory = renderWithHost(<TableViews project={project} table={table} />, {
    project,
    registries: { viewTypes: [grid, { ...grid, id: 'cards', label: 'Cards' }] },
    api: (request: ApiRequest & { readonly method: string }) => {
      if (request.method === 'GET') {
        refuseToRead();
        return { list: [...views], groups: [...groups] };
      }
      refuse();
      return answer(request);
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

  test('stay, with a name that is being typed, where they cannot be read again', async () => {
    let isAway = false;
    const { user, host } = show(undefined, undefined, undefined, undefined, undefined, undefined, () => {
      if (isAway) throw new ApiError(503, 'Away');
    });
    (await screen.findByRole('button', { name: 'All' })).focus();
    await user.keyboard('{F2}Every');
    isAway = true;
    await act(async () => host.invalidate([`table:${table.id}`]));
    expect(screen.getByRole('textbox', { name: 'View name' })).toHaveProperty('value', 'Every');
    expect(screen.getByRole('button', { name: /^Late/ })).toBeTruthy();
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

  test('one is made the one that the table opens with, which no personal one is', async () => {
    const mine = view('vw_3', 'Mine', 3, { lock_type: 'personal' });
    const { choose, writes, toasts, user } = show([{ ...all, is_default: true }, late, mine]);
    await choose('Late', 'Make default');
    await waitFor(() => expect(writes()).toMatchObject([{ method: 'PATCH', body: { make_default: true } }]));
    expect(toasts).toMatchObject([{ summary: 'The table opens with Late now' }]);
    for (const title of ['All', 'Mine']) {
      await user.click(screen.getByRole('button', { name: `Actions for ${title}` }));
      expect(screen.queryByRole('menuitem', { name: 'Make default' })).toBeNull();
      await user.keyboard('{Escape}');
    }
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
    const noneAlone = project.permissions?.filter((id) => id !== 'personalViewEdit') ?? [];
    const plain = show([all], { ...project, permissions: noneAlone });
    await plain.user.click(await screen.findByRole('button', { name: 'Add a view to People' }));
    expect(screen.getAllByRole('menuitem').map((entry) => entry.textContent)).toEqual([
      'New view: Grid',
      'New group of views',
    ]);
  });

  test('a new one is drawn by code that is fetched while the server makes it', async () => {
    const load = jest.fn(() => Promise.resolve());
    const View = Object.assign(() => null, { load });
    const fetched: number[] = [];
    const { user } = show([all], aProject(), () => fetched.push(load.mock.calls.length), [], View);
    await user.click(await screen.findByRole('button', { name: 'Add a view to People' }));
    expect(load).not.toHaveBeenCalled();
    await user.click(screen.getByRole('menuitem', { name: 'New view: Grid' }));
    await waitFor(() => expect(fetched).toEqual([1]));
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

  describe('in groups', () => {
    const groups = [
      { id: 'vg_sales', title: 'Sales', order: 1 },
      { id: 'vg_stock', title: 'Stock', order: 2 },
    ];
    const grouped = [
      view('vw_1', 'All', 1),
      view('vw_2', 'Open', 2, { group_id: 'vg_sales' }),
      view('vw_3', 'Paid', 3, { group_id: 'vg_sales', icon: '💰' }),
      view('vw_4', 'Left', 4, { group_id: 'vg_gone' }),
    ];
    const showGrouped = (project = aProject()) => show(grouped, project, () => undefined, groups);
    const titlesIn = (name: string) =>
      within(screen.getByRole('list', { name }))
        .queryAllByRole('listitem')
        .map((item) => item.textContent);
    const sent = ({ writes }: ReturnType<typeof show>) =>
      writes().map(({ method, path, body }) => [method, path.split('/').pop(), body]);

    test('stand under the names of these, and those of no group stand last', async () => {
      showGrouped();
      await screen.findByRole('list', { name: 'Group Sales' });
      expect(titlesIn('Group Sales')).toEqual(['Open', '💰Paid']);
      expect(titlesIn('Group Stock')).toEqual([]);
      expect(titlesIn('Without a group')).toEqual(['All', 'Left']);
    });

    test('are folded away', async () => {
      const { user } = showGrouped();
      await user.click(await screen.findByRole('button', { name: 'Group Sales' }));
      expect(screen.queryByRole('button', { name: 'Open' })).toBeNull();
      expect(screen.getByRole('button', { name: 'Group Sales' }).getAttribute('aria-expanded')).toBe('false');
    });

    test('are moved by keys within their group and on into the next one', async () => {
      const first = showGrouped();
      (await screen.findByRole('button', { name: 'Open' })).focus();
      await first.user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      await waitFor(() => expect(sent(first)).toEqual([['PATCH', 'vw_2', { order: 4 }]]));
      cleanup();
      const second = showGrouped();
      (await screen.findByRole('button', { name: 'Paid' })).focus();
      await second.user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      await waitFor(() =>
        expect(sent(second)).toEqual([['PATCH', 'vw_3', { order: 1, group_id: 'vg_stock' }]]),
      );
      cleanup();
      const third = showGrouped();
      (await screen.findByRole('button', { name: 'All' })).focus();
      await third.user.keyboard('{Alt>}{ArrowUp}{/Alt}');
      await waitFor(() =>
        expect(sent(third)).toEqual([['PATCH', 'vw_1', { order: 1, group_id: 'vg_stock' }]]),
      );
    });

    test('are moved by keys into a folded group, which is unfolded, and keep the focus', async () => {
      const views = [...grouped];
      const { user } = show(
        views,
        aProject(),
        () => undefined,
        groups,
        () => null,
        ({ body }) => {
          views[2] = { ...(views[2] as ViewEntity), ...(body as object) };
          return {};
        },
      );
      await user.click(await screen.findByRole('button', { name: 'Group Stock' }));
      screen.getByRole('button', { name: 'Paid' }).focus();
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      await waitFor(() => expect(titlesIn('Group Stock')).toEqual(['💰Paid']));
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Paid' }));
    });

    test('do not take the focus later where a move was refused', async () => {
      const { user, toasts } = show(
        grouped,
        aProject(),
        () => {
          throw new Error('Away');
        },
        groups,
      );
      (await screen.findByRole('button', { name: 'Paid' })).focus();
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      await waitFor(() => expect(toasts).toHaveLength(1));
      act(() => (document.activeElement as HTMLElement).blur());
      // Draws the list anew, and leaves the focus where it is.
      act(() => screen.getByRole('button', { name: 'Group Stock' }).click());
      expect(document.activeElement).toBe(document.body);
    });

    test('are put into one by the menu, also into a new one', async () => {
      const { choose, user, ...rest } = showGrouped();
      await choose('All', 'Put into a group');
      await user.click(await screen.findByRole('option', { name: /Stock/ }));
      await waitFor(() =>
        expect(sent({ choose, user, ...rest })).toEqual([['PATCH', 'vw_1', { group_id: 'vg_stock' }]]),
      );
      await choose('Paid', 'Put into a group');
      await user.type(await screen.findByRole('combobox'), 'Later{Enter}');
      await waitFor(() =>
        expect(sent({ choose, user, ...rest }).slice(1)).toEqual([
          ['POST', 'view-groups', { title: 'Later' }],
          ['PATCH', 'vw_3', { group_id: 'vw_new' }],
        ]),
      );
    });

    test('a group is made, renamed in place, moved and removed', async () => {
      const { choose, user, ...rest } = showGrouped();
      const calls = () => sent({ choose, user, ...rest });
      await user.click(await screen.findByRole('button', { name: 'Add a view to People' }));
      await user.click(screen.getByRole('menuitem', { name: 'New group of views' }));
      await waitFor(() => expect(calls()).toEqual([['POST', 'view-groups', { title: 'Group' }]]));
      await choose('Stock', 'Rename');
      await user.keyboard('Store{Enter}');
      await choose('Stock', 'Move up');
      await choose('Sales', 'Remove the group');
      await waitFor(() =>
        expect(calls().slice(1)).toEqual([
          ['PATCH', 'vg_stock', { title: 'Store' }],
          ['PATCH', 'vg_stock', { order: 0 }],
          ['DELETE', 'vg_sales', undefined],
        ]),
      );
      expect(rest.questions).toEqual([]);
    });

    test('are found by the name of their group, folded or not', async () => {
      const more = Array.from({ length: 4 }, (_, at) => view(`vw_x${at}`, `View ${at}`, 9 + at));
      const { user } = show([...grouped, ...more], aProject(), () => undefined, groups);
      await user.click(await screen.findByRole('button', { name: 'Group Sales' }));
      await user.type(screen.getByRole('searchbox', { name: 'Search the views' }), 'sales');
      expect(titlesIn('Group Sales')).toEqual(['Open', '💰Paid']);
      expect(screen.queryByText('Without a group')).toBeNull();
    });

    test('a new group and a new view are shown to be renamed, whatever is searched for or folded', async () => {
      const more = Array.from({ length: 4 }, (_, at) => view(`vw_x${at}`, `View ${at}`, 9 + at));
      const views = [...grouped, ...more];
      const known = [...groups];
      const { user } = show(
        views,
        aProject(),
        () => undefined,
        known,
        () => null,
        ({ path, body }) => {
          const isGroup = path.endsWith('/view-groups');
          const made = { ...view('vw_new', '', 20), id: isGroup ? 'vg_new' : 'vw_new', ...(body as object) };
          if (isGroup) known.push(made);
          else views.push(made);
          return made;
        },
      );
      const add = async (entry: string) => {
        await user.click(screen.getByRole('button', { name: 'Add a view to People' }));
        await user.click(screen.getByRole('menuitem', { name: entry }));
      };
      const [toggle] = await screen.findAllByRole('button', { name: 'Without a group' });
      await user.click(toggle as HTMLElement);
      await user.type(screen.getByRole('searchbox', { name: 'Search the views' }), 'sales');
      await add('New group of views');
      expect(document.activeElement).toBe(await screen.findByRole('textbox', { name: 'Group name' }));
      await user.keyboard('{Escape}');
      expect(screen.queryByRole('button', { name: 'All' })).toBeNull();
      await add('New view: Grid');
      expect(document.activeElement).toBe(await screen.findByRole('textbox', { name: 'View name' }));
      screen.getByRole('button', { name: 'All' });
    });

    test('show to whoever may only look no empty group and nothing to change', async () => {
      showGrouped(aProject({ role: 'viewer' }));
      await screen.findByRole('button', { name: 'Open' });
      expect(screen.queryByText('Stock')).toBeNull();
      expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
    });
  });

  test('one gets an icon of its own, and that of its type again', async () => {
    const { choose, user, writes } = show([view('vw_1', 'All', 1, { icon: '💰' })]);
    await choose('All', 'Change the icon');
    expect(screen.getByRole('button', { name: '💰' }).getAttribute('aria-pressed')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Cart' }));
    await choose('All', 'Change the icon');
    await user.click(screen.getByRole('button', { name: 'Icon of its type' }));
    await choose('All', 'Change the icon');
    await user.type(screen.getByRole('textbox', { name: 'Another emoji' }), 'ab{Enter}');
    screen.getByText('Enter one emoji and nothing else.');
    await user.clear(screen.getByRole('textbox', { name: 'Another emoji' }));
    await user.paste('👩‍💻');
    await user.click(screen.getByRole('button', { name: 'Use it' }));
    await waitFor(() =>
      expect(writes().map(({ body }) => body)).toEqual([
        { icon: 'shopping-cart' },
        { icon: null },
        { icon: '👩‍💻' },
      ]),
    );
  });
});
