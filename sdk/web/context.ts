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
 * A text that counts has `count` among its values and says under `one` how it reads for one thing in English:
 * `t('{{count}} rows', { count, one: '{{count}} row' })`. Other languages have as many forms as they need.
 * @public
 */
export type Translate = (text: string, values?: Readonly<Record<string, string | number>>) => string;

/**
 * Loads the texts of a language, as `() => import('./messages/de.ts')` does: English text to translated text.
 *
 * A text that counts has its plural form behind it (`{{count}} rows_one`, `{{count}} rows_other`; the forms are those of
 * `Intl.PluralRules`). The text of a server's error stands under `error.` and its code, with the error's params to fill in.
 * @public
 */
export type MessageLoader = () => Promise<{ readonly default: Readonly<Record<string, string>> }>;

/** Small values of this person and plugin, kept on the server and mirrored here; off in an embedded page. @public */
export interface UserStorage {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
  delete(key: string): void;
  /** Reads again what the server keeps, which changes a value by itself where an option that it names is renamed. */
  refresh(): Promise<void>;
}

/** Writes to the browser's console under the plugin's id; an error is also told to administrators. @public */
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
  /** Registries of the plugin's own, for plugins that depend on it. */
  readonly registries: OwnRegistries<WebRegistries>;
  /** Hooks of the plugin's own, for plugins that depend on it. */
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
  /** Adds the plugin's texts in a language of the `locales` registry; they are loaded when somebody reads the page in it. */
  messages(locale: string, load: MessageLoader): Disposable;
  /** For texts that are shown at once. What is registered is translated when it is drawn: register the English text. */
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
