import { afterEach, describe, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ViewSwitcher } from './ViewSwitcher.tsx';

afterEach(cleanup);

/** Without those that read. */
const writesOf = (requests: readonly ApiRequest[]) =>
  requests.filter(({ method = 'GET' }) => method !== 'GET');

const view = { id: 'vw_1', title: 'Grid', view_type: 'grid', order: 1, meta: null } as ViewEntity;

test('many views are found by what they are called, are for and who made them; a description is kept when its field is left', async () => {
  const others = Array.from({ length: 8 }, (_, at) => ({ ...view, id: `vw_${at + 2}`, title: `View ${at}` }));
  const described = {
    ...view,
    id: 'vw_x',
    title: 'Late',
    description: 'Orders that wait',
    made_by: 'Ann Lee',
  };
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [view, ...others, described] as ViewEntity[] };
  const { requests } = renderWithHost(
    <ViewSwitcher project={{ ...aProject(), role: 'owner' }} table={table} view={view} readOnly={false} />,
    { registries: { viewTypes: [] }, api: () => view },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Grid/ }));
  for (const words of ['that wait', 'ann']) {
    await user.clear(await screen.findByRole('searchbox'));
    await user.type(screen.getByRole('searchbox'), words);
    expect(screen.queryByRole('button', { name: 'View 3' })).toBeNull();
    expect(screen.getByRole('button', { name: /Late.*Orders that wait/ })).toBeTruthy();
  }
  await user.type(screen.getByLabelText('Description of the view'), 'All of them');
  await user.tab();
  await waitFor(() =>
    expect(writesOf(requests)).toMatchObject([{ method: 'PATCH', body: { description: 'All of them' } }]),
  );
});

test('a description is kept when its panel is closed, by whichever way', async () => {
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [view] };
  const { requests } = renderWithHost(
    <ViewSwitcher project={aProject()} table={table} view={view} readOnly={false} />,
    { registries: { viewTypes: [] }, api: () => view },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Grid' }));
  await user.type(screen.getByLabelText('Description of the view'), 'All of them{Escape}');
  expect(screen.queryByLabelText('Description of the view')).toBeNull();
  await waitFor(() => expect(writesOf(requests)).toMatchObject([{ body: { description: 'All of them' } }]));
});

test('a name is kept when its panel is closed, by whichever way, and none that is empty', async () => {
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [view] };
  const { requests } = renderWithHost(
    <ViewSwitcher project={aProject()} table={table} view={view} readOnly={false} />,
    { registries: { viewTypes: [] }, api: () => view },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Grid' }));
  await user.clear(screen.getByLabelText('View name'));
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Grid' }));
  await user.type(screen.getByLabelText('View name'), ' of all{Escape}');
  expect(screen.queryByLabelText('View name')).toBeNull();
  await waitFor(() => expect(writesOf(requests)).toMatchObject([{ body: { title: 'Grid of all' } }]));
});

test('a new view is named before it is made, with a free name proposed', async () => {
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [view] };
  const { requests } = renderWithHost(
    <ViewSwitcher project={{ ...aProject(), role: 'owner' }} table={table} view={view} readOnly={false} />,
    {
      registries: { viewTypes: [{ id: 'grid', label: 'Grid', icon: 'table', View: () => null }] },
      api: () => ({ ...view, id: 'vw_2' }),
    },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Grid/ }));
  await user.click(await screen.findByRole('button', { name: 'New view: Grid' }));
  const field = screen.getByLabelText('View name');
  expect(document.activeElement).toBe(field);
  expect(field).toHaveProperty('value', 'Grid 2');
  expect(writesOf(requests)).toEqual([]);
  await user.keyboard('By age{Enter}');
  await waitFor(() =>
    expect(writesOf(requests)).toMatchObject([{ method: 'POST', body: { title: 'By age', type: 'grid' } }]),
  );
});

test('views stand under the names of their groups, with icons of their own, and the open one gets another', async () => {
  const groups = [{ id: 'vg_1', title: 'Sales', order: 1 }];
  const paid = { ...view, id: 'vw_2', title: 'Paid', group_id: 'vg_1', icon: '💰' };
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [view, paid] as ViewEntity[] };
  const { requests } = renderWithHost(
    <ViewSwitcher project={{ ...aProject(), role: 'owner' }} table={table} view={view} readOnly={false} />,
    { registries: { viewTypes: [] }, api: () => ({ list: [view, paid], groups }) },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Grid' }));
  const sales = within(await screen.findByRole('list', { name: 'Sales' }));
  expect(sales.getByRole('listitem').textContent).toBe('💰Paid');
  screen.getByRole('list', { name: 'Without a group' });
  await user.click(screen.getByRole('button', { name: 'Change the icon' }));
  await user.click(screen.getByRole('button', { name: '🚀' }));
  await user.click(screen.getByRole('button', { name: 'Put into a group' }));
  await user.click(await screen.findByRole('option', { name: 'Sales' }));
  await waitFor(() =>
    expect(writesOf(requests).map(({ body }) => body)).toEqual([{ icon: '🚀' }, { group_id: 'vg_1' }]),
  );
});

test('the focus goes into what a button asks, and back to that button', async () => {
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [view] };
  renderWithHost(
    <ViewSwitcher project={{ ...aProject(), role: 'owner' }} table={table} view={view} readOnly={false} />,
    {
      registries: { viewTypes: [{ id: 'grid', label: 'Grid', icon: 'table', View: () => null }] },
      api: () => ({ list: [view], groups: [] }),
    },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Grid' }));
  const press = async (name: string) => {
    (await screen.findByRole('button', { name })).focus();
    await user.keyboard('{Enter}');
  };
  const focused = () => document.activeElement?.textContent?.trim();
  await press('Change the icon');
  expect(focused()).toBe('Icon of its type');
  await user.keyboard('{Enter}');
  expect(focused()).toBe('Change the icon');
  await press('Put into a group');
  await user.keyboard('{Enter}');
  expect(focused()).toBe('Put into a group');
  for (const name of ['Change the icon', 'Put into a group']) {
    await press(name);
    await press('Back');
    expect(focused()).toBe(name);
  }
  for (const name of ['Duplicate', 'New view: Grid']) {
    await press(name);
    await press('Cancel');
    expect(document.activeElement).toBe(screen.getByRole('button', { name }));
  }
});

describe('what is typed about a view', () => {
  const table = (of: ViewEntity) => ({ ...aTable([aColumn('cl_1', 'Name')]), views: [of] });
  const switcher = (of: ViewEntity) => (
    <ViewSwitcher project={{ ...aProject(), role: 'owner' }} table={table(of)} view={of} readOnly={false} />
  );
  const description = () => screen.findByLabelText<HTMLInputElement>('Description of the view');

  /** The panel over a server that answers a change when it is told to. */
  async function open() {
    const answers: ((isDone: boolean) => void)[] = [];
    const memory = renderWithHost(switcher(view), {
      registries: { viewTypes: [] },
      api: ({ method }) =>
        method === 'GET'
          ? { list: [view], groups: [] }
          : new Promise((resolve, reject) => {
              answers.push((isDone) => (isDone ? resolve(view) : reject(new Error('Away'))));
            }),
    });
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Grid' }));
    const answer = (isDone: boolean) => act(() => Promise.resolve(answers.shift()?.(isDone)));
    return { ...memory, user, answer };
  }

  test('stays where the server refuses it, and is sent again', async () => {
    const { user, answer, requests, toasts } = await open();
    await user.type(await description(), 'Late ones');
    await user.tab();
    await answer(false);
    await waitFor(() => expect(toasts).toMatchObject([{ summary: 'The view could not be changed' }]));
    expect((await description()).value).toBe('Late ones');
    await user.click(await description());
    await user.keyboard('{Enter}');
    expect(writesOf(requests)).toHaveLength(2);
  });

  test('goes on while it is saved, and is sent once', async () => {
    const { user, answer, requests } = await open();
    await user.type(await description(), 'Late{Enter}');
    await user.tab();
    expect(writesOf(requests)).toHaveLength(1);
    await user.type(await description(), ' ones');
    await answer(true);
    expect((await description()).value).toBe('Late ones');
    await user.tab();
    expect(writesOf(requests).map(({ body }) => body)).toEqual([
      { description: 'Late' },
      { description: 'Late ones' },
    ]);
  });

  test('stays with its focus when somebody else renames the view, and the new name is shown', async () => {
    const { user, rerender } = await open();
    await user.type(await description(), 'Late');
    rerender(switcher({ ...view, title: 'All' }));
    expect(document.activeElement).toBe(await description());
    expect((await description()).value).toBe('Late');
    expect(screen.getByLabelText<HTMLInputElement>('View name').value).toBe('All');
  });
});

test.each([
  ['Collaborative', 'locked', 'collaborative', 'Switched to collaborative view'],
  ['Locked', 'collaborative', 'locked', 'Switched to locked view'],
  ['Personal', 'collaborative', 'personal', 'Switched to personal view'],
])('whoever makes a view %s is told that it is', async (label, before, after, told) => {
  const shown = { ...view, lock_type: before } as ViewEntity;
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [shown] };
  const { requests, toasts } = renderWithHost(
    <ViewSwitcher project={{ ...aProject(), role: 'owner' }} table={table} view={shown} readOnly={false} />,
    { registries: { viewTypes: [] }, api: () => shown },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Grid/ }));
  await user.click(await screen.findByText(label, { exact: true }));
  await waitFor(() => expect(toasts).toMatchObject([{ severity: 'success', summary: told }]));
  expect(writesOf(requests)).toMatchObject([{ method: 'PATCH', body: { lock_type: after } }]);
});

test.each([
  [{ made_by: 'Ann Lee', made_by_me: false }, /^Ann Lee made this view/],
  [{ made_by: null }, /^It will be yours/],
])('a view of somebody else becomes personal only after a question', async (maker, question) => {
  const shown = { ...view, lock_type: 'collaborative', ...maker } as ViewEntity;
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [shown] };
  const { requests, questions } = renderWithHost(
    <ViewSwitcher project={aProject()} table={table} view={shown} readOnly={false} />,
    { registries: { viewTypes: [] }, api: () => shown, confirm: () => false },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Grid/ }));
  await user.click(await screen.findByText('Personal', { exact: true }));
  await waitFor(() =>
    expect(questions).toMatchObject([
      { title: 'Make Grid personal?', message: expect.stringMatching(question) },
    ]),
  );
  expect(writesOf(requests)).toEqual([]);
});

test('the view that a table opens with is refused to become personal without a question before', async () => {
  const told = 'The default view stays visible to everybody. Copy it and make the copy personal.';
  const shown = { ...view, lock_type: 'collaborative', is_default: true, made_by: null } as ViewEntity;
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [shown] };
  const { questions, toasts } = renderWithHost(
    <ViewSwitcher project={aProject()} table={table} view={shown} readOnly={false} />,
    {
      registries: { viewTypes: [] },
      api: ({ method }) => {
        if (method === 'PATCH') throw new ApiError(400, told, 'VIEW_FOR_ALL');
        return shown;
      },
    },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Grid/ }));
  await user.click(await screen.findByText('Personal', { exact: true }));
  await waitFor(() => expect(toasts).toMatchObject([{ severity: 'error', detail: told }]));
  expect(questions).toEqual([]);
});

test('a view that the person made becomes personal without a question', async () => {
  const shown = { ...view, lock_type: 'collaborative', made_by: 'Bob', made_by_me: true } as ViewEntity;
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [shown] };
  const { requests, questions } = renderWithHost(
    <ViewSwitcher project={aProject()} table={table} view={shown} readOnly={false} />,
    { registries: { viewTypes: [] }, api: () => shown },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Grid/ }));
  await user.click(await screen.findByText('Personal', { exact: true }));
  await waitFor(() => expect(writesOf(requests)).toMatchObject([{ body: { lock_type: 'personal' } }]));
  expect(questions).toEqual([]);
});

test('an editor makes personal views, and names and deletes none but those', async () => {
  const grid = { id: 'grid', label: 'Grid', icon: 'table', View: () => null };
  const form = { ...grid, id: 'form', label: 'Form', optionsPermission: 'viewUpdate' };
  const mine = { ...view, id: 'vw_2', title: 'Mine', lock_type: 'personal' } as ViewEntity;
  const table = { ...aTable([aColumn('cl_1', 'Name')]), views: [view, mine] };
  const switcher = (of: ViewEntity) => (
    <ViewSwitcher project={aProject({ role: 'editor' })} table={table} view={of} readOnly={false} />
  );
  const { requests, rerender } = renderWithHost(switcher(view), {
    registries: { viewTypes: [grid, form] },
    api: () => ({ ...view, id: 'vw_3' }),
  });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Grid' }));
  await screen.findByText('Only you see views that you make here.');
  expect(screen.queryByRole('button', { name: /Form/ })).toBeNull();
  for (const label of ['Rename', 'Delete']) expect(screen.queryByRole('button', { name: label })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'New personal view: Grid' }));
  await user.keyboard('Due{Enter}');
  await waitFor(() =>
    expect(writesOf(requests)).toMatchObject([
      { method: 'POST', body: { title: 'Due', type: 'grid', lock_type: 'personal' } },
    ]),
  );
  rerender(switcher(mine));
  await user.click(screen.getByRole('button', { name: 'Mine' }));
  for (const label of ['Rename', 'Change the icon', 'Make a personal copy', 'Delete'])
    expect(screen.getByRole('button', { name: label })).toBeTruthy();
  for (const label of ['Put into a group', 'Collaborative'])
    expect(screen.queryByText(label, { exact: true })).toBeNull();
});
