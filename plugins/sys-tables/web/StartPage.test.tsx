import { afterEach, describe, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { DialogRequests } from './dialog-requests.ts';
import { createStartPage } from './StartPage.tsx';

const project = aProject({ title: 'Zoo' });
const animals = { id: 'md_a', title: 'Animals', type: 'table' } as TableEntity;
const keepers = { id: 'md_k', title: 'Keepers', type: 'table' } as TableEntity;

function show(tables: readonly TableEntity[], isArriving: boolean, of = project) {
  const dialogs = new DialogRequests();
  const Start = createStartPage(dialogs);
  const databases = { id: 'databases', label: 'Databases', icon: 'database', Component: () => null };
  const memory = renderWithHost(<Start project={of} isArriving={isArriving} />, {
    project: of,
    api: () => ({ list: tables }),
    registries: { dashboardTabs: [databases] },
  });
  return { ...memory, dialogs };
}

afterEach(cleanup);

describe('a project without an open tab', () => {
  test('opens its first table for whoever arrives', async () => {
    const { host } = show([animals, keepers], true);
    await waitFor(() =>
      expect(host.shell.activeTab).toEqual({ type: 'table', key: 'md_a', name: 'Animals' }),
    );
  });

  test('lists its tables once the last tab was closed', async () => {
    const { host } = show([animals, keepers], false);
    await userEvent.click(await screen.findByRole('button', { name: 'Keepers' }));
    expect(host.shell.activeTab).toEqual({ type: 'table', key: 'md_k', name: 'Keepers' });
  });

  test('offers the ways to its first table', async () => {
    const { host, dialogs } = show([], true);
    await userEvent.click(await screen.findByRole('button', { name: 'New table' }));
    expect(dialogs.current).toMatchObject({ kind: 'createTable' });
    await userEvent.click(screen.getByRole('button', { name: 'Open a database' }));
    expect(host.shell.activeTab).toEqual({ type: 'databases', key: 'databases', name: 'Databases' });
  });

  test('offers nothing to whoever may only look', async () => {
    show([], true, aProject({ role: 'viewer' }));
    await screen.findByText('This project has no tables yet.');
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});
