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
import type { ServerHooks } from './hooks.ts';
import type { Logger } from './logger.ts';
import type { PluginDatabase, PluginMigration } from './plugin-database.ts';
import type { ServerRegistries } from './registries.ts';
import type { RouteDefinition } from './routes.ts';

/** Small durable values of the plugin: JSON by key. @public */
export interface PluginKeyValue {
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** Those of the plugin that begin so. */
  keys(prefix: string): Promise<readonly string[]>;
}

/**
 * Everything that a plugin's server half may touch. What it hands out is undone by the host when the plugin is disabled.
 * @public
 */
export interface ServerPluginContext {
  readonly manifest: PluginManifest;
  readonly logger: Logger;
  /** Aborts when the plugin is disabled and its requests had their time to end. */
  readonly signal: AbortSignal;
  readonly settings: PluginSettings;
  /** Follows a hook from the moment when `setup` has returned. */
  tap<Id extends keyof ServerHooks>(
    hook: Id,
    handler: HookHandler<ServerHooks[Id]>,
    options?: TapOptions,
  ): Disposable;
  /** Adds an item. @throws Error when another plugin has registered its id. */
  register<Id extends keyof ServerRegistries>(registry: Id, item: ServerRegistries[Id]): Disposable;
  /** What all plugins have registered, as it is now. */
  registry<Id extends keyof ServerRegistries>(registry: Id): RegistryView<ServerRegistries[Id]>;
  /** Registries of the plugin's own, for plugins that depend on it. */
  readonly registries: OwnRegistries<ServerRegistries>;
  /** Hooks of the plugin's own, for plugins that depend on it. */
  readonly hooks: OwnHooks<ServerHooks>;
  /** @throws Error when nobody provides the service. */
  get<T>(token: Token<T>): T;
  /** The service, or undefined while nobody provides it. */
  find<T>(token: Token<T>): T | undefined;
  /** Offers a service; `factory` runs at the first `get`. @throws Error when the token is provided already. */
  provide<T>(token: Token<T>, factory: () => T): Disposable;
  /** Hands something of the plugin's own to the host to dispose of. */
  own<T extends Disposable>(item: T): T;
  /** Serves HTTP calls. @throws Error for a path outside the manifest's `contributes.routes` or a permission nobody registered. */
  routes(...routes: readonly RouteDefinition[]): Disposable;
  readonly plugins: { isEnabled(id: string): boolean };
  readonly db: PluginDatabase;
  readonly kv: PluginKeyValue;
}

/** A plugin's server half. @public */
export interface ServerPlugin {
  readonly migrations?: readonly PluginMigration[];
  /** Registers everything; it only stages, and has 10 seconds. */
  setup(ctx: ServerPluginContext): void | Promise<void>;
  /**
   * Behind the Test button of the settings form: whether settings work that need not be stored. It has 30 seconds; what it throws, and
   * an answer without `ok`, is told as a failure.
   */
  test?(
    ctx: ServerPluginContext,
    settings: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly ok: boolean; readonly message: string }>;
  /**
   * Called before settings that keep to the schema are stored, while the plugin runs: what would make stored things
   * useless is refused by a `TrellisError`, whose message people read. It has 30 seconds, and nothing is stored before it resolves.
   */
  willSave?(ctx: ServerPluginContext, settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Where the plugin is in use, for the person who is about to disable it: "Mail goes out through it every day". What stored tables
   * and views take from it the host tells by itself. */
  usage?(ctx: ServerPluginContext): Promise<readonly string[]>;
}

/** Names a plugin's server half and types its context. @public */
export function defineServerPlugin(plugin: ServerPlugin): ServerPlugin {
  return plugin;
}
