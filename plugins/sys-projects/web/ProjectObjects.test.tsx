import { afterEach, expect, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import type { DashboardTab, WebObjectKind } from '@trellis/sdk/web';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createObjectSearch } from './object-search.ts';
import ProjectObjects from './ProjectObjects.tsx';

const project = aProject({ title: 'Shop' });
const routine: DashboardTab = {
  id: 'function',
  label: 'Function',
  icon: 'code',
  perObject: true,
  Component: () => null,
};
const objects: WebObjectKind = {
  id: 'objects',
  label: 'Database objects',
  icon: 'code',
  folded: true,
  list: () => '/objects',
};
const net = { id: 'bs_1:net()', title: 'net()', kind: 'function', icon: 'bolt' };

afterEach(cleanup);

const show = (list: readonly object[], total = list.length) =>
  renderWithHost(<ProjectObjects />, {
    project,
    registries: { objectKinds: [objects], dashboardTabs: [routine] },
    api: { 'GET /objects': { list, total } },
  });

test('objects that are folded are read once somebody unfolds them, and open in the tab of their own kind', async () => {
  const { requests, host } = show([net], 700);
  const user = userEvent.setup();
  const heading = await screen.findByRole('button', { name: 'Database objects' });
  expect(heading.getAttribute('aria-expanded')).toBe('false');
  expect(requests).toEqual([]);
  await user.click(heading);
  await user.click(await screen.findByRole('button', { name: 'net()' }));
  expect(host.shell.activeTab).toMatchObject({ type: 'function', key: 'bs_1:net()', name: 'net()' });
  expect(screen.getByRole('button', { name: 'net()' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByText('The first 1 of 700')).toBeTruthy();
  await user.click(heading);
  expect(screen.queryByRole('button', { name: 'net()' })).toBeNull();
});

test('a kind that is unfolded says when it has nothing', async () => {
  show([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Database objects' }));
  expect(await screen.findByText('There are none.')).toBeTruthy();
});

test('the palette finds objects that are folded, and opens them in the tab of their own kind', async () => {
  const { host } = show([net]);
  const search = createObjectSearch(host.registry('objectKinds'));
  const found = await search.list(host.shell.context, { ...host, signal: new AbortController().signal });
  expect(found).toMatchObject([{ label: 'net()', icon: 'bolt', detail: 'Database objects' }]);
  act(() => found[0]?.open(host));
  expect(host.shell.activeTab).toMatchObject({ type: 'function', key: 'bs_1:net()' });
});
