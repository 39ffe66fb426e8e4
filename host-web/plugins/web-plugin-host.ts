import {
  assertListedHook,
  createOwnExtensionPoints,
  Emitter,
  freezeManifest,
  type Container,
  type HookRegistry,
  type PluginHost,
  type PluginManifest,
  type PluginModule,
  type PluginScope,
  type PluginStep,
  type Registries,
} from '@trellis/core';
import type { PluginSettings } from '@trellis/sdk/shared';
import type { ApiClient, WebHooks, WebPluginContext, WebRegistries } from '@trellis/sdk/web';
import type { Translations } from '../i18n/translations.ts';
import type { PluginReducers } from '../store/plugin-reducers.ts';
import type { SyncedUserStorage } from '../session/user-storage.ts';
import { createWebLogger } from './web-logger.ts';
import type { StyleSheets } from './style-sheets.ts';
import type { LeftOutPlugins } from './left-out-plugins.ts';
import { timeInSight } from './time-in-sight.ts';
import { isFromElsewhere, type WebPluginEntry } from './web-plugin-manifest.ts';

type Values = Readonly<Record<string, unknown>>;

const none: Values = {};

export type WebPluginModule = PluginModule<WebPluginContext>;

/** What a plugin's context gives access to. */
export interface WebPluginServices {
  readonly hooks: HookRegistry<WebHooks>;
  readonly registries: Registries<WebRegistries>;
  readonly container: Container;
  readonly api: ApiClient;
  readonly reducers: PluginReducers;
  readonly userStorage: SyncedUserStorage;
  readonly styleSheets: StyleSheets;
  readonly leftOut: LeftOutPlugins;
  readonly translations: Translations;
  readonly isPluginEnabled: (id: string) => boolean;
  /** `import(url)`; a parameter because jsdom does not support it. */
  readonly importModule: (url: string) => Promise<unknown>;
  readonly onError: (error: unknown, pluginId: string, step: PluginStep) => void;
  readonly reportError: (pluginId: string, where: string, error: unknown) => void;
  /** Drops a disabled plugin's cached answers. */
  readonly dropCache: (pluginId: string) => void;
}

/** The browser's side of core's plugin manager. */
export class WebPluginHost implements PluginHost<WebPluginContext> {
  readonly version = '1.0.0';
  readonly clock = timeInSight();
  readonly #services: WebPluginServices;
  readonly #entries = new Map<string, WebPluginEntry>();
  /** The plugins' settings that pages may know, and the event of their change. */
  readonly #settings = new Map<string, Values>();
  readonly #settingsChanged = new Emitter<string>();
  /** Started loads, by plugin. */
  readonly #fetched = new Map<string, Promise<unknown>>();

  constructor(services: WebPluginServices) {
    this.#services = services;
  }

  /** Sets a plugin's settings to the server's current ones. */
  setSettings({ id, settings = none }: WebPluginEntry): void {
    const known = this.#settings.get(id);
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(settings)) return;
    this.#settings.set(id, settings);
    this.#settingsChanged.fire(id);
  }

  /** Records where a plugin's files are and starts loading them: plugins start one after another, but load in parallel. */
  locate(entry: WebPluginEntry): void {
    this.#entries.set(entry.id, entry);
    // Code of others runs one by one, so that a page which stands still knows during whose start.
    if (isFromElsewhere(entry)) return preloadModule(entry.url ?? '');
    const fetched = this.#fetch(entry);
    // `load` reports the error.
    fetched.catch(() => undefined);
    this.#fetched.set(entry.id, fetched);
  }

  async load({ id }: PluginManifest): Promise<WebPluginModule> {
    const entry = this.#entries.get(id);
    if (entry?.url === undefined || entry.url === null) return { setup: () => undefined };
    if (isFromElsewhere(entry)) await this.#willStart(entry.url);
    const fetched = this.#fetched.get(id) ?? this.#fetch(entry);
    // Kept for one attempt only: the next one requests the file again.
    this.#fetched.delete(id);
    const loaded = await fetched;
    const plugin = (loaded as Readonly<Record<string, unknown>>)[entry.part ?? 'default'];
    if (!isPlugin(plugin)) {
      throw new Error(
        `The web half of plugin '${id}' has no default export with a setup(); use defineWebPlugin().`,
      );
    }
    return plugin;
  }

  createContext(manifest: PluginManifest, scope: PluginScope): WebPluginContext {
    const { id } = manifest;
    const { hooks, registries, container, api, reducers, userStorage, styleSheets, translations } =
      this.#services;
    const { css = [], tapsUnlisted = false } = this.#entries.get(id) ?? {};
    const assertListed = (hook: string) => {
      if (!tapsUnlisted) assertListedHook(hooks, manifest, hook);
    };
    if (css.length > 0) scope.stage(() => styleSheets.add(css));
    return {
      manifest: freezeManifest(manifest),
      logger: createWebLogger(id, this.#services.reportError),
      signal: scope.signal,
      tap(hook, handler, options) {
        // Checked at once, so that the error's stack contains the author's line; checked again later for a hook that is defined
        // meanwhile.
        assertListed(hook);
        return scope.stage(() => {
          assertListed(hook);
          return hooks.tap(id, hook, handler, options);
        });
      },
      register: (registry, item) => scope.stage(() => registries.get(registry).register(item, id)),
      registry: (registry) => registries.get(registry),
      ...createOwnExtensionPoints(scope, this.#services),
      get: (token) => container.get(token),
      find: (token) => (container.has(token) ? container.get(token) : undefined),
      provide: (token, factory) => scope.stage(() => container.bind(token, () => factory(), id)),
      own: (item) => {
        scope.own(item);
        return item;
      },
      api,
      addReducer: (key, reducer) => scope.stage(() => reducers.add(id, key, reducer)),
      settings: this.#settingsOf(id, scope),
      userStorage: userStorage.of(id),
      messages: (locale, load) => scope.stage(() => translations.addMessages(id, locale, load)),
      t: (text, values) => translations.textsOf(id).t(text, values),
      plugins: { isEnabled: this.#services.isPluginEnabled },
    };
  }

  #settingsOf(id: string, scope: PluginScope): PluginSettings {
    const changed = new Emitter<Record<string, unknown>>({
      onError: (error) => this.#services.reportError(id, 'settings', error),
    });
    const current = () => (this.#settings.get(id) ?? none) as Record<string, unknown>;
    scope.own(this.#settingsChanged.event((of) => of === id && changed.fire(current())));
    scope.own({ dispose: () => changed.dispose() });
    return {
      get current() {
        return current();
      },
      onDidChange: changed.event,
    };
  }

  async #willStart(url: string): Promise<void> {
    const { leftOut } = this.#services;
    if (leftOut.didHang(url))
      throw new Error(
        'A page stood still while it started, so pages of this browser leave this build of it out for a day.',
      );
    await leftOut.starts(url);
  }

  async #fetch({ url, css = [] }: WebPluginEntry): Promise<unknown> {
    if (url === undefined || url === null) return undefined;
    const [loaded] = await Promise.all([
      this.#services.importModule(url),
      this.#services.styleSheets.preload(css),
    ]);
    return loaded;
  }

  didDisable({ id }: PluginManifest): void {
    this.#services.dropCache(id);
  }

  onError(error: unknown, pluginId: string, step: PluginStep): void {
    this.#services.onError(error, pluginId, step);
  }
}

function isPlugin(value: unknown): value is WebPluginModule {
  return typeof value === 'object' && value !== null && 'setup' in value && typeof value.setup === 'function';
}

/** Fetches a module side by side with others, without running it. */
function preloadModule(url: string): void {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = url;
  for (const end of ['load', 'error']) link.addEventListener(end, () => link.remove());
  document.head.append(link);
}
