import { SDK_CONTRACT, type PluginManifest } from '@trellis/core';

/** An enabled plugin as `GET /api/v1/plugins/web` lists it. */
export interface WebPluginEntry {
  readonly id: string;
  /** The public part of `plugin.json`. */
  readonly manifest: Partial<PluginManifest>;
  /** Absent when the plugin has no web half. */
  readonly url?: string | null;
  /** The name under which the module at the address exports it, where several plugins are in one file; `default` where left out. */
  readonly part?: string;
  readonly css?: readonly string[];
  /** It was there before manifests listed hooks, and goes on with those that it taps. */
  readonly tapsUnlisted?: boolean;
  /** The settings that its schema marks for pages. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Whether a plugin has a half that somebody installed, and not one that came with the product. */
export function isFromElsewhere({ url }: Pick<WebPluginEntry, 'url'>): boolean {
  return url?.startsWith('/ext/') === true;
}

export interface WebPluginList {
  /** Rises whenever a plugin is enabled, disabled, installed or updated. */
  readonly generation: number;
  readonly plugins: readonly WebPluginEntry[];
}

/**
 * The manifest as the plugin manager wants it.
 *
 * The server lists only what it runs, so versions were checked there; what it keeps to itself has harmless values here. No
 * plugin is a system plugin in the browser: a failing one must not stop the page.
 */
export function completeManifest({ id, manifest }: WebPluginEntry): PluginManifest {
  return {
    name: id,
    version: '0.0.0',
    category: 'other',
    ...manifest,
    id,
    sdk: manifest.sdk ?? SDK_CONTRACT,
    engines: { trellis: '*' },
    system: false,
  };
}
