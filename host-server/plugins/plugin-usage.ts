import type { PluginUsage, RegistryView } from '@trellis/core';
import type { ChannelUser, FileHolder, NotificationChannel, StorageAdapter } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';

type Items = RegistryView<{ readonly id: string; readonly label: string }>;

export interface PluginUsageDependencies {
  readonly metadata: Metadata;
  /** By the registry's id. */
  readonly registries: Readonly<Record<'columnTypes' | 'viewTypes' | 'filterOperators', Items>> & {
    readonly storageAdapters: RegistryView<StorageAdapter>;
    readonly fileHolders: RegistryView<FileHolder>;
    readonly notificationChannels: RegistryView<NotificationChannel>;
    readonly channelUsers: RegistryView<ChannelUser>;
  };
}

interface Found {
  readonly id: string;
  readonly count: number | string;
  readonly places: number | string;
}

const word = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;

/** Counts rows of `table` by `column`, without rows of tables that are deleted or in a deleted project. */
function countBy(
  unit: Unit,
  table: 'trellis_column' | 'trellis_view',
  column: string,
  ids: readonly string[],
) {
  const query = unit
    .knex(`${table} as of`)
    .join('trellis_table as at', 'at.id', 'of.table_id')
    .join('trellis_project as project', 'project.id', 'at.project_id')
    .whereNull('at.parked_at')
    .whereNull('project.deleted_at')
    .whereIn(`of.${column}`, [...ids])
    .groupBy(`of.${column}`)
    .select({ id: `of.${column}` })
    .count({ count: '*' })
    .countDistinct({ places: 'of.table_id' });
  return unit.all<Found>(table === 'trellis_column' ? query.whereNull('of.parked_at') : query);
}

function countFilters(unit: Unit, ids: readonly string[]) {
  return unit.all<Found>(
    unit
      .knex('trellis_filter')
      .whereIn('operator', [...ids])
      .groupBy('operator')
      .select({ id: 'operator' })
      .count({ count: '*' })
      .countDistinct({ places: 'view_id' }),
  );
}

/** The contents of a plugin's storages. */
async function usageOfStorages(
  pluginId: string,
  { storageAdapters, fileHolders }: PluginUsageDependencies['registries'],
): Promise<readonly PluginUsage[]> {
  const usage: PluginUsage[] = [];
  for (const { item, owner } of storageAdapters.entries()) {
    if (owner !== pluginId) continue;
    let files = 0;
    let bytes = 0;
    for (const holder of fileHolders.list()) {
      const held = await holder.count(item.id);
      files += held.files;
      bytes += held.bytes;
    }
    if (files === 0) continue;
    usage.push({
      message:
        '{{label}} keeps {{used}} ({{megabytes}} MB). Until it is on again nobody can open {{them}}; new files go elsewhere.',
      params: {
        label: item.label,
        used: word(files, 'file', 'files'),
        megabytes: (bytes / 1_000_000).toFixed(1),
        them: files === 1 ? 'it' : 'them',
      },
    });
  }
  return usage;
}

/** What tells by a plugin's channels. */
async function usageOfChannels(
  pluginId: string,
  { notificationChannels, channelUsers }: PluginUsageDependencies['registries'],
): Promise<readonly PluginUsage[]> {
  const usage: PluginUsage[] = [];
  for (const { item, owner } of notificationChannels.entries()) {
    if (owner !== pluginId) continue;
    for (const user of channelUsers.list()) {
      const count = await user.count(item);
      if (count > 0) usage.push(user.usage({ channel: item, count }));
    }
  }
  return usage;
}

/**
 * What stops working without a plugin: columns of its types, views of its view types, filters by its operators, files in its
 * storages, what tells by its channels. Shown to people before they switch it off.
 */
export function createPluginUsage({ metadata, registries }: PluginUsageDependencies) {
  const ownedBy = (items: Items, owner: string) =>
    items.list().filter(({ id }) => items.ownerOf(id) === owner);

  return async function usageOf(pluginId: string): Promise<readonly PluginUsage[]> {
    const types = ownedBy(registries.columnTypes, pluginId);
    const views = ownedBy(registries.viewTypes, pluginId);
    const operators = ownedBy(registries.filterOperators, pluginId);
    const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
    const ofItems = [
      ...(await usageOfStorages(pluginId, registries)),
      ...(await usageOfChannels(pluginId, registries)),
    ];
    if (types.length + views.length + operators.length === 0) return ofItems;
    const [ofTypes, ofViews, ofOperators] = await metadata.database.read(
      async (unit) =>
        [
          await countBy(unit, 'trellis_column', 'uidt', idsOf(types)),
          await countBy(unit, 'trellis_view', 'type', idsOf(views)),
          await countFilters(unit, idsOf(operators)),
        ] as const,
    );
    const label = (id: string) =>
      [...types, ...views, ...operators].find((item) => item.id === id)?.label ?? id;
    const say = (found: readonly Found[], one: string, several: string, place: readonly [string, string]) =>
      found.map(({ id, count, places }) => ({
        message: '{{label}}: {{used}} in {{places}}',
        params: {
          label: label(id),
          used: word(Number(count), one, several),
          places: word(Number(places), ...place),
        },
      }));
    return [
      ...say(ofTypes, 'column', 'columns', ['table', 'tables']),
      ...say(ofViews, 'view', 'views', ['table', 'tables']),
      ...say(ofOperators, 'filter', 'filters', ['view', 'views']),
      ...ofItems,
    ];
  };
}
