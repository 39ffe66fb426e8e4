import { join } from 'node:path';
import {
  defineErrors,
  pluginErrors,
  type PluginManager,
  type PluginManifest,
  type SerialQueue,
  type PluginUsage,
} from '@trellis/core';
import type { PluginInstaller, ServerPluginContext } from '@trellis/sdk/server';
import type { PluginRemovalPlan, PluginSettingsForm } from '@trellis/sdk/shared';
import { isInFolder } from './found-plugin.ts';
import type { PluginData } from './plugin-data.ts';
import type { PluginLibrary } from './plugin-library.ts';
import type { PluginStaging } from './staging.ts';

const removalErrors = defineErrors({
  PLUGIN_NOT_REMOVABLE: {
    status: 409,
    message: "'{plugin}' is built in: it can be switched off, and it cannot be removed.",
  },
  PLUGIN_HAS_COLUMNS: {
    status: 409,
    message:
      "{count} columns still have a type of '{plugin}'; change them first, or say that they are to stay as they are.",
  },
});

export interface PluginRemoverDependencies {
  readonly library: PluginLibrary;
  readonly manager: PluginManager<ServerPluginContext>;
  readonly staging: PluginStaging;
  readonly data: PluginData;
  /** Its own tables with their rows; see `PluginData.tablesOf`. */
  readonly ownTables: (id: string) => ReturnType<PluginData['tablesOf']>;
  readonly queue: SerialQueue;
  /** The parts of it in views, apart from filters. */
  readonly inViews: (plugin: Pick<PluginManifest, 'contributes'>) => Promise<PluginRemovalPlan['inViews']>;
  readonly usage: (id: string) => Promise<readonly PluginUsage[]>;
  readonly settings: (id: string) => PluginSettingsForm | undefined;
  /** Switches it off together with the named plugins; throws when others need it. */
  readonly disable: (id: string, cascade: readonly string[]) => Promise<void>;
  /** Reloads the settings from the database. */
  readonly reloadSettings: () => Promise<void>;
  readonly tellOfChanges: () => Promise<void>;
  readonly assertUnlocked: () => void;
}

type Removal = Pick<
  PluginInstaller,
  'planRemoval' | 'columnsToRelease' | 'filtersToRelease' | 'dataOf' | 'remove'
>;

/** Removes installed plugins, and their data if wanted. */
export function createPluginRemover(deps: PluginRemoverDependencies): Removal {
  const { library, manager, data } = deps;

  /** The facts about a plugin that may be gone. @throws TrellisError `PLUGIN_NOT_FOUND`, `PLUGIN_NOT_REMOVABLE`. */
  function known(id: string): Pick<PluginManifest, 'id' | 'name' | 'contributes'> {
    if (manager.status(id) === undefined) throw pluginErrors.create('PLUGIN_NOT_FOUND', { plugin: id });
    const found = library.find(id);
    if (found !== undefined && !isInFolder(found))
      throw removalErrors.create('PLUGIN_NOT_REMOVABLE', { plugin: found.manifest?.name ?? id });
    const {
      name = id,
      columnTypes = [],
      filterOperators = [],
      aggregations = [],
      viewAdditions = [],
    } = library.remembered(id) ?? {};
    const contributes = { columnTypes, filterOperators, aggregations, viewAdditions };
    return { id, name, contributes, ...found?.manifest };
  }

  return {
    async planRemoval(id) {
      const plugin = known(id);
      const { dependents } = await manager.planDisable(id);
      return {
        columns: await data.columnsOf(plugin),
        filters: await data.filtersOf(plugin),
        inViews: await deps.inViews(plugin),
        usage: await deps.usage(id),
        dependents,
        tables: await deps.ownTables(id),
        values: await data.valuesOf(id),
        hasSettings: deps.settings(id) !== undefined,
      };
    },
    async columnsToRelease(id) {
      deps.assertUnlocked();
      return data.columnsOf(known(id));
    },
    async filtersToRelease(id) {
      deps.assertUnlocked();
      return data.filtersOf(known(id));
    },
    async *dataOf(id) {
      const { name } = known(id);
      const tables = (await deps.ownTables(id)).map((table) => table.name);
      const version = manager.status(id)?.manifest?.version ?? library.remembered(id)?.version;
      yield* data.pieces(id, tables, { plugin: id, name, version, settings: deps.settings(id)?.values });
    },
    async remove(id, { cascade, keepData, leaveColumns, onStopped, signal, onStep }) {
      deps.assertUnlocked();
      await deps.queue.run(async () => {
        onStep?.('check');
        const plugin = known(id);
        const { length: count } = await data.columnsOf(plugin);
        if (count > 0 && !leaveColumns)
          throw removalErrors.create('PLUGIN_HAS_COLUMNS', { plugin: plugin.name, count });
        const tables = (await deps.ownTables(id)).map(({ name }) => name);
        signal?.throwIfAborted();
        onStep?.('start');
        await deps.disable(id, cascade);
        await onStopped?.();
        onStep?.('place');
        // The folder goes first, in one step: if the removal is cut off afterwards, the plugin is a missing one, which can be removed again.
        if (library.find(id) !== undefined) await deps.staging.bin(join(library.folder, id));
        library.accept({ id });
        await manager.replace({ id, origin: 'installed' });
        onStep?.('tidy');
        if (!keepData) await data.drop(id, tables);
        // Whoever signed it is asked for again by a plugin that would find its data. Other servers read this once the decision is gone.
        await (keepData ? library.release(id) : library.forget(id));
        await data.forget(id);
        await deps.reloadSettings();
        await manager.remove(id);
        await deps.tellOfChanges();
      });
    },
  };
}
