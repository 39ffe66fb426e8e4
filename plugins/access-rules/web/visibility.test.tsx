import { afterEach, expect, test } from '@jest/globals';
import { ApiError } from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import VisibilityTab from './VisibilityTab.tsx';

const project = aProject();

function show({ refusal, read }: { refusal?: ApiError; read?: () => Promise<void> } = {}) {
  let hidden = false;
  const memory = renderWithHost(<VisibilityTab project={project} />, {
    project,
    api: async ({ method, body }) => {
      if (method !== 'POST') {
        await read?.();
        return [
          { id: 'vw_1', title: 'All', _ptn: 'City', disabled: { viewer: hidden, editor: false } },
          { id: 'vw_2', title: 'Map', _ptn: 'Land', disabled: {} },
        ];
      }
      if (refusal) throw refusal;
      hidden = (body as [{ disabled: { viewer: boolean } }])[0].disabled.viewer;
      return { msg: 'success' };
    },
  });
  return { ...memory, user: userEvent.setup() };
}

const box = () => screen.findByRole('checkbox', { name: 'List All of City for the role viewer' });

afterEach(cleanup);

test('a view is hidden from a role by a click, and stays so', async () => {
  const { user, requests } = show();
  await user.click(await box());
  await waitFor(() => expect(requests.filter(({ method }) => method !== 'POST').length).toBeGreaterThan(1));
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual([
    { id: 'vw_1', disabled: { viewer: true } },
  ]);
  await waitFor(async () => expect(await box()).toHaveProperty('checked', false));
});

test('a box keeps what was clicked until the list is read again', async () => {
  const lists: (() => void)[] = [];
  const { user, requests } = show({ read: () => new Promise((resolve) => lists.push(resolve)) });
  await waitFor(() => expect(lists).toHaveLength(1));
  await act(async () => lists[0]?.());
  await user.click(await box());
  await waitFor(() => expect(lists).toHaveLength(2));
  expect(await box()).toHaveProperty('checked', false);
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  await act(async () => lists[1]?.());
  expect(await box()).toHaveProperty('checked', false);
});

test('a refusal is told, and the box says again what is', async () => {
  const { user, toasts } = show({ refusal: new ApiError(403, 'Not allowed') });
  await user.click(await box());
  await waitFor(() => expect(toasts).toMatchObject([{ severity: 'error', detail: 'Not allowed' }]));
  await waitFor(async () => expect(await box()).toHaveProperty('checked', true));
});

test('views are found by their names and those of their tables', async () => {
  const { user } = show();
  await box();
  await user.type(screen.getByRole('searchbox'), 'land');
  await waitFor(() => expect(screen.queryByText('City')).toBeNull());
  expect(screen.getByText('Map')).toBeTruthy();
});
