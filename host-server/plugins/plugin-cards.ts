import type { PluginManager, PluginStatus, SettingsSchema } from '@trellis/core';
import type { PluginAdministration, ServerPluginContext, WebPluginEntry } from '@trellis/sdk/server';
import type { PluginAnnouncements } from './announcements.ts';
import type { NamedByOperator } from './library/named-by-operator.ts';
import type { PluginLibrary } from './library/plugin-library.ts';
import type { PluginContextDependencies } from './plugin-context.ts';
import { toEntity } from './plugin-entity.ts';
import type { PluginErrorLog } from './plugin-error-log.ts';
import { pluginNotices } from './plugin-notices.ts';
import { toWebEntry } from './web-entries.ts';

export interface PluginCardDependencies extends Pick<
  PluginContextDependencies,
  'registries' | 'routes' | 'settings'
> {
  readonly manager: PluginManager<ServerPluginContext>;
  readonly named: NamedByOperator;
  readonly library: PluginLibrary;
  readonly errors: PluginErrorLog;
  readonly announcements: Pick<PluginAnnouncements, 'generation' | 'startedAt'>;
  readonly web: Parameters<typeof toWebEntry>[2];
}

/** Describes the plugins: in full to the app store, and to every page what it must load. */
export function createPluginCards(deps: PluginCardDependencies) {
  const { manager, named, library, errors, announcements, web } = deps;

  function isEnabled({ state }: PluginStatus): boolean {
    return state === 'enabled' || state === 'degraded';
  }

  function missingSettings(id: string, schema: SettingsSchema | undefined): readonly string[] {
    return schema === undefined ? [] : deps.settings.missing(id, schema);
  }

  function namesOfProduct(): ReadonlySet<string> {
    const built = manager.list().filter(({ origin }) => origin === 'built-in');
    return new Set(built.flatMap(({ manifest }) => Object.keys(manifest?.contributes ?? {})));
  }

  function noticesOf(status: PluginStatus, names: ReadonlySet<string>): readonly string[] {
    const { id, manifest } = status;
    if (manifest === undefined || !isEnabled(status)) return [];
    return pluginNotices(manifest, {
      registries: deps.registries,
      routes: deps.routes,
      namesOfProduct: names,
      missingSettings: ({ settings }) => missingSettings(id, settings),
      pageFailure: () => errors.pageFailure(id, announcements.startedAt(id)),
    });
  }

  function withSettings(entry: WebPluginEntry): WebPluginEntry {
    const manifest = manager.status(entry.id)?.manifest;
    const settings = manifest && deps.settings.forPages(manifest);
    return settings === undefined ? entry : { ...entry, settings };
  }

  return {
    list() {
      const names = namesOfProduct();
      return manager.list().map((status) =>
        toEntity(status, manager, {
          errors: errors.of(status.id),
          notices: [
            ...noticesOf(status, names),
            ...[named.noticeOf(library.find(status.id), isEnabled(status)) ?? []].flat(),
            ...(library.find(status.id)?.notes ?? []),
          ],
          missingSettings: missingSettings(status.id, status.manifest?.settings),
          found: library.find(status.id),
          remembered: library.remembered(status.id),
          labelOf: (registry, id) =>
            registry === 'permissions' || registry === 'filterOperators'
              ? deps.registries.get(registry).get(id)?.label
              : undefined,
        }),
      );
    },
    webPlugins: () => ({
      generation: announcements.generation,
      plugins: manager
        .list()
        .filter((status) => isEnabled(status))
        .flatMap((status) => toWebEntry(status, library.found, web))
        .map((entry) => withSettings(entry)),
    }),
  } satisfies Pick<PluginAdministration, 'list'> & Pick<PluginAdministration, 'webPlugins'>;
}
