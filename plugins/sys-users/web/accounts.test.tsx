import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router-dom';
import ConfirmEmailPage from './ConfirmEmailPage.tsx';
import ForgotPage from './ForgotPage.tsx';
import InvitationPage from './InvitationPage.tsx';
import PasswordPanel from './PasswordPanel.tsx';
import ProfilePanel from './ProfilePanel.tsx';
import ResetPage from './ResetPage.tsx';
import SessionsPanel from './SessionsPanel.tsx';
import SignInPage from './SignInPage.tsx';
import SignUpPage from './SignUpPage.tsx';

const info = {
  'GET /api/v1/db/meta/nocodb/info': { firstUser: false },
  'GET /api/v1/auth/user/signup': { isOpen: true },
};

function Address() {
  const { pathname, search } = useLocation();
  return (
    <output>
      {pathname}
      {search}
    </output>
  );
}

function show(page: React.ReactNode, options: MemoryHostOptions = {}) {
  const memory = renderWithHost(
    <>
      {page}
      <Address />
    </>,
    {
      user: null,
      ...options,
      api: typeof options.api === 'function' ? options.api : { ...info, ...options.api },
    },
  );
  return { ...memory, user: userEvent.setup() };
}

afterEach(cleanup);

describe('signing in', () => {
  test('asks the server only when both fields can be right, and says what is wrong with them', async () => {
    const { user, requests } = show(<SignInPage />);
    await user.type(screen.getByLabelText('E-mail'), 'ada');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByLabelText('E-mail').getAttribute('aria-describedby')).toBeTruthy();
    expect(screen.getByText('E-mail must be valid')).toBeTruthy();
    expect(screen.getByText('Password is required')).toBeTruthy();
    expect(requests.some(({ method }) => method === 'POST')).toBe(false);
  });

  test('starts the session with the token of the answer', async () => {
    const { user, host, requests } = show(<SignInPage />, {
      api: { 'POST /api/v1/auth/user/signin': { token: 'fresh' } },
    });
    const signIn = jest.spyOn(host.session, 'signIn');
    await user.type(screen.getByLabelText('E-mail'), ' ada@example.com ');
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!{Enter}');
    await waitFor(() => expect(signIn).toHaveBeenCalledWith('fresh'));
    const sent = requests.find(({ method }) => method === 'POST');
    expect(sent?.body).toEqual({ email: 'ada@example.com', password: 'Passw0rd!' });
  });

  test('keeps what was typed when the server refuses, and shows the password on demand', async () => {
    const { user } = show(<SignInPage />, {
      api: {
        'POST /api/v1/auth/user/signin': () => {
          throw new ApiError(400, 'The e-mail or the password is not right.', 'SIGN_IN_FAILED');
        },
      },
    });
    await user.type(screen.getByLabelText('E-mail'), 'ada@example.com');
    const password = screen.getByLabelText<HTMLInputElement>('Password');
    await user.type(password, 'wrong{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('The e-mail or the password is not right.');
    expect([password.value, password.type]).toEqual(['wrong', 'password']);
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password.type).toBe('text');
  });

  test('signs up the first visitor of an empty server, as the one who will run it', async () => {
    const api = {
      'GET /api/v1/db/meta/nocodb/info': { firstUser: true },
      'POST /api/v1/auth/user/signup': { token: 'fresh' },
    };
    const { user, host, unmount } = show(<SignInPage />, { api });
    const signIn = jest.spyOn(host.session, 'signIn');
    await user.type(await screen.findByLabelText('E-mail'), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    await user.click(await screen.findByRole('button', { name: 'Sign up' }));
    await waitFor(() => expect(signIn).toHaveBeenCalledWith('fresh'));
    unmount();
    show(<SignUpPage />, { api });
    expect(await screen.findByText(/this account becomes the super admin/)).toBeTruthy();
  });

  test('again needs no answer of a server that waits for it', async () => {
    const { user, requests } = show(<SignInPage />, {
      user: {},
      api: { 'GET /api/v1/db/meta/nocodb/info': () => new Promise(() => undefined) },
    });
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByText('Password is required')).toBeTruthy();
    expect(requests.some(({ path }) => path.endsWith('/info'))).toBe(false);
  });

  test('keeps what was typed, and where, as the answer comes that nobody has an account yet', async () => {
    let answer: (info: object) => void = () => undefined;
    const { user } = show(<SignInPage />, {
      api: { 'GET /api/v1/db/meta/nocodb/info': () => new Promise((resolve) => (answer = resolve)) },
    });
    await user.type(screen.getByLabelText('E-mail'), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'Pass');
    // Nothing says until then that there is anything to sign in to.
    expect(screen.queryByRole('heading')).toBeNull();
    expect(screen.queryByText(/Sign in|No account yet/)).toBeNull();
    answer({ firstUser: true });
    await screen.findByText(/this account becomes the super admin/);
    await user.keyboard('w0rd!');
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ada@example.com');
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('Passw0rd!');
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  });

  test.each([
    ['signs in once it is known that there are accounts', false, 1],
    ['makes no account where there is none yet', true, 0],
  ])('by the Enter key before it is known which page it is %s', async (_, firstUser, sent) => {
    let answer: (info: object) => void = () => undefined;
    const { user, requests } = show(<SignInPage />, {
      api: {
        'GET /api/v1/db/meta/nocodb/info': () => new Promise((resolve) => (answer = resolve)),
        'POST /api/v1/auth/user/signin': { token: 'fresh' },
        'POST /api/v1/auth/user/signup': { token: 'fresh' },
      },
    });
    await user.type(screen.getByLabelText('E-mail'), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!{Enter}');
    const posted = () => requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
    expect(posted()).toEqual([]);
    answer({ firstUser });
    await screen.findByText(firstUser ? /this account becomes the super admin/ : 'No account yet?');
    await waitFor(() => expect(posted()).toEqual(Array(sent).fill('/api/v1/auth/user/signin')));
  });
});

test('signing up says before anything is typed that it takes an invitation', async () => {
  const { user } = show(<SignUpPage />, { api: { 'GET /api/v1/auth/user/signup': { isOpen: false } } });
  expect(await screen.findByRole('heading', { name: 'Sign-up is by invitation only' })).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Sign in' }));
  expect(screen.getByText('/user/authentication/signin')).toBeTruthy();
});

test('signing up measures the password while it is typed and takes none that is too short', async () => {
  const { user, requests } = show(<SignUpPage />);
  await user.type(screen.getByLabelText('E-mail'), 'ada@example.com');
  await user.type(screen.getByLabelText('Password'), 'Abc1{Enter}');
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
  expect(screen.getByText('You password must be atleast 8 characters')).toBeTruthy();
  await user.type(screen.getByLabelText('Password'), 'defg!');
  expect(screen.getByText('Strong password')).toBeTruthy();
  expect(requests.some(({ method }) => method === 'POST')).toBe(false);
});

test('another password ends the session, and both entries of it must be the same', async () => {
  const { user, requests, toasts } = show(<PasswordPanel />, {
    user: {},
    api: { 'POST /api/v1/auth/password/change': { msg: 'Password updated successfully' } },
  });
  await user.type(screen.getByLabelText('Current password'), 'Passw0rd!');
  await user.type(screen.getByLabelText('New password'), 'Better0ne!');
  await user.type(screen.getByLabelText('Repeat the new password'), 'Better');
  expect(screen.getByText('The two passwords differ')).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(requests.some(({ method }) => method === 'POST')).toBe(false);
  await user.type(screen.getByLabelText('Repeat the new password'), '0ne!{Enter}');
  await screen.findByText('/user/authentication/signin');
  expect(toasts[0]?.summary).toBe('Password updated successfully');
});

describe('the link of an invitation', () => {
  const page = (
    <Routes>
      <Route path="/user/authentication/signup/:token" element={<InvitationPage />} />
    </Routes>
  );
  const route = '/user/authentication/signup/abc';
  const invitation = {
    email: 'bob@example.com',
    project: { id: 'p_1', title: 'Atlas' },
    role: 'editor',
    has_account: false,
  };
  const read = 'POST /api/v1/auth/invitation/read';

  test('asks a new person for a password alone', async () => {
    const { user, requests } = show(page, {
      route,
      api: { [read]: invitation, 'POST /api/v1/auth/user/signup': { token: 'fresh' } },
    });
    const email = await screen.findByLabelText<HTMLInputElement>('E-mail');
    expect([email.value, email.readOnly]).toEqual(['bob@example.com', true]);
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!{Enter}');
    await waitFor(() =>
      expect(requests.find(({ path }) => path.endsWith('signup'))?.body).toEqual({
        email: 'bob@example.com',
        password: 'Passw0rd!',
        token: 'abc',
      }),
    );
  });

  test('is accepted by whoever is signed in with its address, and by nobody else', async () => {
    const api = { [read]: { ...invitation, has_account: true }, 'POST /api/v1/auth/invitation/accept': {} };
    const first = show(page, { route, user: { email: 'bob@example.com' }, api });
    await first.user.click(await screen.findByRole('button', { name: 'Accept the invitation' }));
    await screen.findByText('/nc/p_1');
    first.unmount();
    show(page, { route, user: { email: 'eve@example.com' }, api });
    expect(await screen.findByText(/This invitation is for bob@example.com/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Accept the invitation' })).toBeNull();
  });

  describe('that is on its way through another page of signing in', () => {
    const providers = { 'GET /api/v1/auth/providers': { list: [{ id: 'oidc', label: 'Acme' }] } };
    const known = { [read]: { ...invitation, has_account: true } };
    const back = `?continue=${encodeURIComponent(route)}`;

    test('comes back from a further step of signing in', async () => {
      const api = { ...known, 'POST /api/v1/auth/user/signin': { step: 'code' } };
      const { user } = show(page, { route, api });
      await user.type(await screen.findByLabelText('Password'), 'Passw0rd!{Enter}');
      expect(await screen.findByText(`/user/authentication/step${back}`)).toBeTruthy();
    });

    test('leads to what it was for after a further step of signing up, which has accepted it', async () => {
      const api = { [read]: invitation, 'POST /api/v1/auth/user/signup': { step: 'code' } };
      const { user } = show(page, { route, api });
      await user.type(await screen.findByLabelText('Password'), 'Passw0rd!{Enter}');
      expect(await screen.findByText('/user/authentication/step?continue=%2Fnc%2Fp_1')).toBeTruthy();
    });

    test('comes back from a provider, for accounts that have no password', async () => {
      sessionStorage.clear();
      const start = { 'POST /api/v1/auth/providers/oidc/start': { url: '#' } };
      const { user } = show(page, { route, api: { ...known, ...providers, ...start } });
      await user.click(await screen.findByRole('button', { name: 'Continue with Acme' }));
      await waitFor(() => expect(sessionStorage.getItem('trellis.sign-in.continue')).toBe(route));
    });

    test('comes back from signing in as somebody else', async () => {
      const { user } = show(page, { route, api: known });
      await user.click(await screen.findByRole('link', { name: 'Sign in as somebody else' }));
      expect(await screen.findByText(`/user/authentication/signin${back}`)).toBeTruthy();
    });
  });

  test('says why it does not work any more', async () => {
    show(page, {
      route,
      api: {
        [read]: () => {
          throw new ApiError(400, 'Invalid invite url', 'INVITATION_UNKNOWN');
        },
      },
    });
    expect((await screen.findByRole('alert')).textContent).toBe('Invalid invite url');
  });
});

describe('a forgotten password', () => {
  test('is asked for by the address, and the answer is the same for everybody', async () => {
    const { user, requests } = show(<ForgotPage />, { api: { 'POST /api/v1/auth/password/forgot': {} } });
    await user.type(screen.getByLabelText('E-mail'), 'ann{Enter}');
    expect(screen.getByText('E-mail must be valid')).toBeTruthy();
    await user.type(screen.getByLabelText('E-mail'), '@example.com{Enter}');
    expect(await screen.findByText(/If ann@example.com has an account here/)).toBeTruthy();
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  const page = (
    <Routes>
      <Route path="/user/password/reset/form/:token" element={<ResetPage />} />
    </Routes>
  );
  const route = '/user/password/reset/form/abc';

  test('is replaced by the link of the mail', async () => {
    const { user, requests } = show(page, {
      route,
      api: { 'POST /api/v1/auth/token/validate/abc': true, 'POST /api/v1/auth/password/reset/abc': {} },
    });
    await user.type(await screen.findByLabelText('New password'), 'Better0ne!');
    await user.type(screen.getByLabelText('Repeat the new password'), 'Better0ne!{Enter}');
    await screen.findByText('/user/password/reset/success');
    const sent = requests.find(({ path }) => path.endsWith('password/reset/abc'));
    expect(sent?.body).toEqual({ password: 'Better0ne!' });
  });

  test('stays as it is where the link is too old', async () => {
    show(page, {
      route,
      api: {
        'POST /api/v1/auth/token/validate/abc': () => {
          throw new ApiError(400, 'Password reset url expired', 'RESET_LINK_EXPIRED');
        },
      },
    });
    expect((await screen.findByRole('alert')).textContent).toBe('Password reset url expired');
    expect(screen.queryByLabelText('New password')).toBeNull();
  });
});

test('a link is not called bad where only the server could not be asked, and is asked about again', async () => {
  let isAway = true;
  const { user } = show(
    <Routes>
      <Route path="/user/password/reset/:token" element={<ResetPage />} />
    </Routes>,
    {
      route: '/user/password/reset/abc',
      api: {
        'POST /api/v1/auth/token/validate/abc': () => {
          if (isAway) throw new ApiError(503, 'The server is busy');
          return {};
        },
      },
    },
  );
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy');
  expect(screen.queryByText('Ask for a new link')).toBeNull();
  isAway = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('New password')).toBeTruthy();
});

test('an address is confirmed by a press, not by opening the page alone', async () => {
  const { user, requests } = show(
    <Routes>
      <Route path="/user/email/validate/:token" element={<ConfirmEmailPage />} />
    </Routes>,
    { route: '/user/email/validate/abc', api: { 'POST /api/v1/auth/email/validate/abc': {} } },
  );
  const button = await screen.findByRole('button', { name: 'Confirm' });
  expect(requests.some(({ method }) => method === 'POST')).toBe(false);
  await user.click(button);
  expect(await screen.findByText('Thank you. Your address is confirmed.')).toBeTruthy();
});

test('the own names are saved, and asked for again', async () => {
  const { user, requests, host } = show(<ProfilePanel />, {
    user: { firstname: 'Ada', lastname: 'Lovelace' },
    api: { 'PATCH /api/v1/auth/user/profile': {} },
  });
  const check = jest.spyOn(host.session, 'check').mockResolvedValue();
  const first = screen.getByLabelText<HTMLInputElement>('First name');
  expect(first.value).toBe('Ada');
  await user.type(first, ' Augusta{Enter}');
  await waitFor(() => expect(check).toHaveBeenCalled());
  const sent = requests.find(({ method }) => method === 'PATCH');
  expect(sent?.body).toEqual({ firstname: 'Ada Augusta', lastname: 'Lovelace' });
});

test('own sessions are listed by device, and another one is ended by a press', async () => {
  const of = { created_at: '2026-11-20 10:00:00', refreshed_at: '2026-11-21 10:00:00', ip: '192.0.2.1' };
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const { user, requests } = show(<SessionsPanel />, {
    user: {},
    api: {
      'GET /api/v1/auth/sessions': {
        list: [
          { id: 'a', is_current: true, agent: firefox, ...of },
          { id: 'b', is_current: false, agent: 'curl/8', ...of },
        ],
      },
      'DELETE /api/v1/auth/sessions/b': { msg: 'success' },
    },
  });
  expect(await screen.findByText('Firefox, Linux')).toBeTruthy();
  expect(screen.getByText('this one')).toBeTruthy();
  // A second press while the first is on its way would be refused, of a session that is gone.
  await user.dblClick(screen.getByRole('button', { name: 'End the session of curl/8' }));
  await waitFor(() => expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(2));
  expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('a session that was ended is not ended again before the list is read, and the keys go on to the next one', async () => {
  const of = { created_at: '2026-11-20 10:00:00', refreshed_at: '2026-11-21 10:00:00', ip: '192.0.2.1' };
  let sessions = [
    { id: 'a', is_current: true, agent: 'Firefox', ...of },
    { id: 'b', is_current: false, agent: 'curl/8', ...of },
    { id: 'c', is_current: false, agent: 'wget/1', ...of },
  ];
  let read = (): void => undefined;
  let reads = 0;
  const { user, requests } = show(<SessionsPanel />, {
    user: {},
    api: ({ method, path }) => {
      if (method === 'DELETE') {
        sessions = sessions.filter(({ id }) => !path.endsWith(`/${id}`));
        return { msg: 'success' };
      }
      reads += 1;
      const answer = { list: sessions };
      if (reads === 1) return answer;
      return new Promise((resolve) => {
        read = () => resolve(answer);
      });
    },
  });
  const button = await screen.findByRole('button', { name: 'End the session of curl/8' });
  await user.click(button);
  await waitFor(() => expect(reads).toBe(2));
  await user.click(button);
  expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  read();
  const next = screen.getByRole('button', { name: 'End the session of wget/1' });
  await waitFor(() => expect(document.activeElement).toBe(next));
});
