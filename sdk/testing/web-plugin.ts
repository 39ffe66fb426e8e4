import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { matchPath } from 'react-router-dom';
import type { PluginManager, PluginManifest, Registries } from '@trellis/core';
import type { WebPlugin, WebPluginContext, WebRegistries } from '../web/index.ts';
import { type NeededPlugin, neededPlugins } from '../build/archive/needed-plugins.ts';
import {
  assertKept,
  assertRuns,
  assertRunsBuilt,
  importBuilt,
  differencesOf,
  inManifest,
} from './assert-kept.ts';
import { BegunWork } from './begun-work.ts';
import { defineOfOthers } from './memory-host.ts';
import { readHalf, readManifestOf } from './plugin-folder.ts';
import { readStories, storyFiles } from './plugin-stories.tsx';

/** The page's own host without a screen. */
interface Page {
  readonly manager: PluginManager<WebPluginContext>;
  readonly registries: Registries<WebRegistries>;
  start(): Promise<void>;
  /** What the plugins have added, except items of registries. */
  counts(): { readonly taps: number; readonly services: number; readonly reducers: number };
}

interface ListedPlugin {
  readonly id: string;
  readonly url: string | null;
  readonly manifest: Partial<PluginManifest>;
}

interface HostTestModule {
  createPluginPage(halves: ReadonlyMap<string, WebPlugin>, plugins: readonly ListedPlugin[]): Page;
}

/** Resolved at run time by the package's `imports`: the SDK itself does not know a host. */
const hostModule = '#host-web';

const addressOf = (id: string): string => `/ext/${id}.js`;

/** A plugin's dependencies as the page lists them: other authors' plugins that were found, and empty ones for the rest. */
function listNeeded(
  { dependencies = {} }: PluginManifest,
  atHand: readonly NeededPlugin[],
): readonly ListedPlugin[] {
  const all = [dependencies, ...atHand.map(({ manifest }) => manifest.dependencies ?? {})];
  const standIns = Object.entries(Object.assign({}, ...all) as Record<string, string>)
    .filter(([id]) => !atHand.some(({ manifest }) => manifest.id === id))
    .map(([id, range]) => ({
      id,
      url: null,
      manifest: { version: /\d+\.\d+\.\d+/.exec(range)?.[0] ?? '1.0.0' },
    }));
  return [
    ...atHand.map(({ manifest }) => ({ id: manifest.id, url: addressOf(manifest.id), manifest })),
    ...standIns,
  ];
}

const emptyHalf: WebPlugin = { setup: () => undefined };

/** The context of a plugin with empty dependencies: their registries are defined when the plugin adds to them. */
function withRegistriesOfOthers(
  ctx: WebPluginContext,
  registries: Registries<WebRegistries>,
  { dependencies = {}, contributes = {} }: PluginManifest,
): WebPluginContext {
  const register: WebPluginContext['register'] = (id, item) => {
    const isOfOthers = Object.keys(dependencies).length > 0 && Object.hasOwn(contributes, id);
    if (isOfOthers) defineOfOthers(registries, id);
    return ctx.register(id, item);
  };
  return Object.create(ctx, { register: { value: register } }) as WebPluginContext;
}

function itemsOf({ registries }: Page, owner: string): Record<string, readonly string[]> {
  const items: Record<string, readonly string[]> = {};
  for (const id of registries.ids()) {
    // Pages are named by their paths; `contributes.routes` means the server's routes.
    if (id === 'routes') continue;
    const entries = registries.get(id as 'commands').entries();
    const own = entries.filter((entry) => entry.owner === owner).map(({ item }) => item.id);
    if (own.length > 0) items[id] = own.toSorted();
  }
  return items;
}

/** The manifest's contributions to the page's registries. */
function promised({ registries }: Page, { contributes = {} }: PluginManifest) {
  const lists = Object.entries(contributes).flatMap(([registry, items]) =>
    registry === 'routes' || !registries.ids().includes(registry)
      ? []
      : [[registry, (items as readonly { readonly id: string }[]).map(({ id }) => id).toSorted()] as const],
  );
  return Object.fromEntries(lists);
}

/**
 * Tests what every web half must fulfil: `setup` registers what the manifest says, disabling and enabling it leaves no trace and
 * nothing running, a failing `setup` leaves nothing, it runs without its `optionalDependencies`, and its pages and each of its
 * stories (`*.stories.tsx`) can be drawn. Needs a DOM (jsdom).
 *
 * @param folder the plugin's folder, with `plugin.json` in it.
 * @param shipped a folder that holds it as it is installed, with `dist`: it must run from there too.
 * @public
 */
export function describeWebPlugin(folder: string, shipped?: string): void {
  const name = basename(folder);
  const manifest = readManifestOf(folder);

  const atHand = neededPlugins(folder);

  /** A page with the plugin's dependencies, and with the plugin itself if its half is given. */
  async function startPage(half?: (page: () => Page) => WebPlugin): Promise<Page> {
    const { createPluginPage } = (await import(hostModule)) as HostTestModule;
    const halves = new Map<string, WebPlugin>();
    for (const { folder: of, manifest: needed } of atHand)
      halves.set(addressOf(needed.id), (await readHalf<WebPlugin>(of, 'web', 'dist')) ?? emptyHalf);
    if (half !== undefined)
      halves.set(
        addressOf(manifest.id),
        half(() => page),
      );
    const own = half === undefined ? [] : [{ id: manifest.id, url: addressOf(manifest.id), manifest }];
    const page = createPluginPage(halves, [...own, ...listNeeded(manifest, atHand)]);
    await page.start();
    return page;
  }

  async function start(change: (half: WebPlugin) => WebPlugin = (half) => half): Promise<Page> {
    const half = change((await readHalf<WebPlugin>(folder, 'web')) ?? emptyHalf);
    return startPage((page) => ({
      ...half,
      setup: (ctx) => half.setup(withRegistriesOfOthers(ctx, page().registries, manifest)),
    }));
  }

  describe(`the web half of the plugin ${name}`, () => {
    test('runs', async () => {
      let thrown: unknown;
      const page = await start((half) => ({
        ...half,
        async setup(ctx) {
          try {
            await half.setup(ctx);
          } catch (error) {
            thrown = error;
            throw error;
          }
        },
      }));
      assertRuns(page.manager.status(manifest.id), thrown);
    });

    test('registers what its manifest says, no more and no less', async () => {
      const page = await start();
      assertKept(differencesOf(promised(page, manifest), itemsOf(page, manifest.id)));
    });

    const pages = manifest.contributes?.pages ?? [];
    if (pages.length > 0)
      test('draws each page that its manifest lists', async () => {
        const { registries } = await start();
        const own = registries.get('routes').entries();
        const paths = own.filter(({ owner }) => owner === manifest.id).map(({ item }) => item.path);
        assertKept(
          pages.flatMap(({ id }, index) =>
            paths.some((path) => matchPath(id, path) !== null)
              ? []
              : [
                  `${inManifest(`/contributes/pages/${index}`)} lists the page '${id}', which no item of 'routes' draws; register one with this path, or remove it here.`,
                ],
          ),
        );
      });

    test('leaves no trace when it is switched off, and is the same when it is on again', async () => {
      const [page, without] = await Promise.all([start(), startPage()]);
      const before = { items: itemsOf(page, manifest.id), ...page.counts() };
      await page.manager.disable(manifest.id);
      expect([itemsOf(page, manifest.id), page.counts()]).toEqual([{}, without.counts()]);
      await page.manager.enable(manifest.id);
      expect({ items: itemsOf(page, manifest.id), ...page.counts() }).toEqual(before);
    });

    if (shipped !== undefined)
      test('runs as it is built', async () => {
        const built = await importBuilt(() => readHalf<WebPlugin>(shipped, 'web', 'dist'), shipped);
        const { manager } = await start(() => built ?? emptyHalf);
        assertRunsBuilt(manager.status(manifest.id), shipped);
        await manager.disable(manifest.id);
      });

    test('leaves nothing running when it is switched off', async () => {
      const work = new BegunWork(folder);
      try {
        const { manager } = await start();
        await manager.disable(manifest.id);
        assertKept(await work.left());
      } finally {
        work.end();
      }
    });

    test('leaves nothing when its setup fails at the end', async () => {
      const page = await start((half) => ({
        async setup(ctx) {
          await half.setup(ctx);
          throw new Error('This setup fails at its end.');
        },
      }));
      expect(page.manager.status(manifest.id)).toMatchObject({
        state: 'failed',
        reason: expect.stringContaining('fails at its end'),
      });
      expect([itemsOf(page, manifest.id), page.counts()]).toEqual([{}, (await startPage()).counts()]);
    });

    const optional = Object.keys(manifest.optionalDependencies ?? {}).filter((id) =>
      atHand.some((needed) => needed.manifest.id === id),
    );
    if (optional.length > 0)
      test(`runs without what it uses where that is there: ${optional.join(', ')}`, async () => {
        const { manager } = await start();
        await manager.disable(manifest.id, { cascade: true });
        for (const id of optional) await manager.disable(id, { cascade: true });
        await manager.enable(manifest.id).catch(() => undefined);
        assertRuns(manager.status(manifest.id));
      });

    const web = join(folder, 'web');
    const files = existsSync(web) ? storyFiles(web) : [];
    if (files.length === 0) return;
    test.each(files)('draws its stories: %s', async (file) => {
      const { renderWithHost } = await import('./web.tsx');
      const stories = await readStories(web, file);
      expect(stories).not.toEqual([]);
      for (const { name, ui, host } of stories) {
        const { baseElement, unmount } = renderWithHost(ui, host);
        // The story draws within its element, which always exists, or outside it, as dialogs and menus do.
        await waitFor(() =>
          expect([name, baseElement.querySelectorAll('*').length > 1]).toEqual([name, true]),
        );
        unmount();
      }
    });
  });
}
