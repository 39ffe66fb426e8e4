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
