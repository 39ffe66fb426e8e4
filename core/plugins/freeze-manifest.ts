import type { PluginManifest } from './plugin-manifest.ts';

/**
 * Makes a manifest unchangeable before its plugin is given it: hosts, hooks, tables and paths are held to what the manifest lists, and
 * people agreed to what it listed then.
 */
export function freezeManifest(manifest: PluginManifest): PluginManifest {
  freeze(manifest);
  return manifest;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
}
