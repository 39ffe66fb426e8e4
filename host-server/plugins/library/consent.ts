import type { PluginManifest } from '@trellis/core';

/** The product paths of a plugin that nobody agreed to. */
export function unagreedPaths(
  manifest: PluginManifest | undefined,
  consent: readonly string[] = [],
): readonly string[] {
  return (manifest?.contributes?.routes ?? []).filter((path) => !consent.includes(path));
}
