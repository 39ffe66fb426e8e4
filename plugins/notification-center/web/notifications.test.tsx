import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { ApiError } from '@trellis/sdk/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { NoticeEntity } from '../shared/index.ts';
import NoticeBell from './NoticeBell.tsx';
import WishesPanel from './WishesPanel.tsx';

const mention: NoticeEntity = {
  id: 'n_1',
  kind: 'mention',
  text: '{{person}} mentioned you in a comment',
  tab: '',
  pane: 'comments',
  actor: 'ann@example.com',
  project: { id: 'p_1', title: 'Atlas' },
  table: { id: 'md_1', title: 'City' },
  row_id: 'a b',
  opens: null,
  row_title: 'Oslo',
  says: 'Have a look, @bob@example.com',
  title: null,
  reason: null,
  at: '2026-11-22T08:00:00.000Z',
  is_read: false,
};

const wishes = {
  list: [
    {
      kind: 'mention',
      label: 'Somebody mentions me in a comment',
      has_mail: true,
      page: true,
      mail: 'off',
    },
    { kind: 'told', label: 'Somebody tells me', has_mail: false, page: true, mail: 'off' },
  ],
  can_mail: false,
  mail_lacks: 'sender' as const,
};

function show(list: readonly NoticeEntity[]) {
  let told = list;
  const memory = renderWithHost(<NoticeBell />, {
    api: ({ method, path }) => {
      if (method !== 'GET') told = told.map((notice) => ({ ...notice, is_read: path.endsWith('/read') }));
      const unread = told.filter((notice) => !notice.is_read).length;
      if (method !== 'GET') return {};
      return path.endsWith('/unread') ? { unread } : { list: told, unread };
    },
  });
  return { ...memory, user: userEvent.setup() };
}

afterEach(cleanup);

test('the bell counts what is unread, and a notice leads to the comments of its row', async () => {
  const { user, requests, visited } = show([mention, { ...mention, id: 'n_2', is_read: true }]);
  await user.click(await screen.findByRole('button', { name: 'Notifications: 1 unread' }));
  await user.click(
    (await screen.findAllByText('ann@example.com mentioned you in a comment'))[0] as HTMLElement,
  );
  const [address = ''] = visited;
  const query = new URLSearchParams(address.split('?')[1]);
  expect(address.split('?')[0]).toBe('/nc/p_1');
  expect(Object.fromEntries(query)).toMatchObject({ dbalias: 'md_1', row: 'a b', pane: 'comments' });
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ ids: ['n_1'] }),
  );
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy();
});

test('the notices are read once the bell is opened, and only their number before', async () => {
  const { user, requests } = show([mention]);
  const bell = await screen.findByRole('button', { name: /1 unread/ });
  const read = () => requests.map(({ path }) => path.split('/').at(-1));
  expect(read()).toEqual(['unread']);
  await user.click(bell);
  await screen.findByText('Atlas · City · Oslo');
  expect(read()).toEqual(['unread', 'notices']);
});

test('a mention tells the row and the words of the comment', async () => {
  const { user } = show([mention]);
  await user.click(await screen.findByRole('button', { name: /1 unread/ }));
  expect(await screen.findByText('Atlas · City · Oslo')).toBeTruthy();
  expect(screen.getByText('Have a look, @bob@example.com')).toBeTruthy();
});

test('all are marked as read at once', async () => {
  const { user, requests } = show([mention]);
  await user.click(await screen.findByRole('button', { name: /1 unread/ }));
  await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull());
  expect(requests.find(({ method }) => method === 'POST')?.path).toContain('/read');
});

test('one is marked as unread again, and as read without being opened', async () => {
  const { user, requests, visited } = show([{ ...mention, is_read: true }]);
  await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  await user.click(await screen.findByRole('button', { name: 'Mark as unread' }));
  await user.click(await screen.findByRole('button', { name: 'Mark as read' }));
  expect(await screen.findByRole('button', { name: 'Mark as unread' })).toBeTruthy();
  const sent = requests.filter(({ method }) => method === 'POST');
  expect(sent.map(({ path, body }) => [path.split('/').at(-1), body])).toEqual([
    ['unread', { ids: ['n_1'] }],
    ['read', { ids: ['n_1'] }],
  ]);
  expect(visited).toEqual([]);
});

test('says so where there is nothing, and leads to where people choose what they are told', async () => {
  const { user, visited } = show([]);
  await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  expect(await screen.findByText(/^No notifications yet. Mentions in comments appear here/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Notification settings' }));
  expect(visited).toEqual(['/user/settings/notifications']);
});

test('what failed says why, and leads to the tab where it stands', async () => {
  const failed: NoticeEntity = {
    ...mention,
    kind: 'schedule-failed',
    text: 'A schedule of yours failed or stands still',
    tab: 'schedules',
    pane: '',
    opens: { param: 'run', value: 'sr_1' },
    actor: '',
    table: null,
    row_id: '',
    row_title: null,
    says: null,
    title: 'Nightly',
    reason: { msg: 'No flour.' },
  };
  const { user, visited } = show([failed]);
  await user.click(await screen.findByRole('button', { name: /1 unread/ }));
  expect(await screen.findByText('Atlas · Nightly')).toBeTruthy();
  expect(screen.getByText('No flour.')).toBeTruthy();
  await user.click(screen.getByText('A schedule of yours failed or stands still'));
  expect(visited[0]).toBe('/nc/p_1?dbalias=schedules&type=schedules&run=sr_1');
});

test('what is about something of a table leads to it there', async () => {
  const paused: NoticeEntity = {
    ...mention,
    kind: 'webhook-paused',
    text: 'A webhook is paused',
    pane: '',
    actor: '',
    row_id: '',
    opens: { param: 'webhook', value: 'hk_1' },
    row_title: null,
    says: null,
    title: 'Tell',
  };
  const { user, visited } = show([paused]);
  await user.click(await screen.findByRole('button', { name: /1 unread/ }));
  expect(await screen.findByText('Atlas · City · Tell')).toBeTruthy();
  await user.click(screen.getByText('A webhook is paused'));
  expect(visited[0]).toBe('/nc/p_1?name=City&dbalias=md_1&type=table&webhook=hk_1');
});

test('people choose what they are told in the page and by mail', async () => {
  const user = userEvent.setup();
  const { requests } = renderWithHost(<WishesPanel />, {
    api: () => wishes,
  });
  await user.click(
    await screen.findByRole('switch', { name: 'In the page: Somebody mentions me in a comment' }),
  );
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
      kind: 'mention',
      page: false,
      mail: 'off',
    }),
  );
  expect(screen.getByText(/This server sends no mail yet/)).toBeTruthy();
  expect(screen.queryByLabelText('By mail: Somebody tells me')).toBeNull();
});

test('why there are no mails is said, with the way to where that is set up for super admins alone', async () => {
  const user = userEvent.setup();
  const answer = { ...wishes, mail_lacks: 'address' };
  const asAdmin = renderWithHost(<WishesPanel />, { user: { roles: { super: true } }, api: () => answer });
  expect(await screen.findByText(/The address of this site is not set/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Set the address' }));
  expect(asAdmin.visited).toEqual(['/app-store?settings=sys-mail']);
  cleanup();
  renderWithHost(<WishesPanel />, { api: () => answer });
  expect(await screen.findByText(/Please ask an administrator of this server/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Set the address' })).toBeNull();
});

test('what is chosen elsewhere afterwards is shown, and not what was chosen here', async () => {
  const user = userEvent.setup();
  let page = true;
  const { host, requests } = renderWithHost(<WishesPanel />, {
    api: ({ method, body }) => {
      if (method === 'PUT') ({ page } = body as { page: boolean });
      return { ...wishes, list: wishes.list.map((wish) => ({ ...wish, page })) };
    },
  });
  const name = 'In the page: Somebody mentions me in a comment';
  const isOn = () => screen.getByRole<HTMLInputElement>('switch', { name }).checked;
  await user.click(await screen.findByRole('switch', { name }));
  await waitFor(() => expect(requests.filter(({ method }) => method !== 'PUT')).toHaveLength(2));
  expect(isOn()).toBe(false);
  page = true;
  act(() => host.invalidate(['notice-wishes']));
  await waitFor(() => expect(isOn()).toBe(true));
});

test.each([
  ['notices', mention.text, { list: [mention], unread: 1 }],
  ['notice-wishes', 'Somebody tells me', wishes],
])('%s stay in sight where they cannot be read again', async (tag, text, answer) => {
  let isAway = false;
  const user = userEvent.setup();
  const { host } = renderWithHost(tag === 'notices' ? <NoticeBell /> : <WishesPanel />, {
    api: () => {
      if (isAway) throw new ApiError(403, 'Away');
      return answer;
    },
  });
  if (tag === 'notices') await user.click(await screen.findByRole('button', { name: /1 unread/ }));
  const shown = text.replace('{{person}}', mention.actor);
  await screen.findByText(shown);
  isAway = true;
  act(() => host.invalidate([tag]));
  expect((await screen.findByRole('alert')).textContent).toContain('Away');
  expect(screen.getByText(shown)).toBeTruthy();
});

test('the notice that no mail goes out leaves once somebody has set mail up', async () => {
  let answer: object = wishes;
  const { receive } = renderWithHost(<WishesPanel />, { api: () => answer });
  await screen.findByText(/This server sends no mail yet/);
  answer = { list: wishes.list, can_mail: true };
  act(() => receive({ kind: 'objects', projectId: '', objectKind: 'plugin-settings', requestId: '' }));
  await waitFor(() => expect(screen.queryByText(/This server sends no mail yet/)).toBeNull());
});
