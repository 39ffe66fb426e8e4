import type { PluginManager, PluginStatus } from '@trellis/core';
import type { ServerPluginContext } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import type { FoundPlugin } from './library/found-plugin.ts';
import type { RememberedPlugin } from './library/plugin-library.ts';

/** What others know of it than the plugin manager. */
export interface PluginFacts extends Pick<PluginEntity, 'errors' | 'notices'> {
  readonly found: FoundPlugin | undefined;
  readonly remembered: RememberedPlugin | undefined;
}

/** A plugin as the app store page lists it. */
export function toEntity(
  status: PluginStatus,
  manager: PluginManager<ServerPluginContext>,
  { errors, notices, found, remembered }: PluginFacts,
): PluginEntity {
  const { id, manifest, state, reason, system, origin } = status;
  return {
    id,
    name: manifest?.name ?? remembered?.name ?? id,
    version: manifest?.version ?? remembered?.version ?? '',
    versions: found?.versions ?? [],
    category: manifest?.category ?? 'other',
    description: manifest?.description ?? '',
    system,
    state,
    ...(reason !== undefined && { reason }),
    suspended: status.suspended,
    errors,
    notices,
    dependencies: Object.keys(manifest?.dependencies ?? {}),
    dependents: manager.graph.dependentsOf(id, { transitive: true }),
    contributes: Object.fromEntries(
      Object.entries(manifest?.contributes ?? {}).map(([registry, items]) => [
        registry,
        (items ?? []).map((item) => (typeof item === 'string' ? item : item.id)),
      ]),
    ),
    builtIn: origin === 'built-in',
    hasSettings: manifest?.settings !== undefined,
  };
}
