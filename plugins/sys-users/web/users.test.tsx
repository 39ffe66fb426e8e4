import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ServerUserEntity } from '../shared/index.ts';
import UsersPanel from './UsersPanel.tsx';

const users = '/api/v1/users';
const invitations = '/api/v1/user-invitations';
const permissions = ['accountList', 'accountInvite', 'accountUpdate', 'accountDelete', 'accountReset'];

function person(patch: Partial<ServerUserEntity>): ServerUserEntity {
  return {
    id: 'us_2',
    email: 'bob@example.com',
    firstname: null,
    lastname: null,
    picture: null,
    is_super: false,
    is_disabled: false,
    created_at: '2026-11-01T10:00:00.000Z',
    ...patch,
  };
}

const ann = person({ id: 'us_1', email: 'ann@example.com', firstname: 'Ann', is_super: true });
const hal = { id: 'in_1', email: 'hal@example.com', created_at: '2026-11-01 10:00:00' };
const invited = { list: [{ ...hal, expires_at: '2099-11-08 10:00:00' }] };

function page(...list: readonly ServerUserEntity[]) {
  const pageInfo = { totalRows: list.length, page: 1, pageSize: 25, isFirstPage: true, isLastPage: true };
  return { list, pageInfo };
}

function show(api: Record<string, unknown>, options: MemoryHostOptions = {}) {
  const answers = { [`GET ${users}`]: page(ann, person({})), [`GET ${invitations}`]: invited, ...api };
  const memory = renderWithHost(<UsersPanel />, {
    user: { id: 'us_1', permissions },
    api: answers as MemoryHostOptions['api'],
    ...options,
  });
  return { ...memory, user: userEvent.setup() };
}

afterEach(cleanup);

describe('the users of the server', () => {
  test('are listed with what they are, and nothing is offered for the own account', async () => {
    const { user } = show({
      [`GET ${users}`]: page(
        ann,
        person({}),
        person({ id: 'us_3', email: 'cid@example.com', is_disabled: true }),
      ),
    });
    const own = (await screen.findByText('Ann')).closest('li') as HTMLElement;
    expect(within(own).getByText('Super admin')).toBeTruthy();
    expect(within(own).queryByRole('button')).toBeNull();
    expect(await screen.findByText('hal@example.com')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'What to do with cid@example.com' }));
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent?.trim())).toEqual([
      'Enable',
      'Delete',
    ]);
  });

  test('are disabled only after a yes', async () => {
    let agrees = false;
    const { user, requests } = show(
      { [`PATCH ${users}/us_2`]: person({ is_disabled: true }) },
      { confirm: () => agrees },
    );
    const disable = async () => {
      await user.click(await screen.findByRole('button', { name: 'What to do with bob@example.com' }));
      await user.click(screen.getByRole('menuitem', { name: 'Disable' }));
    };
    await disable();
    expect(requests.some(({ method }) => method === 'PATCH')).toBe(false);
    agrees = true;
    await disable();
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ is_disabled: true }),
    );
  });

  test('keep their account when the server refuses to delete it, and it is said why', async () => {
    const { user, toasts } = show(
      {
        [`DELETE ${users}/us_2`]: () => {
          throw new ApiError(400, 'bob@example.com is the only owner of Atlas.', 'ONLY_OWNER');
        },
      },
      { confirm: () => true },
    );
    await user.click(await screen.findByRole('button', { name: 'What to do with bob@example.com' }));
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await waitFor(() =>
      expect(toasts).toContainEqual(
        expect.objectContaining({ detail: expect.stringContaining('only owner of Atlas') }),
      ),
    );
    expect(screen.getByText('bob@example.com')).toBeTruthy();
  });

  test('are invited by address, and the link is shown where no mail went out', async () => {
    const { user, requests } = show(
      { [`POST ${invitations}`]: { email: 'eve@example.com', token: 'abc', mail: 'off' } },
      { user: { id: 'us_1', permissions, roles: { super: true } } },
    );
    await user.click(await screen.findByRole('button', { name: 'Invite somebody' }));
    await user.type(screen.getByLabelText('E-mail'), 'eve{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('E-mail must be valid');
    await user.type(screen.getByLabelText('E-mail'), '@example.com{Enter}');
    const link = await screen.findByLabelText<HTMLInputElement>('Link for eve@example.com');
    expect(link.value).toContain('#/user/authentication/signup/abc');
    expect(screen.getByRole('link', { name: 'Set up mail in the app store' }).getAttribute('href')).toBe(
      '#/app-store?category=email',
    );
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ email: 'eve@example.com' });
  });

  test('get a link for a new password, which is shown where no mail went out', async () => {
    const { user } = show({
      [`POST ${users}/us_2/reset-link`]: { email: 'bob@example.com', token: 'xyz', mail: 'off' },
    });
    await user.click(await screen.findByRole('button', { name: 'What to do with bob@example.com' }));
    await user.click(screen.getByRole('menuitem', { name: 'Send a link for a new password' }));
    const link = await screen.findByLabelText<HTMLInputElement>('Link for bob@example.com');
    expect(link.value).toContain('#/user/password/reset/form/xyz');
  });
});
