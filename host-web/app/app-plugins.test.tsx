import { afterEach, describe, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ManualClock, type PluginContributions } from '@trellis/core';
import { LocalMirror } from '../store/local-mirror.ts';
import { closePage, entry, expectHeading, expectText, failures, openPage } from '../testing/app-page.tsx';
import { signedInServer } from '../testing/signed-in-server.ts';
import { createWebHost } from './create-web-host.ts';

afterEach(closePage);

describe('plugins', () => {
  test('that fail cost nothing but themselves', async () => {
    const plugins = ['throws-in-setup', 'throws-when-drawn', 'not-there', 'pages'].map(entry);
    const { host } = await openPage(signedInServer(plugins));
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
    const { host } = await openPage(server);
    await waitFor(() => expect(host.isEnabled('fails-before-requests')).toBe(true));
    for (let count = 0; count < 15; count += 1)
      await act(() => host.api.request({ path: '/api/v1/user-storage' }));
    expect(failures.count).toBe(10);
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
    const { host } = await openPage(signedInServer([entry('pages'), entry('fails-on-click')]));
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
    const { host, imported } = await openPage(signedInServer([entry('hangs'), entry('reader'), own]));
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
    const { imported } = await openPage(signedInServer([entry('hangs'), entry('reader'), own, shown]));
    await expectHeading('My projects');
    expect(imported.slice(0, 2)).toEqual(['/pages.js', '/tables.js']);
  });

  test('come and go without a reload, with their pages, their state and their cached answers', async () => {
    const server = signedInServer([entry('pages')]).on('GET /api/v1/text', { data: { text: 'Hello' } });
    const { host } = await openPage(server, '/reader');
    await expectText('This page could not be found');

    server.on('GET /api/v1/plugins/web', {
      data: { generation: 2, plugins: [entry('pages'), entry('reader')] },
    });
    await act(() => host.sync.run(2));
    await expectHeading('Hello');
    expect(Object.keys(host.store.getState().server.queries)).toHaveLength(1);
    act(() => void host.store.dispatch({ type: 'reader/read' }));
    expect(host.store.getState().plugins).toEqual({ reader: { answers: 1 } });

    server.on('GET /api/v1/plugins/web', { data: { generation: 3, plugins: [entry('pages')] } });
    await act(() => host.sync.run(3));
    await expectText('This page could not be found');
    expect(host.store.getState()).toMatchObject({ plugins: {}, server: { queries: {} } });
    expect(host.store.getState().server.queries).toEqual({});
    expect(host.isEnabled('reader')).toBe(false);
  });

  test('stay as they are when the server has another build of the product, and the person is asked to reload', async () => {
    const server = signedInServer([entry('pages')]);
    const { host, imported } = await openPage(server);
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
    const { host } = await openPage(server);
    await act(() => host.sync.run(1));
    expect(server.count('GET /api/v1/plugins/web')).toBe(1);
  });
});
