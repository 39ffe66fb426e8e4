import type { Clock } from '../lifecycle/clock.ts';
import type { PluginManifest } from './plugin-manifest.ts';
import type { PluginScope } from './plugin-scope.ts';

/**
 * - `discovered`: there, and nobody has decided about it
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
 * What is kept between starts. `starting` that is still there at the next start means that it took the host down; from then on
 * it is `crashed`, which is switched off with that reason, until somebody decides again. So is one that threw again and again
 * where nobody could catch it.
 */
export type PersistedPluginState = 'starting' | 'crashed' | 'enabled' | 'disabled';

/** What a half of a plugin exports. */
export interface PluginModule<Context> {
  /** Stages what the plugin adds. It has ten seconds. */
  setup(context: Context): void | Promise<void>;
  /** Tries settings out that may not be stored yet ("Test" button); throws what is wrong. */
  test?(context: Context, settings: Readonly<Record<string, unknown>>): unknown;
  /** Called before settings are stored; what it throws refuses them. */
  willSave?(context: Context, settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** What would be affected if it were disabled, a sentence each. */
  usage?(context: Context): Promise<readonly string[]>;
}

/** How much somebody relies on a plugin, in a sentence: "{columns} columns in {tables} tables use Rating". */
export interface PluginUsage {
  readonly message: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Enabling: `willEnable`, `load`, `migrate`, `setup`, `commit`, `publish`, `persist`, `didEnable`; and the way back. */
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

/** What a host lends to the manager. The server and the browser each have one. */
export interface PluginHost<Context> {
  /** The version that `engines.trellis` is held against. */
  readonly version: string;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Imports the plugin's half. */
  load(manifest: PluginManifest): Promise<PluginModule<Context>>;
  /** Makes `ctx`. Everything that it adds must go through the scope. */
  createContext(manifest: PluginManifest, scope: PluginScope): Context;
  /** Runs the migrations that the plugin's half exports, forward only. They are never reverted. */
  migrate?(manifest: PluginManifest, module: PluginModule<Context>): Promise<void>;
  /** May refuse by throwing. */
  willEnable?(manifest: PluginManifest): void | Promise<void>;
  didEnable?(manifest: PluginManifest): void | Promise<void>;
  /** May refuse by throwing an expected error; other errors are reported and do not keep a plugin on. */
  willDisable?(manifest: PluginManifest): void | Promise<void>;
  didDisable?(manifest: PluginManifest): void | Promise<void>;
  /** What the host itself knows would be affected if it were disabled, such as columns of its types. */
  usage?(manifest: PluginManifest): Promise<readonly PluginUsage[]>;
  /**
   * Called in the same turn in which effects were committed or withdrawn: swap here, in one assignment, what must be
   * swapped as a whole, such as the route table. If it throws while enabling, everything is rolled back and it is
   * called once more.
   */
  publish?(manifest: PluginManifest): void;
  /** `reason` says why it is not running, for whoever looks at it after the next start. */
  persist?(id: string, state: PersistedPluginState, reason?: string): void | Promise<void>;
  /** Where in the author's own code an error comes from, such as `server/index.ts:5:9`; undefined where that is unknown. */
  placeOf?(error: unknown, manifest: PluginManifest): string | undefined;
  /** Whether an error says only that what the host stands on could not answer at this moment, as a database that is busy. */
  isOutage?(error: unknown): boolean;
  /** Told of every error that was kept from the caller. */
  onError(error: unknown, pluginId: string, step: PluginStep): void;
}

/** A plugin as the host found it. */
export interface KnownPlugin {
  readonly id: string;
  /** Only built-in plugins may be system plugins. */
  readonly origin: 'built-in' | 'installed';
  /** Absent when the folder is gone or the manifest could not be read. */
  readonly manifest?: PluginManifest;
  /** Why there is a folder but no manifest. */
  readonly problem?: string;
  readonly persisted?: PersistedPluginState;
  /** The reason that was persisted with it. */
  readonly persistedReason?: string;
}

/** What one sees of a plugin. Immutable: a change makes a new one. */
export interface PluginStatus {
  readonly id: string;
  readonly state: PluginState;
  readonly system: boolean;
  readonly origin: 'built-in' | 'installed';
  readonly manifest?: PluginManifest;
  /** Why it is in this state, in English, where that is not plain. */
  readonly reason?: string;
  /** What is suspended of a degraded plugin. */
  readonly suspended: readonly string[];
  /** What of it failed too often and is asked nevertheless: what it fails on is refused. */
  readonly refusing: readonly string[];
}

export interface PluginChange {
  readonly id: string;
  /** Absent when it was just found. */
  readonly previous?: PluginStatus;
  /** Absent when it was removed. */
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
  /** How long work in flight may go on when a plugin is disabled. */
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
