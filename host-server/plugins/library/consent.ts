import { defineErrors, type PluginManifest } from '@trellis/core';

const consentErrors = defineErrors({
  PLUGIN_NEEDS_CONSENT: {
    status: 409,
    message: "'{plugin}' serves addresses of the product; somebody must agree to that first: {paths}",
  },
});

/** The product paths of a plugin that nobody agreed to. */
export function unagreedPaths(
  manifest: PluginManifest | undefined,
  consent: readonly string[] = [],
): readonly string[] {
  return (manifest?.contributes?.routes ?? []).filter((path) => !consent.includes(path));
}

/** @throws TrellisError `PLUGIN_NEEDS_CONSENT` where there are paths that nobody agreed to. */
export function assertAgreed(manifest: PluginManifest | undefined, paths: readonly string[]): void {
  if (paths.length > 0)
    throw consentErrors.create('PLUGIN_NEEDS_CONSENT', {
      plugin: manifest?.name,
      paths: paths.join(', '),
    });
}
