import { expect, jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import type { Disposable } from '@trellis/core';
import { useServerData, useShell, type WebPlugin } from '@trellis/sdk/web';
import { App } from '../app/App.tsx';
import { createWebHost } from '../app/create-web-host.ts';
import { registerHostContributions } from '../app/host-contributions.ts';
import type { HostParts } from '../app/host-parts.ts';
import { followEvents } from '../app/start-web-host.ts';
import type { WebPluginEntry } from '../plugins/web-plugin-manifest.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import type { FakeServer } from './fake-server.ts';

/** A plugin of `setups` in the server's form. */
export function entry(id: string): WebPluginEntry {
  return { id, manifest: { name: id, version: '1.0.0' }, url: `/${id}.js` };
}

export const project = { id: 'p_1', title: 'Northwind', bases: [] };

const setups: Readonly<Record<string, WebPlugin['setup']>> = {
  '/pages.js': (ctx) => {
    ctx.register('routes', { id: 'projects', path: '/projects', Component: () => <h1>My projects</h1> });
    ctx.register('routes', {
      id: 'sign-in',
      path: '/user/authentication/signin',
      access: 'guest',
      layout: 'empty',
      Component: () => (
        <>
          <h1>Please sign in</h1>
          <input autoFocus aria-label="E-mail" />
        </>
      ),
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
      failures.count += 1;
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
    ctx.addReducer('answers', (count: number = 0, { type }) => (type === 'reader/read' ? count + 1 : count));
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

/** A test's page and its records. */
interface OpenedPage {
  readonly host: HostParts;
  /** The loaded web halves, in order. */
  readonly imported: readonly string[];
}

let lifetime: readonly Disposable[] = [];
/** What the plugin `start` drew for a project without an open tab: whether the project was just opened. */
export const starts: boolean[] = [];
/** How often the handler of the plugin `fails-before-requests` ran. */
export const failures = { count: 0 };

/** Opens the page with a server, at an address that follows `#`. Call `closePage` after each test. */
export async function openPage(server: FakeServer, path = '/'): Promise<OpenedPage> {
  // React also logs contained errors; tests of the whole page expect them.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  location.hash = `#${path}`;
  starts.length = 0;
  failures.count = 0;
  const imported: string[] = [];
  const host = createWebHost({
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
  render(<App parts={host} />);
  await waitFor(() => expect(screen.queryByLabelText('Loading')).toBeNull());
  return { host, imported };
}

/** Removes a test's page. */
export function closePage(): void {
  cleanup();
  for (const item of lifetime) void item.dispose();
  lifetime = [];
  jest.restoreAllMocks();
}

export async function expectHeading(name: string): Promise<void> {
  expect(await screen.findByRole('heading', { name })).toBeTruthy();
}

export async function expectText(text: string | RegExp): Promise<void> {
  expect(await screen.findByText(text)).toBeTruthy();
}
