import type { Reducer } from '@reduxjs/toolkit';
import type {
  Disposable,
  HookHandler,
  OwnHooks,
  OwnRegistries,
  PluginManifest,
  PluginSettings,
  RegistryView,
  TapOptions,
  Token,
} from '../shared/index.ts';
import type { ApiClient } from './api.ts';
import type { WebHooks } from './hooks-catalogue.ts';
import type { WebRegistries } from './registries.ts';

/**
 * Translates an English text; `{{name}}` is filled from `values`. The text itself is the fallback.
 *
 * A text with a number has `count` among its values, and under `one` its English singular: `t('{{count}} rows', { count, one:
 * '{{count}} row' })`. Other languages have as many plural forms as they need.
 * @public
 */
export type Translate = (text: string, values?: Readonly<Record<string, string | number>>) => string;

/**
 * Loads the texts of a language, like `() => import('./messages/de.ts')`: English text to translated text.
 *
 * The key of a text with a number ends with its plural form (`{{count}} rows_one`, `{{count}} rows_other`; the forms are those of
 * `Intl.PluralRules`). The text of a server's error has the key `error.` and its code, with the error's params to fill in.
 * @public
 */
export type MessageLoader = () => Promise<{ readonly default: Readonly<Record<string, string>> }>;

/** Small values of this person and plugin, stored on the server and cached here; off in an embedded page. @public */
export interface UserStorage {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
  delete(key: string): void;
  /** Reloads from the server, which changes a value by itself if an option in it is renamed. */
  refresh(): Promise<void>;
}

/** Writes to the browser's console with the plugin's id; errors are also reported to administrators. @public */
export interface WebLogger {
  debug(message: string, details?: object): void;
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

/** Everything that a plugin's web half may touch. The host undoes it when the plugin is disabled. @public */
export interface WebPluginContext<Settings = unknown> {
  readonly manifest: PluginManifest;
  readonly logger: WebLogger;
  readonly signal: AbortSignal;
  tap<Id extends keyof WebHooks>(
    hook: Id,
    handler: HookHandler<WebHooks[Id]>,
    options?: TapOptions,
  ): Disposable;
  register<Id extends keyof WebRegistries>(registry: Id, item: WebRegistries[Id]): Disposable;
  registry<Id extends keyof WebRegistries>(registry: Id): RegistryView<WebRegistries[Id]>;
  /** Registries of this plugin, for plugins that depend on it. */
  readonly registries: OwnRegistries<WebRegistries>;
  /** Hooks of this plugin, for plugins that depend on it. */
  readonly hooks: OwnHooks<WebHooks>;
  /** @throws Error when nobody provides the service. */
  get<T>(token: Token<T>): T;
  /** The service, or undefined while no plugin provides it. */
  find<T>(token: Token<T>): T | undefined;
  provide<T>(token: Token<T>, factory: () => T): Disposable;
  own<T extends Disposable>(item: T): T;
  /** The settings that the manifest's schema marks with `x-page`. Components read them with `usePluginSettings(ctx.settings)`. */
  readonly settings: PluginSettings<Settings>;
  readonly api: ApiClient;
  /** Adds a reducer at `plugins.<plugin id>.<key>` of the store. */
  addReducer(key: string, reducer: Reducer): Disposable;
  readonly userStorage: UserStorage;
  /** Adds the plugin's texts in a language of the `locales` registry; they are loaded when the page is shown in it. */
  messages(locale: string, load: MessageLoader): Disposable;
  /** For texts that are shown at once. Registered texts are translated when they are drawn: register the English text. */
  readonly t: Translate;
  readonly plugins: { isEnabled(id: string): boolean };
}

/** A plugin's web half. It only registers; its components are lazy and it keeps no state in module scope. @public */
export interface WebPlugin<Settings = unknown> {
  setup(ctx: WebPluginContext<Settings>): void | Promise<void>;
}

/**
 * Names a plugin's web half and types its context.
 *
 * @typeParam Settings the settings that the schema in `plugin.json` marks with `x-page`.
 * @public
 */
export function defineWebPlugin<Settings = Readonly<Record<string, unknown>>>(
  plugin: WebPlugin<Settings>,
): WebPlugin {
  return plugin;
}
