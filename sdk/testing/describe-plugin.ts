import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PluginManifest } from '@trellis/core';
import { defineServerPlugin, type ServerPlugin } from '../server/index.ts';
import {
  assertKept,
  assertRuns,
  assertRunsBuilt,
  importBuilt,
  differencesOf,
  inManifest,
} from './assert-kept.ts';
import { BegunWork } from './begun-work.ts';
import { readManifestOf, readNeededPlugins, readServerHalf } from './plugin-folder.ts';
import { createTestServer, type TestHost, type TestServer } from './test-server.ts';

/** What one plugin has added to a host. */
interface Traces {
  readonly items: Readonly<Record<string, readonly string[]>>;
  readonly taps: number;
  readonly routes: readonly string[];
  readonly services: number;
}

function tracesOf(host: TestHost, owner: string): Traces {
  const { registries, hooks, routes, container } = host;
  const items: Record<string, readonly string[]> = {};
  for (const id of registries.ids()) {
    const entries = registries.get(id as 'jobs').entries();
    const own = entries.filter((entry) => entry.owner === owner).map(({ item }) => item.id);
    if (own.length > 0) items[id] = own.toSorted();
  }
  const taps = hooks.list().flatMap(({ id }) => hooks.ownersOf(id).filter((of) => of === owner)).length;
  const served = routes.list().filter((entry) => entry.owner === owner);
  return {
    items,
    taps,
    routes: served.map(({ route }) => `${route.method} ${route.path}`).toSorted(),
    services: container.size,
  };
}

/** The manifest's contributions to the server's registries. */
function promised(host: TestHost, { contributes = {} }: PluginManifest): Record<string, readonly string[]> {
  const lists = Object.entries(contributes).flatMap(([registry, items]) =>
    registry === 'routes' || !host.registries.ids().includes(registry)
      ? []
      : [[registry, (items as readonly { readonly id: string }[]).map(({ id }) => id).toSorted()] as const],
  );
  return Object.fromEntries(lists);
}

/**
 * Tests what every plugin must fulfil, on a real server: its manifest is valid and matches what `setup` registers, disabling and
 * enabling it leaves no trace and nothing running, a failing `setup` leaves nothing, and it runs without its
 * `optionalDependencies`. Other authors' plugins that it depends on run with it if their folders are found, in its `node_modules`
 * or next to its own.
 *
 * @param folder the plugin's folder, with `plugin.json` in it.
 * @param shipped a folder that holds it as it is installed, with `dist`: it must run from there too.
 * @public
 */
export function describePlugin(folder: string, shipped?: string): void {
  const manifest = readManifestOf(folder);

  describe(`the plugin ${manifest.id}`, () => {
    let server: TestServer;
    let half: ServerPlugin;
    let failsAtItsEnd = false;
    let work: BegunWork;
    /** What its setup threw. */
    let thrown: unknown;
    beforeAll(async () => {
      work = new BegunWork(folder);
      half = await readServerHalf(folder);
      const mayFail = defineServerPlugin({
        ...half,
        async setup(ctx) {
          thrown = undefined;
          try {
            await half.setup(ctx);
          } catch (error) {
            thrown = error;
            throw error;
          }
          if (failsAtItsEnd) throw new Error('This setup fails at its end.');
        },
      });
      const origin = manifest.system === true ? 'built-in' : 'installed';
      const needed = await readNeededPlugins(folder);
      server = await createTestServer({ plugins: [...needed, { manifest, server: mayFail, origin }] });
      if (manifest.enabledByDefault !== true && manifest.system !== true) {
        await server.host.plugins.enable(manifest.id).catch(() => undefined);
      }
    });
    afterAll(async () => {
      work.end();
      await server?.dispose();
    });

    const status = () => server.host.plugins.list().find(({ id }) => id === manifest.id);
    const dependents = () => status()?.dependents ?? [];

    test('runs', () => assertRuns(status(), thrown));

    test('registers what its manifest says, no more and no less', () => {
      assertKept(differencesOf(promised(server.host, manifest), tracesOf(server.host, manifest.id).items));
      const notices = status()?.notices.filter((notice) => !notice.startsWith('It needs settings')) ?? [];
      assertKept(notices.map((notice) => `${inManifest('/contributes')} ${notice}`));
    });

    test('serves each product path that its manifest lists', () => {
      const served = server.host.routes
        .list()
        .filter(({ owner }) => owner === manifest.id)
        .flatMap(({ route }) => [route.path, ...(route.aliases ?? [])]);
      const isServed = (prefix: string) => served.some((path) => `${path}/`.startsWith(`${prefix}/`));
      assertKept(
        (manifest.contributes?.routes ?? []).flatMap((path, index) =>
          isServed(path.replace(/^[A-Z]+ /, ''))
            ? []
            : [
                `${inManifest(`/contributes/routes/${index}`)} lists '${path}', which the plugin does not serve; serve it, or remove it here.`,
              ],
        ),
      );
    });

    if (manifest.system === true) {
      test('is always on', async () => {
        const off = server.host.plugins.disable(manifest.id, { cascade: [] });
        await expect(off).rejects.toMatchObject({ code: 'PLUGIN_IS_SYSTEM' });
      });
      return;
    }

    test('leaves no trace when it is switched off, and is the same when it is on again', async () => {
      const { plugins } = server.host;
      const before = tracesOf(server.host, manifest.id);
      await plugins.disable(manifest.id, { cascade: dependents() });
      const off = tracesOf(server.host, manifest.id);
      expect(off).toEqual({ items: {}, taps: 0, routes: [], services: expect.any(Number) });
      await plugins.enable(manifest.id);
      expect(tracesOf(server.host, manifest.id)).toEqual(before);
    });

    test('leaves nothing running when it is switched off', async () => {
      const { plugins } = server.host;
      await plugins.disable(manifest.id, { cascade: dependents() });
      assertKept(await work.left());
      await plugins.enable(manifest.id);
    });

    if (shipped !== undefined)
      test('runs as it is built', async () => {
        const { plugins } = server.host;
        const fromSources = half;
        await plugins.disable(manifest.id, { cascade: dependents() });
        try {
          half = await importBuilt(() => readServerHalf(shipped, 'dist'), shipped);
          await plugins.enable(manifest.id).catch(() => undefined);
          assertRunsBuilt(status(), shipped, thrown);
          await plugins.disable(manifest.id, { cascade: dependents() });
        } finally {
          half = fromSources;
        }
        await plugins.enable(manifest.id);
      });

    test('leaves nothing when its setup fails at the end', async () => {
      const { plugins } = server.host;
      await plugins.disable(manifest.id, { cascade: dependents() });
      failsAtItsEnd = true;
      await expect(plugins.enable(manifest.id)).rejects.toMatchObject({ code: 'PLUGIN_FAILED' });
      expect(tracesOf(server.host, manifest.id)).toMatchObject({ items: {}, taps: 0, routes: [] });
      expect(status()).toMatchObject({ state: 'failed', reason: expect.stringMatching(/fails at its end/) });
    });

    const optional = Object.keys(manifest.optionalDependencies ?? {});
    if (optional.length === 0) return;
    test(`runs without what it uses where that is there: ${optional.join(', ')}`, async () => {
      const { plugins } = server.host;
      failsAtItsEnd = false;
      await plugins.disable(manifest.id, { cascade: dependents() });
      for (const id of optional) {
        const other = plugins.list().find((plugin) => plugin.id === id);
        const isNeeded = other?.dependents.includes(manifest.id);
        if (other?.state === 'enabled' && !other.system && !isNeeded)
          await plugins.disable(id, { cascade: other.dependents });
      }
      await plugins.enable(manifest.id).catch(() => undefined);
      assertRuns(status(), thrown);
    });
  });
}
