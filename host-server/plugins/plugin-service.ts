import {
  defineErrors,
  pluginErrors,
  errorOrigin,
  isSystem,
  PluginManager,
  SerialQueue,
  type ErrorBudget,
  type PersistedPluginState,
  type PluginScope,
  type PluginStatus,
  type SettingsSchema,
} from '@trellis/core';
import type {
  Logger,
  PluginAdministration,
  PluginInstaller,
  ServerPlugin,
  ServerPluginContext,
  WebPluginEntry,
} from '@trellis/sdk/server';
import type { PluginRunner } from '../http/plugin-runner.ts';
import { checkFallbacks } from './check-column-type.ts';
import { checkViewPermissions } from './check-view-type.ts';
import { administerSettings } from './administer-settings.ts';
import { PluginAnnouncements, type AnnouncementDependencies } from './announcements.ts';
import { createFollower } from './follow-decisions.ts';
import { asPlugin, nameWorkOf } from '../runtime/current-plugin.ts';
import type { KnownSecrets } from '../runtime/logging/known-secrets.ts';
import { toKnownPlugin } from './library/found-plugin.ts';
import { createPluginLibrary, type PluginLibraryOptions } from './library/plugin-library.ts';
import { createPluginInstaller } from './library/plugin-installer.ts';
import { createPluginData } from './library/plugin-data.ts';
import { createPluginRemover } from './library/plugin-remover.ts';
import { createRescan } from './library/rescan.ts';
import { PluginStaging } from './library/staging.ts';
import { loadServerHalf } from './load-server-half.ts';
import type { ModuleLocations } from './locate-modules.ts';
import { createPluginUsage } from './plugin-usage.ts';
import { createPluginContext, type PluginContextDependencies } from './plugin-context.ts';
import { migratePlugin } from './plugin-database.ts';
import { toEntity } from './plugin-entity.ts';
import { PluginErrorLog } from './plugin-error-log.ts';
import { pluginNotices } from './plugin-notices.ts';
import { createPluginRows, type PluginRows } from './plugin-rows.ts';
import { forgetStoppedPlugin, readStoppedPlugin } from './stopped-plugin.ts';
import { startSoon } from './start-soon.ts';
import { readWebManifest, toWebEntry, webFilesOf, type WebFiles } from './web-entries.ts';

const administrationErrors = defineErrors({
  PLUGINS_LOCKED: {
    status: 403,
    message: 'The operator of this server has locked the plugins (TRELLIS_PLUGINS=locked).',
  },
  PLUGIN_HAS_DEPENDENTS: {
    status: 409,
    message: "'{plugin}' is needed by {dependents}; they would be switched off as well.",
  },
});

export interface PluginServiceDependencies extends Omit<
  PluginContextDependencies,
  'isEnabled' | 'isBuiltIn'
> {
  readonly locations: ModuleLocations;
  /** Where plugins are. */
  readonly places: Omit<PluginLibraryOptions, 'metadata'>;
  /** Where the watchdog leaves word of a plugin that it ended the server for. */
  readonly stoppedFile: string;
  readonly version: string;
  readonly budget: ErrorBudget;
  readonly logger: Logger;
  /** What must not stand in the errors that are shown. */
  readonly knownSecrets: KnownSecrets;
  readonly locked: boolean;
  /** Milliseconds that a plugin's requests may still take when it is switched off. */
  readonly drainMs: number;
  readonly onDidChange: AnnouncementDependencies['onDidChange'];
}

export interface PluginService extends PluginAdministration, PluginRunner {
  /**
   * Starts what should run.
   *
   * @param options.signal gives up: what has started is stopped again, and the promise rejects with the signal's reason.
   */
  start(options: { readonly safeMode: boolean; readonly signal?: AbortSignal }): Promise<void>;
  stop(): Promise<void>;
  readonly installer: PluginInstaller;
  webFilesOf(id: string, place: string): WebFiles | undefined;
  /** See `PluginManager.recover`. */
  recover(id: string, error: unknown): boolean;
}

/** Finds, starts, switches and describes the plugins of this server. */
export async function createPluginService(deps: PluginServiceDependencies): Promise<PluginService> {
  const { metadata, locations, logger } = deps;
  const rows: PluginRows = createPluginRows(metadata);
  const errors = new PluginErrorLog();
  const scopes = new Map<string, PluginScope>();
  const usageOf = createPluginUsage({
    metadata,
    registries: {
      columnTypes: deps.registries.get('columnTypes'),
      viewTypes: deps.registries.get('viewTypes'),
      filterOperators: deps.registries.get('filterOperators'),
    },
  });
  const web = await readWebManifest(locations);
  const library = createPluginLibrary({ ...deps.places, metadata });

  function onError(pluginId: string, where: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    errors.add(pluginId, where, deps.knownSecrets.maskIn(message));
    logger.error('A plugin failed', { plugin: pluginId, where, error });
  }

  const manager: PluginManager<ServerPluginContext> = new PluginManager<ServerPluginContext>(
    {
      version: deps.version,
      load: (manifest) => loadServerHalf(manifest, library.of(manifest), locations),
      createContext(manifest, scope) {
        scopes.set(manifest.id, scope);
        return createPluginContext(manifest, scope, { ...deps, isEnabled, isBuiltIn });
      },
      migrate: (manifest, module) =>
        migratePlugin(manifest.id, (module as unknown as ServerPlugin).migrations ?? [], metadata),
      willEnable: async ({ id }) => {
        await deps.hooks.call('plugins.willEnable', { id });
      },
      willDisable: async ({ id }) => {
        await deps.hooks.call('plugins.willDisable', { id });
      },
      usage: ({ id }) => usageOf(id),
      publish({ id }) {
        checkFallbacks(deps.registries.get('columnTypes'), id);
        checkViewPermissions(deps.registries.get('viewTypes'), deps.registries.get('permissions'), id);
        // A start makes one table for all of the product's plugins; a path of another plugin that no table takes refuses that plugin.
        if (hasStarted || !isBuiltIn(id)) deps.routes.publish();
      },
      persist,
      onError: (error, pluginId, step) => onError(pluginId, step, error),
    },
    { budget: deps.budget, limits: { drain: deps.drainMs } },
  );

  let hasStarted = false;

  function isBuiltIn(id: string): boolean {
    return manager.status(id)?.origin === 'built-in';
  }

  /** What was decided before this start. */
  let former: Awaited<ReturnType<PluginRows['read']>> = new Map();

  async function persist(id: string, state: PersistedPluginState, reason?: string): Promise<void> {
    const { system, manifest } = manager.status(id) ?? {};
    const known = former.get(id);
    // No crash marks a system plugin, and of one that ran before there is nothing new to say.
    const isKnown = known?.state === 'enabled' && known.version === manifest?.version;
    if (system === true && (state === 'starting' || (state === 'enabled' && isKnown))) return;
    await rows.write(id, manifest?.version, state, reason);
  }

  function isEnabled(id: string): boolean {
    const state = manager.state(id);
    return state === 'enabled' || state === 'degraded';
  }

  function nameOf(id: string): string {
    return manager.status(id)?.manifest?.name ?? id;
  }

  const announcements = new PluginAnnouncements({
    manager,
    metadata,
    onDidChange: deps.onDidChange,
    onError,
  });
  const announce = () => announcements.announce();
  deps.settings.onDidChangeForPages(({ id }) => announcements.note(id));

  /** A plugin for which the watchdog ended the server stays off until somebody enables it. System plugins always run. */
  async function leaveOffStopped(): Promise<void> {
    const stopped = await readStoppedPlugin(deps.stoppedFile);
    const plugin = library.find(stopped?.plugin ?? '');
    if (stopped !== undefined && plugin !== undefined && !isSystem(plugin)) {
      await rows.write(plugin.id, plugin.manifest?.version, 'crashed', stopped.reason);
      onError(plugin.id, 'watchdog', stopped.reason);
    }
    await forgetStoppedPlugin(deps.stoppedFile);
  }

  /** Decisions of people and of other servers take turns. */
  const queue = new SerialQueue();
  let subscription: { dispose(): void | Promise<void> } | undefined;

  function missingSettings(id: string, schema: SettingsSchema | undefined): readonly string[] {
    return schema === undefined ? [] : deps.settings.missing(id, schema);
  }

  function noticesOf({ id, manifest }: PluginStatus): readonly string[] {
    if (manifest === undefined || !isEnabled(id)) return [];
    return pluginNotices(manifest, {
      registries: deps.registries,
      routes: deps.routes,
      missingSettings: ({ settings }) => missingSettings(id, settings),
      pageFailure: () => errors.pageFailure(id, announcements.startedAt(id)),
    });
  }

  function withSettings(entry: WebPluginEntry): WebPluginEntry {
    const manifest = manager.status(entry.id)?.manifest;
    const settings = manifest && deps.settings.forPages(manifest);
    return settings === undefined ? entry : { ...entry, settings };
  }

  async function enable(id: string): Promise<void> {
    try {
      await manager.enable(id, { cascade: false });
    } catch (error) {
      const failing = errorOrigin(error)?.owner;
      if (failing !== undefined) onError(failing, 'enable', error);
      throw error;
    }
  }

  async function usage(id: string): Promise<readonly string[]> {
    const plan = await manager.planDisable(id);
    return (plan.usage[id] ?? []).map(({ message, params }) => fill(message, params));
  }

  async function disable(id: string, cascade: readonly string[]): Promise<void> {
    // Before anybody is asked to agree to what would go along.
    if (manager.status(id)?.system === true) throw pluginErrors.create('PLUGIN_IS_SYSTEM', { plugin: id });
    const { dependents } = await manager.planDisable(id);
    const unseen = dependents.filter((of) => !cascade.includes(of));
    if (unseen.length > 0) {
      throw administrationErrors.create('PLUGIN_HAS_DEPENDENTS', {
        plugin: nameOf(id),
        dependents: unseen.map(nameOf).join(', '),
      });
    }
    await manager.disable(id, { cascade: true });
  }

  /** Paths of plugins that are off answer 501, not 404. */
  function listPaths(): void {
    deps.routes.setListed(
      library.found.map(({ id, manifest }) => ({
        plugin: id,
        prefixes: [...(manifest?.contributes?.routes ?? []), `/api/v1/plugins/${id}`],
      })),
    );
  }

  function nameInstalled(): void {
    nameWorkOf(library.found.filter(({ origin }) => origin === 'installed').map(({ id }) => id));
  }

  const rescanner = createRescan({ library, manager, rows, onError });

  const follower = createFollower({
    manager,
    library,
    metadata,
    rows,
    settings: deps.settings,
    rescan: async () => {
      await rescanner.rescan();
      listPaths();
      nameInstalled();
    },
    announce,
    onError,
  });

  /** Tells browsers and other servers of what is there now. */
  async function tellOfChanges(): Promise<void> {
    listPaths();
    nameInstalled();
    await announcements.announceFound();
  }

  const shelf = {
    library,
    manager,
    staging: new PluginStaging(library.folder),
    queue,
    tellOfChanges,
    assertUnlocked,
  };
  const installer = createPluginInstaller({ ...shelf, apply: rescanner.apply, onError });
  const administered = administerSettings(manager, deps.settings);
  const remover = createPluginRemover({
    ...shelf,
    data: createPluginData(metadata, deps.registries.get('columnTypes')),
    usage,
    settings: administered.settings,
    disable,
    reloadSettings: () => deps.settings.load(),
  });

  function assertUnlocked(): void {
    if (deps.locked) throw administrationErrors.create('PLUGINS_LOCKED');
  }

  return {
    installer: { ...installer, ...remover },
    async start({ safeMode, signal }) {
      await library.load();
      for (const { id, problem, notes = [] } of library.found) {
        for (const why of notes) logger.warn("A plugin's folder is passed over", { plugin: id, why });
        if (problem !== undefined) logger.error('A plugin cannot be used', { plugin: id, problem });
      }
      nameInstalled();
      await library.remember();
      await deps.settings.load();
      await leaveOffStopped();
      former = await follower.begin();
      const gone = [...former.keys()].filter((id) => library.find(id) === undefined);
      await manager.discover([
        ...library.found.map((plugin) => toKnownPlugin(plugin, former.get(plugin.id))),
        ...gone.map((id) => ({ id, origin: 'installed' as const, persisted: former.get(id)?.state })),
      ]);
      for (const { path, message } of manager.graph.cycles)
        logger.error('A plugin cannot be used', { plugin: path[0], problem: message });
      listPaths();
      // A plugin that is cut off without this would look like one that took the process down.
      const giveUp = () => void manager.stop();
      signal?.addEventListener('abort', giveUp);
      const isWhole = await startSoon(manager, { safeMode, queue });
      signal?.removeEventListener('abort', giveUp);
      signal?.throwIfAborted();
      hasStarted = true;
      deps.routes.publish();
      announcements.begin({ isWhole });
      if (safeMode) return;
      subscription = metadata.generations.onDidChange(({ scope }) => {
        if (scope !== 'plugins') return;
        queue.run(follower.follow).catch((error: unknown) => {
          logger.error('The decisions about plugins could not be followed', { error });
        });
      });
    },
    async stop() {
      await subscription?.dispose();
      await manager.stop();
    },
    list: () =>
      manager.list().map((status) =>
        toEntity(status, manager, {
          errors: errors.of(status.id),
          notices: [...noticesOf(status), ...(library.find(status.id)?.notes ?? [])],
          missingSettings: missingSettings(status.id, status.manifest?.settings),
          found: library.find(status.id),
          remembered: library.remembered(status.id),
          labelOf: (registry, id) =>
            registry === 'permissions' || registry === 'filterOperators'
              ? deps.registries.get(registry).get(id)?.label
              : undefined,
        }),
      ),
    usage,
    async enable(id, { consent = [] } = {}) {
      assertUnlocked();
      await queue.run(async () => {
        await installer.agree(id, consent);
        await enable(id).finally(announce);
      });
    },
    async disable(id, { cascade }) {
      assertUnlocked();
      await queue.run(() => disable(id, cascade).finally(announce));
    },
    async rescan() {
      assertUnlocked();
      return queue.run(async () => {
        const report = await rescanner.rescan();
        const { added, changed: replaced, gone } = report;
        if (added.length + replaced.length + gone.length > 0) await tellOfChanges();
        return report;
      });
    },
    ...administered,
    get generation() {
      return announcements.generation;
    },
    run(pluginId, work) {
      const scope = scopes.get(pluginId);
      const running = asPlugin(pluginId, work);
      return scope ? scope.track(running) : running;
    },
    signalOf: (pluginId) => scopes.get(pluginId)?.signal as AbortSignal | undefined,
    nameOf,
    isSystem: (pluginId) => manager.status(pluginId)?.system === true,
    stateOf: (pluginId) => manager.state(pluginId),
    onError,
    recover: (pluginId, error) => manager.recover(pluginId, error),
    reportClientError(told) {
      const { pluginId, where, message, reporter } = told;
      // The page's own frame is nobody's plugin.
      if (pluginId === 'host') logger.error('The page failed in a browser', { where, message, reporter });
      else if (manager.status(pluginId) !== undefined) errors.addReported(told);
    },
    webPlugins: () => ({
      generation: announcements.generation,
      plugins: manager
        .list()
        .filter(({ id }) => isEnabled(id))
        .flatMap((status) => toWebEntry(status, library.found, web))
        .map((entry) => withSettings(entry)),
    }),
    webFilesOf: (id, place) => webFilesOf(library.found, id, place),
  };
}

function fill(message: string, params: Readonly<Record<string, unknown>> | undefined): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String((params?.[name] as string | undefined) ?? whole),
  );
}
