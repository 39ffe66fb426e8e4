import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ManualClock, type Disposable, type PluginContributions } from '@trellis/core';
import { askBeforeLeaving, useServerData, useShell, type WebPlugin } from '@trellis/sdk/web';
import { createWebHost } from './create-web-host.ts';
import type { HostParts } from './host-parts.ts';
import { registerHostContributions } from './host-contributions.ts';
import { followEvents } from './start-web-host.ts';
import type { WebPluginEntry } from '../plugins/web-plugin-manifest.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import { guestServer, signedInServer } from '../testing/signed-in-server.ts';
import { App } from './App.tsx';

const entry = (id: string): WebPluginEntry => ({
  id,
  manifest: { name: id, version: '1.0.0' },
  url: `/${id}.js`,
});
const project = { id: 'p_1', title: 'Northwind', bases: [] };

const setups: Readonly<Record<string, WebPlugin['setup']>> = {
  '/pages.js': (ctx) => {
    ctx.register('routes', { id: 'projects', path: '/projects', Component: () => <h1>My projects</h1> });
    ctx.register('routes', {
      id: 'sign-in',
      path: '/user/authentication/signin',
      access: 'guest',
      layout: 'empty',
      Component: () => <h1>Please sign in</h1>,
    });
    ctx.register('routes', {
      id: 'number',
      path: '/number/:n',
      validate: ({ n }) => /^\d+$/.test(n ?? ''),
      Component: () => <h1>A number</h1>,
    });
    ctx.register('routes', {
      id: 'operators',
      path: '/operators',
      access: 'superAdmin',
      Component: () => <h1>Operators</h1>,
    });
  },
  '/tables.js': (ctx) => {
    ctx.register('dashboardTabs', {
      id: 'table',
      label: 'Table',
      icon: 'table',
      perObject: true,
      Component: ({ tab }) => <h1>{`Table ${tab.name}`}</h1>,
    });
    ctx.register('shellItems', {
      id: 'tree',
      slot: 'side-bar',
      when: ({ project: open }) => open !== undefined,
      Component: () => {
        const shell = useShell();
        return (
          <nav>
            The tree
            <button onClick={() => shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' })}>
              To the customers
            </button>
          </nav>
        );
      },
    });
  },
  '/start.js': (ctx) => {
    ctx.register('dashboardTabs', {
      id: 'start',
      label: 'Start',
      icon: 'table',
      Component: () => null,
      Start: ({ isArriving }) => {
        starts.push(isArriving);
        return <h1>{isArriving ? 'Welcome' : 'All closed'}</h1>;
      },
    });
  },
  '/hangs.js': () => new Promise(() => undefined),
  '/welcome.js': (ctx) => {
    ctx.register('shellItems', { id: 'welcome', slot: 'home', Component: () => <p>Welcome back</p> });
  },
  '/throws-in-setup.js': () => {
    throw new Error('no luck');
  },
  '/throws-when-drawn.js': (ctx) => {
    ctx.register('shellItems', {
      id: 'bad',
      slot: 'top-bar-end',
      Component: () => {
        throw new Error('cannot draw');
      },
    });
  },
  '/fails-before-requests.js': (ctx) => {
    ctx.tap('api.willSend', () => {
      failures += 1;
      throw new Error('no header');
    });
  },
  '/fails-on-click.js': (ctx) => {
    const fail = () => {
      const error = new Error('no click');
      error.stack = `Error: no click\n    at onClick (http://localhost/ext/fails-on-click/1.0.0/index.js:1:7)`;
      throw error;
    };
    const Component = () => <button onClick={fail}>Press</button>;
    ctx.register('shellItems', { id: 'press', slot: 'top-bar-end', Component });
  },
  '/reader.js': (ctx) => {
    ctx.register('routes', {
      id: 'reader',
      path: '/reader',
      Component: () => {
        const { data, error } = useServerData<{ text: string }>({ path: '/api/v1/text' });
        return <h1>{data?.text ?? error?.message ?? 'reading'}</h1>;
      },
    });
  },
};

let host: HostParts;
/** The web halves that the page asked for, in their order. */
let imported: string[] = [];
let lifetime: Disposable[] = [];
/** What a project without an open tab drew of a plugin: whether it was just opened. */
let starts: boolean[] = [];
/** How often the handler of `fails-before-requests` ran. */
let failures = 0;

async function openPage(server: FakeServer, path = '/') {
  location.hash = `#${path}`;
  imported = [];
  host = createWebHost({
    transport: server.transport,
    mirror: new LocalMirror(undefined),
    embedded: false,
    importModule: (url) => {
      imported.push(url);
      const setup = setups[url];
      if (setup === undefined) return Promise.reject(new Error(`there is no ${url}`));
      const plugin: WebPlugin = { setup };
      return Promise.resolve({ default: plugin });
    },
  });
  jest.spyOn(host.live, 'start').mockResolvedValue(undefined);
  lifetime = [registerHostContributions(host), followEvents(host)];
  const view = render(<App parts={host} />);
  await waitFor(() => expect(screen.queryByLabelText('Loading')).toBeNull());
  return view;
}

async function expectHeading(name: string): Promise<void> {
  expect(await screen.findByRole('heading', { name })).toBeTruthy();
}

async function expectText(text: string | RegExp): Promise<void> {
  expect(await screen.findByText(text)).toBeTruthy();
}

beforeEach(() => {
  // React tells of contained errors as well; these tests expect them.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterEach(() => {
  for (const item of lifetime) void item.dispose();
  jest.restoreAllMocks();
});

describe('a page whose session ran out', () => {
  const { showModal } = HTMLDialogElement.prototype;
  beforeEach(() => {
    // What jsdom lacks of dialogs.
    HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
      this.open = true;
    };
  });
  afterEach(() => {
    HTMLDialogElement.prototype.showModal = showModal;
  });

  test('is covered until somebody signs in: nothing closes the cover, and no key runs a command under it', async () => {
    await openPage(signedInServer([entry('pages')]));
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
});

describe('the page', () => {
  test('leads a member to the projects', async () => {
    await openPage(signedInServer([entry('pages')]));
    await expectHeading('My projects');
    expect(screen.getByRole('button', { name: 'Account of Ada Lovelace' })).toBeTruthy();
  });

  test('sends a guest to sign in, and on to where they wanted to go', async () => {
    const server = guestServer([entry('pages')]);
    await openPage(server, '/number/7');
    await expectHeading('Please sign in');
    expect(location.hash).toBe('#/user/authentication/signin?continue=%2Fnumber%2F7');
    server.on('GET /api/v1/auth/user/me', { data: { id: 'us_1', email: 'a@b.c', roles: { user: true } } });
    await act(() => host.session.signIn('token'));
    await expectHeading('A number');
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
    await openPage(server);
    await expectText(/cannot be reached/);
    server.on('GET /api/v1/plugins/web', { data: { generation: 1, plugins: [entry('pages')] } });
    server.on('POST /api/v1/auth/token/refresh', { data: { token: 'token-1' } });
    server.on(health, { data: { status: 'ok' } });
    await act(() => host.connection.check());
    await expectHeading('My projects');
  });
});

describe('plugins', () => {
  test('that fail cost nothing but themselves', async () => {
    const plugins = ['throws-in-setup', 'throws-when-drawn', 'not-there', 'pages'].map(entry);
    await openPage(signedInServer(plugins));
    await expectHeading('My projects');
    const failed = host.diagnostics.list().map(({ pluginId }) => pluginId);
    expect(new Set(failed)).toEqual(new Set(['throws-in-setup', 'throws-when-drawn', 'not-there']));
    expect(screen.getByRole('button', { name: /bad · plugin throws-when-drawn: cannot draw/ })).toBeTruthy();
    expect(await screen.findByText('Plugin throws-in-setup has a problem')).toBeTruthy();
    // The server says by this place that a page half did not start.
    expect(host.diagnostics.list()).toContainEqual(
      expect.objectContaining({ pluginId: 'throws-in-setup', where: 'start' }),
    );
  });

  test('that fail around requests are told of once, are not asked again for that, and then leave the requests alone', async () => {
    const reports = 'POST /api/v1/plugins/client-errors';
    const { manifest, ...rest } = entry('fails-before-requests');
    const failing = { ...rest, manifest: { ...manifest, contributes: { hooks: ['api.willSend'] } } };
    const server = signedInServer([entry('pages'), failing]).on(reports, { data: {} });
    failures = 0;
    await openPage(server);
    await waitFor(() => expect(host.isEnabled('fails-before-requests')).toBe(true));
    for (let count = 0; count < 15; count += 1)
      await act(() => host.api.request({ path: '/api/v1/user-storage' }));
    expect(failures).toBe(10);
    await waitFor(() => expect(server.count(reports)).toBe(2));
    const told = server.seen.filter(({ path }) => path === '/api/v1/plugins/client-errors');
    expect(told.map(({ body }) => body)).toEqual([
      { pluginId: 'fails-before-requests', where: 'hook api.willSend', message: 'no header' },
      {
        pluginId: 'fails-before-requests',
        where: 'tap on api.willSend, which is out of service in this page now',
        message: 'no header',
      },
    ]);
  });

  test('that never answer before a request keep no request for longer than five seconds', async () => {
    const clock = new ManualClock();
    const { transport } = signedInServer();
    const parts = createWebHost({ transport, clock, mirror: new LocalMirror(undefined), embedded: true });
    parts.hooks.tap('hangs', 'api.willSend', () => new Promise(() => undefined));
    let answer: unknown;
    void parts.api.request({ path: '/api/v1/user-storage' }).then((data) => (answer = data));
    await waitFor(() => {
      clock.advance(5000);
      expect(answer).toEqual({});
    });
    expect(parts.diagnostics.list()).toMatchObject([{ pluginId: 'hangs', where: 'hook api.willSend' }]);
  });

  test('that fail in a click are told of by the address of their code', async () => {
    await openPage(signedInServer([entry('pages'), entry('fails-on-click')]));
    await userEvent.click(await screen.findByRole('button', { name: 'Press' }));
    expect(host.diagnostics.list()).toMatchObject([
      { pluginId: 'fails-on-click', where: 'event handler or timer', message: 'no click' },
    ]);
    expect(screen.getByRole('button', { name: 'Press' })).toBeTruthy();
  });

  test('that the page does not show keep nobody waiting, also when one hangs', async () => {
    const own = {
      ...entry('pages'),
      manifest: { ...entry('pages').manifest, contributes: { pages: [{ id: '/projects' }] } },
    };
    await openPage(signedInServer([entry('hangs'), entry('reader'), own]));
    await expectHeading('My projects');
    expect(imported[0]).toBe('/pages.js');
    expect(host.isEnabled('hangs')).toBe(false);
    await waitFor(() => expect(imported).toEqual(['/pages.js', '/hangs.js', '/reader.js']));
  });

  test('come with the page that shows something of theirs, before those of which it shows nothing', async () => {
    const withContributions = (id: string, contributes: PluginContributions) => ({
      ...entry(id),
      manifest: { ...entry(id).manifest, contributes },
    });
    const own = withContributions('pages', { pages: [{ id: '/projects', shows: ['columnTypes'] }] });
    const shown = withContributions('tables', { columnTypes: [{ id: 'Stars' }] });
    await openPage(signedInServer([entry('hangs'), entry('reader'), own, shown]));
    await expectHeading('My projects');
    expect(imported.slice(0, 2)).toEqual(['/pages.js', '/tables.js']);
  });

  test('come and go without a reload, with their pages and their cached answers', async () => {
    const server = signedInServer([entry('pages')]).on('GET /api/v1/text', { data: { text: 'Hello' } });
    await openPage(server, '/reader');
    await expectText('This page could not be found');

    server.on('GET /api/v1/plugins/web', {
      data: { generation: 2, plugins: [entry('pages'), entry('reader')] },
    });
    await act(() => host.sync.run(2));
    await expectHeading('Hello');
    expect(Object.keys(host.store.getState().server.queries)).toHaveLength(1);

    server.on('GET /api/v1/plugins/web', { data: { generation: 3, plugins: [entry('pages')] } });
    await act(() => host.sync.run(3));
    await expectText('This page could not be found');
    expect(host.store.getState().server.queries).toEqual({});
    expect(host.isEnabled('reader')).toBe(false);
  });

  test('stay as they are when the server has another build of the product, and the person is asked to reload', async () => {
    const server = signedInServer([entry('pages')]);
    await openPage(server);
    await expectHeading('My projects');
    const plugins = [{ ...entry('pages'), url: '/pages-built-later.js' }, entry('reader')];
    server.on('GET /api/v1/plugins/web', { data: { generation: 2, plugins } });
    await act(() => host.sync.run(2));
    await expectText('Trellis was updated');
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
    await expectHeading('My projects');
    expect(imported).toEqual(['/pages.js']);
  });

  test('are not asked for again when nothing is newer', async () => {
    const server = signedInServer([entry('pages')]);
    await openPage(server);
    await act(() => host.sync.run(1));
    expect(server.count('GET /api/v1/plugins/web')).toBe(1);
  });
});

describe("a project's workspace", () => {
  const server = (plugins = [entry('pages'), entry('tables')]) =>
    signedInServer(plugins).on('GET /api/v1/db/meta/projects/p_1', {
      data: project,
    });

  test('opens the tab that the address names and keeps the address in step', async () => {
    await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await expectHeading('Table Orders');
    expect(document.title).toBe('Northwind · Trellis');
    act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
    await expectHeading('Table Customers');
    expect(location.hash).toBe(
      '#/nc/p_1?type=table&dbalias=tb_2&name=Customers'.replace(
        /type.*/,
        'name=Customers&dbalias=tb_2&type=table',
      ),
    );
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Orders', 'Customers']);
  });

  test('keeps the view of each tab, and the names that its objects have now', async () => {
    await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders&view=vw_2');
    await expectHeading('Table Orders');
    act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
    await waitFor(() => expect(location.hash).toContain('tb_2'));
    expect(location.hash).not.toContain('view=');
    act(() => host.shell.nameTabs('table', new Map([['tb_1', 'Sales']])));
    await userEvent.click(screen.getByRole('tab', { name: 'Sales' }));
    await waitFor(() => expect(location.hash).toBe('#/nc/p_1?name=Sales&dbalias=tb_1&type=table&view=vw_2'));
  });

  describe('asks before something is lost that is not saved', () => {
    let stop: () => void = () => undefined;
    const openUnsaved = async () => {
      await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
      await expectHeading('Table Orders');
      stop = askBeforeLeaving();
    };
    const answer = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
    afterEach(() => stop());

    test('by another tab', async () => {
      await openUnsaved();
      act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
      await answer('Cancel');
      await expectHeading('Table Orders');
      act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
      await answer('Leave');
      await expectHeading('Table Customers');
    });

    test('by closing its tab', async () => {
      await openUnsaved();
      await userEvent.click(await screen.findByTitle('Close Orders'));
      await answer('Cancel');
      await expectHeading('Table Orders');
      await userEvent.click(await screen.findByTitle('Close Orders'));
      await answer('Leave');
      await expectText('Nothing is open');
    });

    test('by another address, which goes back where the person stays', async () => {
      await openUnsaved();
      const before = location.hash;
      act(() => {
        location.hash = '#/projects';
      });
      await answer('Cancel');
      await waitFor(() => expect(location.hash).toBe(before));
      await expectHeading('Table Orders');
      act(() => {
        location.hash = '#/nc/p_1?type=table&dbalias=tb_2&name=Customers';
      });
      await answer('Leave');
      await expectHeading('Table Customers');
    });

    /** Waits until the page has heard of a step in the history: the address is another one before it. */
    const travelled = async (step: () => unknown) => {
      const popped = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      await step();
      await act(() => popped);
    };

    test('by the way back, after which the history is as it was', async () => {
      await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
      await expectHeading('Table Orders');
      await userEvent.click(screen.getByTitle('Home'));
      await waitFor(() => expect(location.hash).not.toContain('/nc/'));
      stop = askBeforeLeaving();
      const home = location.hash;
      const length = history.length;
      await travelled(() => history.back());
      await travelled(() => answer('Cancel'));
      expect(location.hash).toBe(home);
      await travelled(() => history.back());
      // Who comes back while they are asked has not left: they are asked the next time.
      await screen.findByRole('button', { name: 'Leave' });
      await travelled(() => history.forward());
      expect(location.hash).toBe(home);
      await answer('Leave');
      await travelled(() => history.back());
      await answer('Leave');
      await expectHeading('Table Orders');
      expect(history).toHaveLength(length);
      await travelled(() => history.forward());
      expect(location.hash).toBe(home);
    });

    test('and not where the page keeps it', async () => {
      await openUnsaved();
      stop();
      stop = askBeforeLeaving(undefined, 'page');
      act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
      await expectHeading('Table Customers');
    });
  });

  test('calls a tab of no object as its kind is called, whatever it was called when it was opened', async () => {
    await openPage(server([entry('start')]), '/nc/p_1?type=start&dbalias=start&name=Anfang');
    expect((await screen.findByRole('tab')).textContent).toBe('Start');
  });

  test('closes tabs down to an empty state', async () => {
    await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await userEvent.click(await screen.findByTitle('Close Orders'));
    await expectText('Nothing is open');
    expect(document.activeElement?.id).toBe('tr-main');
    await waitFor(() => expect(location.hash).toBe('#/nc/p_1'));
    // Where the side bar is a drawer, this is the way to it.
    await userEvent.click(screen.getByRole('button', { name: 'Show the tables' }));
    const drawer = () => document.querySelector('.tr-side-bar--open');
    expect(drawer()).not.toBeNull();
    // What opens by itself leaves it open; where somebody goes, it is in the way.
    act(() => host.shell.openTab({ type: 'table', key: 'tb_1', name: 'Orders' }));
    await expectHeading('Table Orders');
    expect(drawer()).not.toBeNull();
    act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
    await waitFor(() => expect(drawer()).toBeNull());
    // Whoever asks for the tab that is open already wants to see it.
    await userEvent.click(screen.getByRole('button', { name: 'Side bar' }));
    expect(drawer()).not.toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'To the customers' }));
    await waitFor(() => expect(drawer()).toBeNull());
  });

  test('leaves a drawer open that was opened after something else was pressed in the side bar', async () => {
    await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await userEvent.click(await screen.findByText('The tree'));
    await userEvent.click(await screen.findByTitle('Close Orders'));
    await waitFor(() => expect(location.hash).toBe('#/nc/p_1'));
    await userEvent.click(screen.getByText('The tree'));
    await userEvent.click(screen.getByRole('button', { name: 'Show the tables' }));
    act(() => host.shell.openTab({ type: 'table', key: 'tb_1', name: 'Orders' }));
    await expectHeading('Table Orders');
    expect(document.querySelector('.tr-side-bar--open')).not.toBeNull();
  });

  test('draws what a plugin offers while no tab is open, and not before a tab that the address names', async () => {
    starts = [];
    const plugins = [entry('pages'), entry('tables'), entry('start')];
    await openPage(server(plugins), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await expectHeading('Table Orders');
    expect(starts).toEqual([]);
    await userEvent.click(await screen.findByTitle('Close Orders'));
    await expectHeading('All closed');
  });

  test('says which tab no plugin can show', async () => {
    await openPage(server(), '/nc/p_1?type=cron&dbalias=x&name=Jobs');
    await expectText("No enabled plugin provides tabs of type 'cron'.");
  });

  test.each([
    [404, 'Project not found', 'This project was deleted, or you are not a member of it'],
    [403, 'projectGet - user : Not allowed', 'This project was deleted, or you are not a member of it'],
  ])('says in its own words why the project cannot be read: %i', async (status, msg, heading) => {
    await openPage(server().on('GET /api/v1/db/meta/projects/p_2', { status, data: { msg } }), '/nc/p_2');
    await expectHeading(heading);
    expect(host.shell.context.project).toBeUndefined();
  });
});

test('a project that is taken from somebody who is in it takes along what the frame offers for it', async () => {
  const server = signedInServer([entry('pages'), entry('tables')]);
  const path = 'GET /api/v1/db/meta/projects/p_1';
  await openPage(server.on(path, { data: project }), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
  await expectText('The tree');
  server.on(path, { status: 403, data: { msg: 'projectGet - user : Not allowed' } });
  act(() => host.liveCache.invalidate(['project:p_1']));
  await expectHeading('This project was deleted, or you are not a member of it');
  await waitFor(() => expect(screen.queryByText('The tree')).toBeNull());
});

describe('the frame', () => {
  test('that fails shows a dialog, with a way to report it and a way back', async () => {
    const server = signedInServer([entry('pages')]).on('POST /api/v1/plugins/client-errors', { data: {} });
    await openPage(server);
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
    await openPage(signedInServer([entry('pages')]).on('POST /api/v1/x', () => answered));
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

describe('dialogs', () => {
  test('ask and resolve to the answer', async () => {
    await openPage(signedInServer([entry('pages')]));
    const answers: boolean[] = [];
    const ask = () =>
      act(() => {
        const question = {
          title: 'Delete?',
          message: 'Gone.',
          confirmLabel: 'Delete',
          typeToConfirm: 'Orders',
        };
        void host.confirms.ask(question).then((answer) => answers.push(answer));
      });
    ask();
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button);
    expect(answers).toEqual([]);
    await userEvent.type(screen.getByRole('textbox'), 'Orders');
    await userEvent.click(button);
    await waitFor(() => expect(answers).toEqual([true]));
    ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(answers).toEqual([true, false]));
  });

  test('begin at the answer that changes nothing, unless the other one is what the person came for', async () => {
    await openPage(signedInServer([entry('pages')]));
    const ask = (isExpected: boolean) =>
      act(() => {
        const question = { title: 'Add a column?', message: 'The view needs it.', confirmLabel: 'Add it' };
        void host.confirms.ask({ ...question, isExpected });
      });
    ask(false);
    const cancel = await screen.findByRole('button', { name: 'Cancel' });
    expect(document.activeElement).toBe(cancel);
    await userEvent.click(cancel);
    ask(true);
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Add it' }));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  });

  test('another language is chosen in the account menu: texts, plurals and errors, and the document says so', async () => {
    const refusal = { code: 'TOO_MANY_TRIES', msg: 'Too many tries.', params: { seconds: 5 } };
    await openPage(signedInServer([entry('pages')]).on('GET /api/v1/tries', { status: 429, data: refusal }));
    await userEvent.click(await screen.findByRole('button', { name: /Account of/ }));
    await userEvent.click(screen.getByRole('menuitem', { name: 'Deutsch' }));
    const account = await screen.findByRole('button', { name: 'Konto von Ada Lovelace' });
    expect(document.documentElement.lang).toBe('de');
    const { translate } = host.translations;
    const selected = (count: number) =>
      translate('{{count}} rows selected', { count, one: '{{count}} row selected' });
    expect([selected(1), selected(2)]).toEqual(['1 Zeile ausgewählt', '2 Zeilen ausgewählt']);
    await expect(host.api.request({ path: '/api/v1/tries' })).rejects.toThrow(/in 5 Sekunden/);
    await userEvent.click(account);
    await userEvent.click(screen.getByRole('menuitem', { name: 'English' }));
    await screen.findByRole('button', { name: 'Account of Ada Lovelace' });
    expect(document.documentElement.lang).toBe('en');
  });

  test("settings hold a theme of one's own: seven colours, each of which the page takes at once", async () => {
    await openPage(signedInServer([entry('pages')]));
    await userEvent.keyboard('{Control>},{/Control}');
    await userEvent.click(await screen.findByRole('radio', { name: 'Custom' }));
    const tokens = ['primary', 'secondary', 'accent', 'info', 'success', 'warning', 'danger'];
    const labels = ['Primary', 'Secondary', 'Accent', 'Info', 'Success', 'Warning', 'Error'];
    expect(document.querySelectorAll('input[type=color]')).toHaveLength(7);
    const { style } = document.documentElement;
    for (const [at, label] of labels.entries()) {
      const colour = `#1234${at}6`;
      fireEvent.change(screen.getByLabelText(label), { target: { value: colour } });
      expect(style.getPropertyValue(`--trellis-${tokens[at]}`)).toBe(colour);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Back to the default colours' }));
    expect(tokens.map((token) => style.getPropertyValue(`--trellis-${token}`))).toEqual(tokens.map(() => ''));
  });

  test('settings open by their shortcut and switch to dark', async () => {
    await openPage(signedInServer([entry('pages')]));
    await userEvent.keyboard('{Control>},{/Control}');
    await userEvent.click(await screen.findByRole('switch', { name: /Dark mode/ }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    await userEvent.keyboard('{Alt>}{Shift>}d{/Shift}{/Alt}');
    expect(document.documentElement.dataset.theme).toBe('light');
  });
});
