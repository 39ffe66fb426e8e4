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

/** The plugin's small durable values: JSON by key. @public */
export interface PluginKeyValue {
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** The plugin's keys with this prefix. */
  keys(prefix: string): Promise<readonly string[]>;
}

/**
 * The interface of a plugin's server half to the host. The host undoes everything done through it when the plugin is disabled.
 * A function that reads the plugin's settings names their type, as `defineServerPlugin` does; one that does not takes the context
 * of any plugin.
 * @public
 */
export interface ServerPluginContext<Settings = unknown> {
  readonly manifest: PluginManifest;
  readonly logger: Logger;
  /** Aborts when the plugin is disabled, after its requests had time to end. */
  readonly signal: AbortSignal;
  readonly settings: PluginSettings<Settings>;
  /** Taps a hook; the handler is active once `setup` has returned. */
  tap<Id extends keyof ServerHooks>(
    hook: Id,
    handler: HookHandler<ServerHooks[Id]>,
    options?: TapOptions,
  ): Disposable;
  /** Adds an item. @throws Error when another plugin has registered its id. */
  register<Id extends keyof ServerRegistries>(registry: Id, item: ServerRegistries[Id]): Disposable;
  /** The items of all plugins, as they are now. */
  registry<Id extends keyof ServerRegistries>(registry: Id): RegistryView<ServerRegistries[Id]>;
  /** The plugin's own registries, for plugins that depend on it. */
  readonly registries: OwnRegistries<ServerRegistries>;
  /** The plugin's own hooks, for plugins that depend on it. */
  readonly hooks: OwnHooks<ServerHooks>;
  /** @throws Error when the service has no provider. */
  get<T>(token: Token<T>): T;
  /** The service, or undefined while it has no provider. */
  find<T>(token: Token<T>): T | undefined;
  /** Provides a service; `factory` runs at the first `get`. @throws Error when the token has a provider already. */
  provide<T>(token: Token<T>, factory: () => T): Disposable;
  /** Lets the host dispose an object of the plugin. */
  own<T extends Disposable>(item: T): T;
  /** Serves HTTP calls. @throws Error for a path outside the manifest's `contributes.routes` or a permission nobody registered. */
  routes(...routes: readonly RouteDefinition[]): Disposable;
  readonly plugins: { isEnabled(id: string): boolean };
  readonly db: PluginDatabase;
  readonly kv: PluginKeyValue;
}

/** A plugin's server half. @public */
export interface ServerPlugin<Settings = unknown> {
  readonly migrations?: readonly PluginMigration[];
  /** Registers everything. Effects are only staged; it has 10 seconds. */
  setup(ctx: ServerPluginContext<Settings>): void | Promise<void>;
  /**
   * The Test button of the settings form: whether these settings, which need not be stored, work. It has 30 seconds; an error,
   * and an answer without `ok`, is shown as a failure.
   */
  test?(
    ctx: ServerPluginContext<Settings>,
    settings: Settings,
  ): Promise<{ readonly ok: boolean; readonly message: string }>;
  /**
   * Called before settings that match the schema are stored, while the plugin runs. Refuse settings that would make stored data
   * useless by a `TrellisError`, whose message people see. It has 30 seconds, and nothing is stored before it resolves.
   */
  willSave?(ctx: ServerPluginContext<Settings>, settings: Settings): Promise<void>;
  /**
   * Uses of the plugin, for the person who is about to disable it: "Mail goes out through it every day". Uses in stored tables
   * and views are listed by the host.
   */
  usage?(ctx: ServerPluginContext<Settings>): Promise<readonly string[]>;
}

/**
 * Defines a plugin's server half, and types its context.
 *
 * @typeParam Settings what the schema of the settings in `plugin.json` describes, by which the host checks them and fills in their
 * defaults: `defineServerPlugin<{ readonly days: number }>({ … })`.
 * @public
 */
export function defineServerPlugin<Settings = Readonly<Record<string, unknown>>>(
  plugin: ServerPlugin<Settings>,
): ServerPlugin {
  return plugin;
}
