import { afterEach, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ViewSwitcher } from './ViewSwitcher.tsx';

afterEach(cleanup);

const view = { id: 'vw_1', title: 'Grid', view_type: 'grid', order: 1, meta: null } as ViewEntity;

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
  expect(requests).toEqual([]);
  await user.keyboard('By age{Enter}');
  await waitFor(() =>
    expect(requests).toMatchObject([{ method: 'POST', body: { title: 'By age', type: 'grid' } }]),
  );
});
