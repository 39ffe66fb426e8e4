import type { Reducer } from '@reduxjs/toolkit';
import type {
  Disposable,
  HookHandler,
  PluginManifest,
  RegistryView,
  TapOptions,
  Token,
} from '../shared/index.ts';
import type { ApiClient } from './api.ts';
import type { WebHooks } from './hooks-catalogue.ts';
import type { WebRegistries } from './registries.ts';

/** Translates an English text; `{{name}}` is filled from `values`. The text itself is the fallback. @public */
export type Translate = (text: string, values?: Readonly<Record<string, string | number>>) => string;

/** Small values of this person and plugin, kept on the server and mirrored here; off in an embedded page. @public */
export interface UserStorage {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
  delete(key: string): void;
}

/** Everything that a plugin's web half may touch. The host undoes it when the plugin is disabled. @public */
export interface WebPluginContext {
  readonly manifest: PluginManifest;
  readonly signal: AbortSignal;
  tap<Id extends keyof WebHooks>(
    hook: Id,
    handler: HookHandler<WebHooks[Id]>,
    options?: TapOptions,
  ): Disposable;
  register<Id extends keyof WebRegistries>(registry: Id, item: WebRegistries[Id]): Disposable;
  registry<Id extends keyof WebRegistries>(registry: Id): RegistryView<WebRegistries[Id]>;
  get<T>(token: Token<T>): T;
  provide<T>(token: Token<T>, factory: () => T): Disposable;
  own<T extends Disposable>(item: T): T;
  readonly api: ApiClient;
  /** Adds a reducer at `plugins.<plugin id>.<key>` of the store. */
  addReducer(key: string, reducer: Reducer): Disposable;
  readonly userStorage: UserStorage;
  readonly t: Translate;
  readonly plugins: { isEnabled(id: string): boolean };
}

/** A plugin's web half. It only registers; its components are lazy and it keeps no state in module scope. @public */
export interface WebPlugin {
  setup(ctx: WebPluginContext): void | Promise<void>;
}

/** Names a plugin's web half and types its context. @public */
export function defineWebPlugin(plugin: WebPlugin): WebPlugin {
  return plugin;
}
