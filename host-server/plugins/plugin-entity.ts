import type { PluginManager, PluginStatus } from '@trellis/core';
import type { ServerPluginContext } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';

/** A plugin as the app store page lists it. */
export function toEntity(
  status: PluginStatus,
  manager: PluginManager<ServerPluginContext>,
  { errors, notices }: Pick<PluginEntity, 'errors' | 'notices'>,
): PluginEntity {
  const { id, manifest, state, reason, system, origin } = status;
  return {
    id,
    name: manifest?.name ?? id,
    version: manifest?.version ?? '',
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
