import type { Clock } from '../lifecycle/clock.ts';
import type { PluginManifest } from './plugin-manifest.ts';
import type { PluginScope } from './plugin-scope.ts';

/**
 * - `discovered`: found, and nobody has decided about it
 * - `disabled`: switched off
 * - `starting`: the host has just started and its turn has not come, or it is being set up
 * - `enabled`: running
 * - `degraded`: running, but parts of it failed too often and are suspended, or refuse what they fail on
 * - `failed`: should run, and could not be enabled
 * - `incompatible`: cannot run here: manifest, versions, missing or circular dependencies
 * - `missing`: known from the database, but its folder is gone
 * @public
 */
export type PluginState =
  'discovered' | 'disabled' | 'starting' | 'enabled' | 'incompatible' | 'failed' | 'degraded' | 'missing';

/**
 * The state that is stored between starts. If the next start still finds `starting`, the plugin took the host down. It is then
 * `crashed`: switched off with that reason, until somebody decides again. The same goes for a plugin that repeatedly threw errors
 * which nobody could catch.
 */
export type PersistedPluginState = 'starting' | 'crashed' | 'enabled' | 'disabled';

/** The exports of a plugin's half. */
export interface PluginModule<Context> {
  /** Stages everything that the plugin adds. It has ten seconds. */
  setup(context: Context): void | Promise<void>;
  /** Tests settings, which may not be stored yet ("Test" button); throws an error that says what is wrong. */
  test?(context: Context, settings: Readonly<Record<string, unknown>>): unknown;
  /** Called before settings are stored; an error that it throws refuses them. */
  willSave?(context: Context, settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** The effects of disabling it, a sentence each. */
  usage?(context: Context): Promise<readonly string[]>;
}

/**
 * A use of a plugin, as a sentence in English, which is the key of its translations: `{{name}}` in it stands for the param of that
 * name.
 * @public
 */
export interface PluginUsage {
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/**
 * The steps of enabling: `willEnable`, `load`, `migrate`, `setup`, `commit`, `publish`, `persist`, `didEnable`; then those of
 * disabling.
 */
export type PluginStep =
  | 'start'
  | 'persist'
  | 'willEnable'
  | 'load'
  | 'migrate'
  | 'setup'
  | 'commit'
  | 'publish'
  | 'didEnable'
  | 'usage'
  | 'willSave'
  | 'willDisable'
  | 'dispose'
  | 'didDisable'
  | 'late error';

/** The host's part of plugin management. The server and the browser each have one. */
export interface PluginHost<Context> {
  /** The version that is compared with `engines.trellis`. */
  readonly version: string;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Imports the plugin's half. */
  load(manifest: PluginManifest): Promise<PluginModule<Context>>;
  /** Makes `ctx`. All its effects must go through the scope. */
  createContext(manifest: PluginManifest, scope: PluginScope): Context;
  /** Runs the migrations that the plugin's half exports, forward only. They are never reverted. */
  migrate?(manifest: PluginManifest, module: PluginModule<Context>): Promise<void>;
  /** May refuse by throwing. */
  willEnable?(manifest: PluginManifest): void | Promise<void>;
  didEnable?(manifest: PluginManifest): void | Promise<void>;
  /** May refuse by throwing an expected error; other errors are reported and do not keep the plugin enabled. */
  willDisable?(manifest: PluginManifest): void | Promise<void>;
  didDisable?(manifest: PluginManifest): void | Promise<void>;
  /** The effects of disabling it that the host knows, such as columns of its types. */
  usage?(manifest: PluginManifest): Promise<readonly PluginUsage[]>;
  /**
   * Called in the same turn in which effects were committed or withdrawn. Here, swap in one assignment whatever must change as a
   * whole, such as the route table. If it throws while enabling, everything is rolled back and it is called once more.
   */
  publish?(manifest: PluginManifest): void;
  /** `reason` says why it is not running, and is shown after the next start. */
  persist?(id: string, state: PersistedPluginState, reason?: string): void | Promise<void>;
  /** The place in the author's own code where an error occurred, such as `server/index.ts:5:9`; undefined if unknown. */
  placeOf?(error: unknown, manifest: PluginManifest): string | undefined;
  /** Whether an error only means that a foundation of the host could not answer at this moment, such as a busy database. */
  isOutage?(error: unknown): boolean;
  /** Called for every error that was kept from the caller. */
  onError(error: unknown, pluginId: string, step: PluginStep): void;
}

/** A plugin as the host found it. */
export interface KnownPlugin {
  readonly id: string;
  /** Only built-in plugins may be system plugins. */
  readonly origin: 'built-in' | 'installed';
  /** Absent when the folder is gone or the manifest could not be read. */
  readonly manifest?: PluginManifest;
  /** Why the folder has no valid manifest. */
  readonly problem?: string;
  readonly persisted?: PersistedPluginState;
  /** The reason that was persisted with it. */
  readonly persistedReason?: string;
}

/** The visible state of a plugin. Immutable: each change makes a new one. */
export interface PluginStatus {
  readonly id: string;
  readonly state: PluginState;
  readonly system: boolean;
  readonly origin: 'built-in' | 'installed';
  readonly manifest?: PluginManifest;
  /** Why it is in this state, in English, if that is not obvious. */
  readonly reason?: string;
  /** The suspended parts of a degraded plugin. */
  readonly suspended: readonly string[];
  /** The parts that failed too often and are still called: operations on which they fail are refused. */
  readonly refusing: readonly string[];
}

export interface PluginChange {
  readonly id: string;
  /** Undefined when the plugin was just found. */
  readonly previous?: PluginStatus;
  /** Undefined when the plugin was removed. */
  readonly current?: PluginStatus;
}

/** Milliseconds. */
export interface PluginLimits {
  readonly setup: number;
  readonly load: number;
  readonly migrate: number;
  /** For `willEnable`, `willDisable`, `usage`, `persist`. */
  readonly hook: number;
  /** A plugin that throws where nobody can catch it is set up again, but not twice within this time. */
  readonly recovery: number;
  /** How long work in flight may continue when a plugin is disabled. */
  readonly drain: number;
  readonly test: number;
}

export const defaultLimits: PluginLimits = {
  setup: 10_000,
  load: 30_000,
  migrate: 10 * 60_000,
  hook: 10_000,
  recovery: 60_000,
  drain: 10_000,
  test: 30_000,
};
