import type { PluginContributions, PluginManager, PluginStatus } from '@trellis/core';
import type { ServerPluginContext } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import { workOf } from '../runtime/current-plugin.ts';
import { unagreedAsks } from './library/consent.ts';
import type { FoundPlugin } from './library/found-plugin.ts';
import type { RememberedPlugin } from './library/plugin-library.ts';

/** Facts about a plugin that come from elsewhere than the plugin manager. */
export interface PluginFacts extends Pick<PluginEntity, 'errors' | 'notices' | 'missingSettings'> {
  readonly found: FoundPlugin | undefined;
  readonly remembered: RememberedPlugin | undefined;
  /** The label of a registered item; undefined if it is not registered or has none. */
  readonly labelOf: (registry: string, id: string) => string | undefined;
}

/** A plugin as the app store page lists it. */
export function toEntity(
  status: PluginStatus,
  manager: PluginManager<ServerPluginContext>,
  { errors, notices, missingSettings, found, remembered, labelOf }: PluginFacts,
): PluginEntity {
  const { id, manifest, state, reason, system, origin } = status;
  const work = workOf(id);
  const { author, homepage, icon } = manifest ?? {};
  return {
    id,
    name: manifest?.name ?? remembered?.name ?? id,
    version: manifest?.version ?? remembered?.version ?? '',
    versions: found?.versions ?? [],
    category: manifest?.category ?? remembered?.category ?? 'other',
    description: manifest?.description ?? remembered?.description ?? '',
    ...(author !== undefined && { author }),
    ...(homepage !== undefined && { homepage }),
    ...(icon !== undefined && { icon }),
    system,
    state,
    ...(reason !== undefined && { reason }),
    suspended: status.suspended,
    refusing: status.refusing,
    errors,
    notices,
    dependencies: Object.keys(manifest?.dependencies ?? {}),
    dependents: manager.graph.dependentsOf(id, { transitive: true }),
    contributes: contributionIds(manifest?.contributes ?? {}),
    labels: contributionLabels(manifest?.contributes ?? {}, labelOf),
    builtIn: origin === 'built-in',
    hasSettings: manifest?.settings !== undefined,
    missingSettings,
    ...(work !== undefined && { work }),
    unagreed: unagreedAsks({ ...found, manifest: found?.versions && manifest }, found?.consent),
  };
}

/** The contributions in a manifest, by registry. */
export function contributionIds(
  contributes: PluginContributions,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(contributes).map(([registry, items]) => [
      registry,
      (items ?? []).map((item) => (typeof item === 'string' ? item : item.id)),
    ]),
  );
}

/** The labels of these contributions; `labelOf` knows those of running plugins. */
export function contributionLabels(
  contributes: PluginContributions,
  labelOf: PluginFacts['labelOf'] = () => undefined,
): PluginEntity['labels'] {
  return Object.fromEntries(
    Object.entries(contributes).map(([registry, items]) => [
      registry,
      Object.fromEntries(
        (items ?? []).flatMap((item) => {
          if (typeof item === 'string') return [];
          const label = typeof item['label'] === 'string' ? item['label'] : labelOf(registry, item.id);
          return label === undefined ? [] : [[item.id, label] as const];
        }),
      ),
    ]),
  );
}
