import type { PluginManifest } from '@trellis/core';

/** What a plugin asks for, by kind: somebody must have agreed to all of it before it runs. @public */
export interface PluginAsks {
  /** Product paths that it serves. */
  readonly paths: readonly string[];
  /** Hosts that its server half calls; none means that it calls nobody. */
  readonly hosts: readonly string[];
  /** What it says that it needs: "network", "database", ... */
  readonly permissions: readonly string[];
  /** Tables of its own. */
  readonly tables: readonly string[];
  /** Hooks by which it may change or refuse what people do. */
  readonly hooks: readonly string[];
  /**
   * Where it runs: `server`, `web`. Whoever lets a plugin run for the first time agrees to that; a version with a half that the one
   * before had not asks for it.
   */
  readonly halves: readonly string[];
}

/** The kinds of what a plugin asks for, in the order in which people are asked. @public */
export const pluginAskKinds = ['halves', 'hooks', 'paths', 'hosts', 'permissions', 'tables'] as const;

/** What a manifest asks for, and the halves that its plugin has. @public */
export function pluginAsks(
  { permissions = [], contributes = {} }: PluginManifest,
  halves: readonly PluginHalf[],
): PluginAsks {
  const { routes: paths = [], hosts = [], tables = [], hooks = [] } = contributes;
  return { halves, hooks, paths, hosts, permissions, tables };
}

/** What is asked for, item by item, in the words of logs and messages. @public */
export function askedItems(asks: PluginAsks): readonly string[] {
  return pluginAskKinds.flatMap((kind) =>
    kind === 'halves' ? asks.halves.map((half) => `its ${half} half`) : asks[kind],
  );
}

/** A part of a plugin, by where it runs. @public */
export type PluginHalf = 'server' | 'web';

/** Who signed an archive. @public */
export interface PluginSigner {
  /** The raw ed25519 key in base64. */
  readonly publicKey: string;
  /** A short text of the key that people compare. */
  readonly fingerprint: string;
}

/**
 * A plugin that was brought and checked, and is not installed yet: what it says it adds and asks for. Nothing of it has run.
 *
 * @public
 */
export interface PluginProposal extends PluginAsks {
  /** By which it is installed or given back. */
  readonly ticket: string;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  readonly license?: string;
  readonly homepage?: string;
  /** The version that is in use; absent where the plugin is not installed. */
  readonly current?: string;
  /** Ids by registry. */
  readonly contributes: Readonly<Record<string, readonly string[]>>;
  /** What people call that, by registry and id, as the manifest says; some of it has no name. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What of it nobody has agreed to. */
  readonly unagreed: PluginAsks;
  /** Titles of its settings, and of those that it cannot work without. */
  readonly settings: readonly string[];
  readonly requiredSettings: readonly string[];
  readonly halves: readonly PluginHalf[];
  /** Bytes of all its files. */
  readonly bytes: number;
  readonly files: number;
  /** Of the archive, in hexadecimal. */
  readonly sha256: string;
  /** Absent for an unsigned one. */
  readonly signer?: PluginSigner;
  /** Who signed the version in use, where this one is signed by somebody else or by nobody. */
  readonly formerSigner?: PluginSigner;
  /** Why it cannot run here as it is, a sentence each; it can be installed all the same. */
  readonly problems: readonly string[];
}

/** A column whose type a plugin brings. @public */
export interface PluginColumnUse {
  readonly id: string;
  readonly title: string;
  readonly table: string;
  readonly project: string;
  readonly projectId: string;
  readonly type: string;
  /** The type that it becomes when the plugin is removed. */
  readonly fallback: string;
}

/** A filter of a view by a comparison of a plugin. @public */
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
 * What a view keeps of a plugin beside filters: a figure by one of its `aggregations`, a rule that asks by one of its `filterOperators`, or
 * what one of its `viewAdditions` adds.
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
  /** How often the view names it. */
  readonly count: number;
}

/** What removing a plugin for good would take along. @public */
export interface PluginRemovalPlan {
  readonly columns: readonly PluginColumnUse[];
  /** Filters by its comparisons, which nobody could use any more. */
  readonly filters: readonly PluginFilterUse[];
  /** What views keep of it otherwise. It stays as it is, and does nothing until the plugin is installed again. */
  readonly inViews: readonly PluginViewUse[];
  /** What else relies on it, a sentence each; of one that runs. */
  readonly usage: readonly string[];
  /** Ids of the running plugins that need it. */
  readonly dependents: readonly string[];
  /** Tables of its own, by the names that the plugin gave them. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** Values that it keeps besides. */
  readonly values: number;
  readonly hasSettings: boolean;
}

const inDevelopment = /-dev\.\d+$/;

/** A version that its author works on: `1.2.0-dev.1764000000000`, which is before 1.2.0. @beta */
export function developmentVersion(version: string, build: number): string {
  return `${version.replace(inDevelopment, '')}-dev.${build}`;
}

/** Whether a version is one that its author works on. @beta */
export function isDevelopmentVersion(version: string): boolean {
  return inDevelopment.test(version);
}
