import { SDK_CONTRACT, type PluginManifest } from '@trellis/core';

/** An enabled plugin as `GET /api/v1/plugins/web` lists it. */
export interface WebPluginEntry {
  readonly id: string;
  /** The public part of `plugin.json`. */
  readonly manifest: Partial<PluginManifest>;
  /** Null or absent if the plugin has no web half. */
  readonly url?: string | null;
  /** The plugin's export name, if the module contains several plugins; default: `default`. */
  readonly part?: string;
  readonly css?: readonly string[];
  /** The plugin was installed before manifests listed hooks, and may still tap hooks that it does not list. */
  readonly tapsUnlisted?: boolean;
  /** The settings that the plugin's schema exposes to pages. */
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
 * Completes a manifest for the plugin manager.
 *
 * The server lists only running plugins, so it has checked the versions; fields that it omits get harmless values. No plugin is a
 * system plugin in the browser: a failing one must not stop the page.
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
