import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import ServerProjectsPanel from './ServerProjectsPanel.tsx';

const path = '/api/v1/plugins/sys-members/projects';
const created_at = '2026-11-01 10:00:00';

afterEach(cleanup);

test('all projects of the server are listed, and those without an owner are taken over once it is agreed to', async () => {
  const { requests, questions } = renderWithHost(<ServerProjectsPanel />, {
    user: { id: 'us_1', permissions: ['projectRescue'] },
    confirm: () => true,
    api: {
      [`GET ${path}`]: {
        list: [
          {
            id: 'p_1',
            title: 'Atlas',
            created_at,
            owners: [{ id: 'us_2', email: 'ann@example.com', is_disabled: true }],
          },
          {
            id: 'p_2',
            title: 'Hall',
            created_at,
            owners: [{ id: 'us_3', email: 'bob@example.com', is_disabled: false }],
          },
        ],
      },
      [`POST ${path}/p_1/rescue`]: { msg: 'success' },
    },
  });
  const user = userEvent.setup();
  const owned = (await screen.findByText('Hall')).closest('li') as HTMLElement;
  expect(within(owned).getByText('bob@example.com')).toBeTruthy();
  expect(within(owned).queryByRole('button')).toBeNull();
  const lost = screen.getByText('Atlas').closest('li') as HTMLElement;
  expect(within(lost).getByText('ann@example.com (disabled)')).toBeTruthy();
  await user.click(within(lost).getByRole('button', { name: 'Take Atlas over' }));
  await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true));
  expect(questions).toMatchObject([{ title: 'Take Atlas over?' }]);
});

const owner = (email: string, is_disabled = false) => ({ id: `us_${email}`, email, is_disabled });
function showProjects(list: readonly { readonly title: string; readonly owners: readonly object[] }[]): void {
  renderWithHost(<ServerProjectsPanel />, {
    user: { id: 'us_1', permissions: ['projectRescue'] },
    api: {
      [`GET ${path}`]: { list: list.map((project) => ({ id: project.title, created_at, ...project })) },
    },
  });
}
const titles = () => screen.getAllByRole('listitem').map((item) => item.querySelector('strong')?.textContent);

test('projects whose owners are gone come before the others, and say how many they are', async () => {
  showProjects([
    { title: 'Atlas', owners: [owner('ann@example.com')] },
    { title: 'Hall', owners: [owner('bob@example.com', true)] },
    { title: 'Pool', owners: [owner('bob@example.com', true), owner('ann@example.com')] },
    { title: 'Quay', owners: [] },
  ]);
  await screen.findByText('2 projects have no owner who can sign in. They come first.');
  expect(titles()).toEqual(['Hall', 'Quay', 'Atlas', 'Pool']);
});

test('projects are found by their owners, too', async () => {
  showProjects([
    { title: 'Atlas', owners: [owner('ann@example.com')] },
    { title: 'Hall', owners: [owner('bob@example.com')] },
  ]);
  await userEvent.type(await screen.findByRole('searchbox'), 'bob@');
  expect(titles()).toEqual(['Hall']);
});

test('a server without projects says so, and speaks of no search', async () => {
  showProjects([]);
  await screen.findByRole('heading', { name: 'There is no project yet' });
  expect(screen.queryByText(/your search/)).toBeNull();
});
