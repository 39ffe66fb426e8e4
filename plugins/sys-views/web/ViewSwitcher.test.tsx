import { afterEach, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import type { ApiRequest } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
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
