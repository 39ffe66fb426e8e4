import type { PluginManifest, PluginUsage } from '@trellis/core';

/** The things that a plugin asks for, by kind. Somebody must agree to all of them before it runs. @public */
export interface PluginAsks {
  /** Product paths that it serves. */
  readonly paths: readonly string[];
  /** Hosts that its server half calls; empty if it calls none. */
  readonly hosts: readonly string[];
  /** Capabilities in its manifest: "network", "database", ... */
  readonly permissions: readonly string[];
  /** Its own tables. */
  readonly tables: readonly string[];
  /** Hooks by which it may change or refuse operations of people. */
  readonly hooks: readonly string[];
  /**
   * Where it runs: `server`, `web`. Letting a plugin run for the first time is consent to its halves; a later version with a new
   * half asks for it.
   */
  readonly halves: readonly string[];
}

/** The kinds of things that a plugin asks for, in the order in which people are asked. @public */
export const pluginAskKinds = ['halves', 'hooks', 'paths', 'hosts', 'permissions', 'tables'] as const;

/** The things that a manifest asks for, and the halves of its plugin. @public */
export function pluginAsks(
  { permissions = [], contributes = {} }: PluginManifest,
  halves: readonly PluginHalf[],
): PluginAsks {
  const { routes: paths = [], hosts = [], tables = [], hooks = [] } = contributes;
  return { halves, hooks, paths, hosts, permissions, tables };
}

/** The things that are asked for, item by item, as named in logs and messages. @public */
export function askedItems(asks: PluginAsks): readonly string[] {
  return pluginAskKinds.flatMap((kind) =>
    kind === 'halves' ? asks.halves.map((half) => `its ${half} half`) : asks[kind],
  );
}

/** A half of a plugin, named by where it runs. @public */
export type PluginHalf = 'server' | 'web';

/** The signer of an archive. @public */
export interface PluginSigner {
  /** The raw ed25519 key in base64. */
  readonly publicKey: string;
  /** A short text of the key, for people to compare. */
  readonly fingerprint: string;
}

/**
 * A plugin that was uploaded and checked, but is not installed yet: what its manifest adds and asks for. None of its code has
 * run.
 *
 * @public
 */
export interface PluginProposal extends PluginAsks {
  /** Identifies the proposal when it is installed or discarded. */
  readonly ticket: string;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  readonly license?: string;
  readonly homepage?: string;
  /** The version in use; undefined if the plugin is not installed. */
  readonly current?: string;
  /** The version that was here last, if the plugin is not installed any more and left its settings or data. */
  readonly formerVersion?: string;
  /** Ids by registry. */
  readonly contributes: Readonly<Record<string, readonly string[]>>;
  /** The labels of these contributions, by registry and id, from the manifest; some have none. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The things it asks for without consent. */
  readonly unagreed: PluginAsks;
  /** Titles of its settings, and of those that are required. */
  readonly settings: readonly string[];
  readonly requiredSettings: readonly string[];
  readonly halves: readonly PluginHalf[];
  /** The total bytes of its files. */
  readonly bytes: number;
  readonly files: number;
  /** Of the archive, in hexadecimal. */
  readonly sha256: string;
  /** Undefined if it is not signed. */
  readonly signer?: PluginSigner;
  /** The signer of the version in use, if this one has another signer or none. */
  readonly formerSigner?: PluginSigner;
  /** Why it cannot run here as it is, a sentence each; it can be installed anyway. */
  readonly problems: readonly string[];
}

/** A column of a plugin's type. @public */
export interface PluginColumnUse {
  readonly id: string;
  readonly title: string;
  readonly table: string;
  readonly project: string;
  readonly projectId: string;
  readonly type: string;
  /** The type that it gets when the plugin is removed. */
  readonly fallback: string;
}

/** A filter of a view with a plugin's comparison. @public */
export interface PluginFilterUse {
  readonly id: string;
  /** The id of the comparison. */
  readonly operator: string;
  readonly viewId: string;
  readonly view: string;
  readonly table: string;
  readonly project: string;
  readonly projectId: string;
}

/**
 * A use of a plugin in a view besides filters: a figure with one of its `aggregations`, a rule with one of its `filterOperators`,
 * or options of one of its `viewAdditions`.
 * @public
 */
export interface PluginViewUse {
  readonly registry: 'aggregations' | 'filterOperators' | 'viewAdditions';
  /** The id of the item. */
  readonly id: string;
  readonly viewId: string;
  readonly view: string;
  readonly table: string;
  readonly project: string;
  /** How often the view uses it. */
  readonly count: number;
}

/** The consequences of removing a plugin for good. @public */
export interface PluginRemovalPlan {
  readonly columns: readonly PluginColumnUse[];
  /** Filters with its comparisons, which could no longer be used. */
  readonly filters: readonly PluginFilterUse[];
  /** Other uses in views. They stay stored, and have no effect until the plugin is installed again. */
  readonly inViews: readonly PluginViewUse[];
  /** Further uses; only for a running plugin. */
  readonly usage: readonly PluginUsage[];
  /** Ids of the running plugins that need it. */
  readonly dependents: readonly string[];
  /** Its own tables, by their names in the plugin. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** The number of its stored values. */
  readonly values: number;
  readonly hasSettings: boolean;
}

const inDevelopment = /-dev\.\d+$/;

/** A development version: `1.2.0-dev.1764000000000`, which is before 1.2.0. @beta */
export function developmentVersion(version: string, build: number): string {
  return `${version.replace(inDevelopment, '')}-dev.${build}`;
}

/** Whether a version is a development version. @beta */
export function isDevelopmentVersion(version: string): boolean {
  return inDevelopment.test(version);
}
