import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import {
  Container,
  createOwnExtensionPoints,
  HookRegistry,
  parseManifest,
  PluginManager,
  type KnownPlugin,
  type PluginManifest,
  type PluginScope,
  type Registries,
} from '@trellis/core';
import {
  createWebRegistries,
  webHookDefinitions,
  type WebHooks,
  type WebPlugin,
  type WebPluginContext,
  type WebRegistries,
} from '../web/index.ts';
import { createMemoryHost } from './web.tsx';

/** A page without a screen: everything that a web half can add to. */
interface Page {
  readonly manager: PluginManager<WebPluginContext>;
  readonly registries: Registries<WebRegistries>;
  /** What the plugins have added beside items of registries. */
  counts(): { readonly taps: number; readonly services: number; readonly reducers: number };
}

const nothing = () => undefined;

function createPage(manifest: PluginManifest, half: WebPlugin): Page {
  const { host } = createMemoryHost();
  const registries = createWebRegistries();
  const container = new Container();
  const reducers = new Set<string>();
  const hooks = new HookRegistry<WebHooks>({ onContained: () => undefined });
  for (const id of Object.keys(webHookDefinitions) as (keyof typeof webHookDefinitions)[]) {
    hooks.define(id, webHookDefinitions[id] as never); // The table pairs each id with its own kind.
  }
  function createContext(own: PluginManifest, scope: PluginScope): WebPluginContext {
    const { id } = own;
    return {
      manifest: own,
      logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      signal: scope.signal as AbortSignal,
      tap: (hook, handler, options) => scope.stage(() => hooks.tap(id, hook, handler, options)),
      register: (registry, item) => scope.stage(() => registries.get(registry).register(item, id)),
      registry: (registry) => registries.get(registry),
      ...createOwnExtensionPoints(scope, { registries, hooks }),
      get: (token) => container.get(token),
      find: (token) => (container.has(token) ? container.get(token) : undefined),
      provide: (token, factory) => scope.stage(() => container.bind(token, () => factory(), id)),
      own(item) {
        scope.own(item);
        return item;
      },
      settings: { current: {}, onDidChange: () => ({ dispose: nothing }) },
      api: host.api,
      addReducer: (key) =>
        scope.stage(() => {
          reducers.add(key);
          return { dispose: () => void reducers.delete(key) };
        }),
      userStorage: host.userStorageOf(id),
      messages: () => scope.stage(() => ({ dispose: nothing })),
      t: host.t,
      plugins: { isEnabled: () => true },
    };
  }
  const manager = new PluginManager<WebPluginContext>({
    version: '1.0.0',
    load: (of) => Promise.resolve(of.id === manifest.id ? half : { setup: () => undefined }),
    createContext,
    onError: () => undefined,
  });
  const counts = () => ({ taps: hooks.size, services: container.size, reducers: reducers.size });
  return { manager, registries, counts };
}

/** The plugin, and empty ones in place of those that it needs. */
function known(manifest: PluginManifest): readonly KnownPlugin[] {
  const standIn = (id: string, range: string): KnownPlugin => ({
    id,
    origin: 'installed',
    manifest: { ...manifest, id, version: /\d+\.\d+\.\d+/.exec(range)?.[0] ?? '1.0.0', dependencies: {} },
  });
  // It is a plugin like any other here, so that it can be switched off.
  const plain: PluginManifest = { ...manifest, system: false, engines: { trellis: '*' } };
  return [
    { id: manifest.id, origin: 'installed', manifest: plain },
    ...Object.entries(manifest.dependencies ?? {}).map(([id, range]) => standIn(id, range)),
  ];
}

function itemsOf({ registries }: Page, owner: string): Record<string, readonly string[]> {
  const items: Record<string, readonly string[]> = {};
  for (const id of registries.ids()) {
    // Pages are named by their paths; `contributes.routes` means those of the server.
    if (id === 'routes') continue;
    const entries = registries.get(id as 'commands').entries();
    const own = entries.filter((entry) => entry.owner === owner).map(({ item }) => item.id);
    if (own.length > 0) items[id] = own.toSorted();
  }
  return items;
}

/** What the manifest says of registries that the page has. */
function promised({ registries }: Page, { contributes = {} }: PluginManifest) {
  const lists = Object.entries(contributes).flatMap(([registry, items]) =>
    registry === 'routes' || !registries.ids().includes(registry)
      ? []
      : [[registry, (items as readonly { readonly id: string }[]).map(({ id }) => id).toSorted()] as const],
  );
  return Object.fromEntries(lists);
}

async function readWebHalf(folder: string): Promise<WebPlugin> {
  const file = ['web/index.tsx', 'web/index.ts'].map((name) => join(folder, name)).find(existsSync);
  if (file === undefined) return { setup: () => undefined };
  const { default: half } = (await import(pathToFileURL(file).href)) as { readonly default: WebPlugin };
  return half;
}

/**
 * The promises that every web half keeps: `setup` registers what the manifest says, switching it off and on leaves no trace, and a
 * `setup` that fails leaves nothing. Needs a DOM (jsdom).
 *
 * @param folder the plugin's folder, with `plugin.json` in it.
 * @public
 */
export function describeWebPlugin(folder: string): void {
  const name = basename(folder);
  const file = readFileSync(join(folder, 'plugin.json'), 'utf8');
  const manifest = parseManifest(JSON.parse(file), `${name}/plugin.json`);

  async function start(change: (half: WebPlugin) => WebPlugin = (half) => half): Promise<Page> {
    const page = createPage(manifest, change(await readWebHalf(folder)));
    await page.manager.discover(known(manifest));
    return page;
  }

  describe(`the web half of the plugin ${name}`, () => {
    test('registers what its manifest says, no more and no less', async () => {
      const page = await start();
      await page.manager.enable(manifest.id, { cascade: true });
      expect(itemsOf(page, manifest.id)).toEqual(promised(page, manifest));
    });

    test('leaves no trace when it is switched off, and is the same when it is on again', async () => {
      const page = await start();
      const all = () =>
        [...page.registries.ids()].flatMap((id) => page.registries.get(id as 'commands').entries());
      await page.manager.enable(manifest.id, { cascade: true });
      const before = { items: itemsOf(page, manifest.id), ...page.counts() };
      await page.manager.disable(manifest.id);
      expect([all(), page.counts()]).toEqual([[], { taps: 0, services: 0, reducers: 0 }]);
      await page.manager.enable(manifest.id);
      expect({ items: itemsOf(page, manifest.id), ...page.counts() }).toEqual(before);
    });

    test('leaves nothing when its setup fails at the end', async () => {
      const page = await start((half) => ({
        async setup(ctx) {
          await half.setup(ctx);
          throw new Error('This setup fails at its end.');
        },
      }));
      await expect(page.manager.enable(manifest.id, { cascade: true })).rejects.toThrow(/fails at its end/);
      expect([itemsOf(page, manifest.id), page.counts()]).toEqual([
        {},
        { taps: 0, services: 0, reducers: 0 },
      ]);
    });
  });
}
