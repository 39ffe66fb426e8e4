import { describe, expect, test } from '@jest/globals';
import { defineWebPlugin, type WebPlugin } from '@trellis/sdk/web';
import { createWebHost } from '../app/create-web-host.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { signedInServer } from '../testing/signed-in-server.ts';
import type { WebPluginEntry } from './web-plugin-manifest.ts';

const list = 'GET /api/v1/plugins/web';

describe('the list of plugins', () => {
  test('is asked for again when it could not be read, though nobody names its generation again', async () => {
    const server = signedInServer();
    const timers: (() => void)[] = [];
    const { sync } = createWebHost({
      transport: server.transport,
      mirror: new LocalMirror(undefined),
      clock: {
        now: () => 0,
        after: (_milliseconds, run) => {
          timers.push(run);
          return () => undefined;
        },
      },
      embedded: false,
    });
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
    await sync.start(() => Promise.resolve([]));
    timers.length = 0;
    server.on(list, { status: 503, data: { msg: 'Starting' } });
    sync.hear(2);
    await settled();
    server.on(list, { data: { generation: 2, plugins: [] } });
    expect(server.count(list)).toBe(2);
    for (const run of timers.splice(0)) run();
    await settled();
    expect(server.count(list)).toBe(3);
    sync.hear(2);
    for (const run of timers.splice(0)) run();
    await settled();
    expect(server.count(list)).toBe(3);
  });
});

describe('a plugin that is updated while a page is open', () => {
  /** What happens in the page, in order. */
  let happened: string[];
  let signals: Map<string, AbortSignal>;

  const entryOf = (
    id: string,
    version: string,
    dependencies: Record<string, string> = {},
  ): WebPluginEntry => ({
    id,
    manifest: { version, dependencies },
    url: `/ext/${id}/${version}/index.js`,
  });

  /** A half that adds one thing of each kind. */
  const half = (id: string, version: string): WebPlugin =>
    defineWebPlugin({
      setup(ctx) {
        happened.push(`${id} ${version} on`);
        signals.set(`${id} ${version}`, ctx.signal);
        ctx.register('commands', { id: `${id}.greet`, label: `${id} ${version}`, run: () => undefined });
        ctx.tap('projects.didOpen', () => void happened.push(`${id} ${version} heard`));
        ctx.own({ dispose: () => void happened.push(`${id} ${version} off`) });
      },
    });

  function start(plugins: readonly WebPluginEntry[]) {
    happened = [];
    signals = new Map();
    let generation = 1;
    const server = signedInServer(plugins);
    const {
      sync,
      registries,
      hooks,
      plugins: manager,
    } = createWebHost({
      transport: server.transport,
      mirror: new LocalMirror(undefined),
      embedded: true,
      async importModule(url) {
        happened.push(`asked ${url}`);
        const [, , id = '', version = ''] = url.split('/');
        if (version.startsWith('0.')) throw new Error('This version cannot be loaded.');
        return { default: half(id, version) };
      },
    });
    return {
      manager,
      begin: () => sync.run(),
      /** The server has these now, and the page hears of it. */
      async become(now: readonly WebPluginEntry[]) {
        generation += 1;
        happened = [];
        server.on(list, { data: { generation, plugins: now } });
        await sync.run(generation);
      },
      labels: () =>
        registries
          .get('commands')
          .list()
          .map(({ label }) => label),
      open: () => hooks.call('projects.didOpen', { projectId: 'p_1' }),
    };
  }

  test('is disposed of before its new version is set up, and nothing of the old one answers any more', async () => {
    const other = entryOf('other', '1.0.0');
    const page = start([entryOf('acme', '1.0.0'), other]);
    await page.begin();
    await page.become([entryOf('acme', '2.0.0'), other]);
    expect(happened).toEqual(['acme 1.0.0 off', 'asked /ext/acme/2.0.0/index.js', 'acme 2.0.0 on']);
    expect(page.labels().toSorted()).toEqual(['acme 2.0.0', 'other 1.0.0']);
    expect([...signals].map(([name, { aborted }]) => [name, aborted])).toEqual([
      ['acme 1.0.0', true],
      ['other 1.0.0', false],
      ['acme 2.0.0', false],
    ]);
    happened = [];
    await page.open();
    expect(happened.toSorted()).toEqual(['acme 2.0.0 heard', 'other 1.0.0 heard']);
    // The same list once more changes nothing.
    await page.become([entryOf('acme', '2.0.0'), other]);
    expect(happened).toEqual([]);
  });

  test('takes those along that need it, by the modules that they have', async () => {
    const needing = entryOf('needing', '1.0.0', { acme: '*' });
    const page = start([entryOf('acme', '1.0.0'), needing]);
    await page.begin();
    await page.become([entryOf('acme', '2.0.0'), needing]);
    expect(happened.filter((what) => !what.startsWith('asked'))).toEqual([
      'needing 1.0.0 off',
      'acme 1.0.0 off',
      'acme 2.0.0 on',
      'needing 1.0.0 on',
    ]);
    expect(page.labels().toSorted()).toEqual(['acme 2.0.0', 'needing 1.0.0']);
  });

  test('to a version that cannot be loaded is off with the reason, and comes back with the next one', async () => {
    const page = start([entryOf('acme', '1.0.0')]);
    await page.begin();
    await page.become([entryOf('acme', '0.9.0')]);
    expect([page.labels(), page.manager.state('acme')]).toEqual([[], 'failed']);
    expect(page.manager.status('acme')?.reason).toContain('This version cannot be loaded.');
    await page.become([entryOf('acme', '2.0.0')]);
    expect([page.labels(), page.manager.state('acme')]).toEqual([['acme 2.0.0'], 'enabled']);
  });
});
