import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { closePage, entry, expectHeading, expectText, openPage } from '../testing/app-page.tsx';
import { ada, guestServer, signedInServer } from '../testing/signed-in-server.ts';

afterEach(closePage);

describe('the page', () => {
  test('leads a member to the projects', async () => {
    await openPage(signedInServer([entry('pages')]));
    await expectHeading('My projects');
    expect(screen.getByRole('button', { name: 'Account of Ada Lovelace' })).toBeTruthy();
  });

  test('sends a guest to sign in, and on to where they wanted to go', async () => {
    const server = guestServer([entry('pages')]);
    const { host } = await openPage(server, '/number/7');
    await expectHeading('Please sign in');
    expect(location.hash).toBe('#/user/authentication/signin?continue=%2Fnumber%2F7');
    server.on('GET /api/v1/auth/user/me', { data: { id: 'us_1', email: 'a@b.c', roles: { user: true } } });
    await act(() => host.session.signIn('token'));
    await expectHeading('A number');
  });

  test.each([
    ['that is on the page', false],
    ['that is answered later', true],
  ])('shows another account nothing of what was asked for the one before %s', async (_what, isLate) => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const server = signedInServer([entry('pages'), entry('reader')]).on('GET /api/v1/text', async () => {
      if (isLate) await answered;
      return { data: { text: 'Of Ada' } };
    });
    const { host } = await openPage(server, '/reader');
    await expectHeading(isLate ? 'reading' : 'Of Ada');
    server
      .on('GET /api/v1/text', { data: { text: 'Of Ben' } })
      .on('GET /api/v1/auth/user/me', { data: { ...ada, id: 'us_ben' } });
    await act(() => host.session.check());
    await expectHeading('Of Ben');
    await act(async () => answer());
    await expectHeading('Of Ben');
  });

  test('shows the 404 page for an unknown address and for one that its page does not accept', async () => {
    await openPage(signedInServer([entry('pages')]), '/nowhere');
    await expectHeading('This page could not be found');
    act(() => {
      location.hash = '#/number/seven';
    });
    await expectHeading('This page could not be found');
  });

  test("refuses a member the operators' page", async () => {
    const server = signedInServer([entry('pages')]).on('GET /api/v1/auth/user/me', {
      data: { id: 'us_1', email: 'a@b.c', roles: { user: true } },
    });
    await openPage(server, '/operators');
    await expectText('You do not have the right to see this page');
  });

  test('says so when the server cannot be reached, and tries again', async () => {
    const server = signedInServer([entry('pages')]).on('GET /api/v1/plugins/web', 'unreachable');
    await openPage(server);
    await expectText(/cannot be reached/);
    server.on('GET /api/v1/plugins/web', { data: { generation: 1, plugins: [entry('pages')] } });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await expectHeading('My projects');
  });
});

describe('a page whose session ran out', () => {
  const { showModal } = HTMLDialogElement.prototype;
  beforeEach(() => {
    // What jsdom lacks of dialogs.
    HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
      this.open = true;
      this.querySelector<HTMLElement>('button, input')?.focus();
    };
  });
  afterEach(() => {
    HTMLDialogElement.prototype.showModal = showModal;
  });

  test('is covered until somebody signs in: nothing closes the cover, and no key runs a command under it', async () => {
    const { host } = await openPage(signedInServer([entry('pages')]));
    await expectHeading('My projects');
    const run = jest.fn<() => void>();
    const command = host.registries
      .get('commands')
      .register({ id: 'test.x', label: 'X', keys: 'mod+j', run }, 'test');
    const press = () =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', ctrlKey: true, bubbles: true }),
      );
    press();
    await waitFor(() => expect(run).toHaveBeenCalledTimes(1));
    act(() => host.session.expire());
    const cover = await screen.findByRole<HTMLDialogElement>('dialog', { name: 'Sign in again' });
    press();
    // As browsers do at the second Escape.
    act(() => {
      cover.open = false;
      cover.dispatchEvent(new Event('close'));
    });
    expect([cover.open, run.mock.calls.length]).toEqual([true, 1]);
    void command.dispose();
  });

  test('gives the keys to the form by which people sign in, and back when they did', async () => {
    const { host } = await openPage(signedInServer([entry('pages')]));
    await expectHeading('My projects');
    const home = screen.getByTitle('Home');
    act(() => home.focus());
    act(() => host.session.expire());
    await screen.findByRole('dialog', { name: 'Sign in again' });
    expect(document.activeElement).toBe(screen.getByLabelText('E-mail'));
    const covers: number[] = [];
    home.addEventListener('focus', () => covers.push(document.querySelectorAll('dialog').length));
    await act(() => host.session.signIn('token-9'));
    expect(document.activeElement).toBe(home);
    // Browsers give no focus to what an open dialog covers.
    expect(covers).toEqual([0]);
  });

  test('is not left by Enter of somebody who types when it comes', async () => {
    const { host } = await openPage(signedInServer([entry('pages')]));
    await expectHeading('My projects');
    act(() => host.session.expire());
    await screen.findByRole('dialog', { name: 'Sign in again' });
    expect(document.activeElement?.textContent).not.toBe('Leave this page');
    await userEvent.keyboard('{Enter}');
    expect(host.session.isPaused).toBe(true);
  });
});

describe('a server that goes away', () => {
  const health = 'GET /api/v1/health';
  const text = 'GET /api/v1/text';

  test('is told of at once, and what the page shows is read again when it is back', async () => {
    const server = signedInServer([entry('reader')])
      .on(text, 'unreachable')
      .on(health, 'unreachable');
    await openPage(server, '/reader');
    await expectHeading('The server cannot be reached; check your connection');
    expect(screen.getByRole('alert').textContent).toContain('What you entered is still here.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(server.count(health)).toBe(1);
    expect(screen.getByRole('alert')).toBeTruthy();

    server.on(text, { data: { text: 'After' } });
    server.on(health, { data: { status: 'ok' } });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await expectHeading('After');
    expect(screen.queryByRole('alert')).toBeNull();
    await expectText('The server can be reached again.');
  });

  test('before the page began is waited for', async () => {
    const server = signedInServer([entry('pages')]);
    for (const path of ['GET /api/v1/plugins/web', 'POST /api/v1/auth/token/refresh', health])
      server.on(path, 'unreachable');
    const { host } = await openPage(server);
    await expectText(/cannot be reached/);
    server.on('GET /api/v1/plugins/web', { data: { generation: 1, plugins: [entry('pages')] } });
    server.on('POST /api/v1/auth/token/refresh', { data: { token: 'token-1' } });
    server.on(health, { data: { status: 'ok' } });
    await act(() => host.connection.check());
    await expectHeading('My projects');
  });
});

describe('the frame', () => {
  test('that fails shows a dialog, with a way to report it and a way back', async () => {
    const server = signedInServer([entry('pages')]).on('POST /api/v1/plugins/client-errors', { data: {} });
    const { host } = await openPage(server);
    const list = jest.spyOn(host.toasts, 'list').mockImplementation(() => {
      throw new Error('no toasts today');
    });
    act(() => host.toasts.show({ severity: 'info', summary: 'Hello' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'An unexpected error occurred' });
    expect(dialog.textContent).toContain('no toasts today');
    await userEvent.click(screen.getByRole('button', { name: 'Report' }));
    expect(await screen.findByRole('button', { name: 'Reported' })).toBeTruthy();
    expect(server.seen.at(-1)?.body).toEqual({
      pluginId: 'host',
      where: 'page',
      message: 'no toasts today',
    });
    list.mockRestore();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await expectHeading('My projects');
  });

  test('runs its loading bar while something is written', async () => {
    let answer: (answer: { readonly data: unknown }) => void = () => undefined;
    const answered = new Promise<{ readonly data: unknown }>((resolve) => {
      answer = resolve;
    });
    const { host } = await openPage(signedInServer([entry('pages')]).on('POST /api/v1/x', () => answered));
    const bar = () => document.querySelector('.tr-loading-bar');
    expect(bar()).toBeNull();
    let write: Promise<unknown> = Promise.resolve();
    act(() => {
      write = host.api.request({ method: 'POST', path: '/api/v1/x' });
    });
    expect(bar()).not.toBeNull();
    await act(async () => {
      answer({ data: {} });
      await write;
    });
    expect(bar()).toBeNull();
  });

  test('calls the document what an error page says', async () => {
    await openPage(signedInServer([entry('pages')]), '/nowhere');
    await waitFor(() => expect(document.title).toBe('404 Not Found · Trellis'));
    act(() => {
      location.hash = '#/error/403';
    });
    await waitFor(() => expect(document.title).toMatch(/do not have the right/));
  });

  test('shows what plugins put at the entrance above the projects, not instead of them', async () => {
    await openPage(signedInServer([entry('pages'), entry('welcome')]));
    await expectText('Welcome back');
    await expectHeading('My projects');
  });
});
