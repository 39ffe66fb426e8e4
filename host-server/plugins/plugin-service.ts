import { defineErrors, PluginManager, SerialQueue, type ErrorBudget, type PluginScope } from '@trellis/core';
import type {
  Logger,
  PluginAdministration,
  PluginInstaller,
  ServerPlugin,
  ServerPluginContext,
  Servers,
} from '@trellis/sdk/server';
import type { PluginRunner } from '../http/plugin-runner.ts';
import { checkFallbacks } from './check-column-type.ts';
import { checkViewPermissions } from './check-view-type.ts';
import { administerSettings } from './administer-settings.ts';
import { PluginAnnouncements, type AnnouncementDependencies } from './announcements.ts';
import { createFollower } from './follow-decisions.ts';
import { asPlugin, beginRun, nameWorkOf } from '../runtime/current-plugin.ts';
import { keepTryingOnce } from '../runtime/keep-trying.ts';
import type { KnownSecrets } from '../runtime/logging/known-secrets.ts';
import { ConsentNotes } from './library/consent-notes.ts';
import { isInFolder, toKnownPlugin } from './library/found-plugin.ts';
import { createPluginLibrary, type PluginLibraryOptions } from './library/plugin-library.ts';
import { createPluginInstaller } from './library/plugin-installer.ts';
import { createPluginData } from './library/plugin-data.ts';
import { createPluginRemover } from './library/plugin-remover.ts';
import { createPluginRestorer } from './library/plugin-restorer.ts';
import { createViewUse } from './library/plugin-view-use.ts';
import { NamedByOperator } from './library/named-by-operator.ts';
import { createRescan } from './library/rescan.ts';
import { RestoringTurn } from './library/restoring-turn.ts';
import { PluginStaging } from './library/staging.ts';
import { loadServerHalf } from './load-server-half.ts';
import type { ModuleLocations } from './locate-modules.ts';
import { createPluginUsage } from './plugin-usage.ts';
import { createPluginContext, type PluginContextDependencies } from './plugin-context.ts';
import { migratePlugin } from './plugin-migrations.ts';
import { createPluginCards } from './plugin-cards.ts';
import { PluginErrorLog } from './plugin-error-log.ts';
import { createFailureNotes, placeOf, withPlace } from './plugin-failures.ts';
import { createPluginRows } from './plugin-rows.ts';
import { createKeptStates } from './kept-states.ts';
import { leaveOffStopped } from './stopped-plugin.ts';
import { startSoon } from './start-soon.ts';
import { createPluginSwitches } from './switch-plugins.ts';
import { createPluginWords } from './plugin-words.ts';
import { isOutage } from '../sql/database-error.ts';
import { readWebManifest, webFilesOf, webPlaceOf, type WebFiles } from './web-entries.ts';

const administrationErrors = defineErrors({
  PLUGINS_LOCKED: {
    status: 403,
    message: 'The operator of this server has locked the plugins (TRELLIS_PLUGINS=locked).',
  },
});

export interface PluginServiceDependencies extends Omit<
  PluginContextDependencies,
  'isEnabled' | 'isBuiltIn' | 'tapsUnlisted'
> {
  readonly locations: ModuleLocations;
  readonly servers: Servers;
  /** Where plugins are. */
  readonly places: Omit<PluginLibraryOptions, 'metadata'>;
  /** The file in which the watchdog names a plugin because of which it ended the server. */
  readonly stoppedFile: string;
  readonly version: string;
  readonly budget: ErrorBudget;
  readonly logger: Logger;
  /** The secrets that must not appear in errors that are shown. */
  readonly knownSecrets: KnownSecrets;
  readonly locked: boolean;
  /** Ids of plugins in the data folder that the configuration switches on; see `NamedByOperator`. */
  readonly enabledByOperator: readonly string[];
  /** Milliseconds that a plugin's requests may still take when it is switched off. */
  readonly drainMs: number;
  readonly heldMemory: PluginAdministration['heldMemory'];
  readonly onDidChange: AnnouncementDependencies['onDidChange'];
}

export interface PluginService extends PluginAdministration, PluginRunner {
  /**
   * Starts what should run.
   *
   * @param options.signal aborts the start: plugins that have started are stopped, and the promise rejects with the signal's
   * reason.
   */
  start(options: { readonly safeMode: boolean; readonly signal?: AbortSignal }): Promise<void>;
  stop(): Promise<void>;
  readonly installer: PluginInstaller;
  webFilesOf(id: string, place: string): WebFiles | undefined;
  /** Whether it came with the product. */
  isBuiltIn(id: string): boolean;
  /** See `PluginManager.recover`. */
  recover(id: string, error: unknown): boolean;
}

/** Finds, starts, switches and describes the plugins of this server. */
export async function createPluginService(deps: PluginServiceDependencies): Promise<PluginService> {
  const { metadata, locations, logger } = deps;
  const rows = createPluginRows(metadata);
  const errors = new PluginErrorLog();
  const scopes = new Map<string, PluginScope>();
  const usageOf = createPluginUsage({
    metadata,
    registries: {
      columnTypes: deps.registries.get('columnTypes'),
      viewTypes: deps.registries.get('viewTypes'),
      filterOperators: deps.registries.get('filterOperators'),
      storageAdapters: deps.registries.get('storageAdapters'),
      fileHolders: deps.registries.get('fileHolders'),
      notificationChannels: deps.registries.get('notificationChannels'),
      channelUsers: deps.registries.get('channelUsers'),
    },
  });
  const web = await readWebManifest(locations);
  const library = createPluginLibrary({ ...deps.places, metadata });

  const onError = createFailureNotes({
    errors,
    logger,
    knownSecrets: deps.knownSecrets,
    find: (id) => library.find(id),
  });

  /** Aborts waiting for other servers. */
  const ending = new AbortController();
  const turn = new RestoringTurn({ ...deps, ending: ending.signal });
  let isRunning = false;
  const states = createKeptStates({
    rows,
    logger,
    status: (id) => manager.status(id),
    isRunning: () => isRunning,
    ending: ending.signal,
  });

  const manager: PluginManager<ServerPluginContext> = new PluginManager<ServerPluginContext>(
    {
      version: deps.version,
      load: (manifest) => loadServerHalf(manifest, library.of(manifest), locations),
      createContext(manifest, scope) {
        scopes.set(manifest.id, scope);
        beginRun(manifest.id, scope.signal);
        return createPluginContext(manifest, scope, {
          ...deps,
          isEnabled,
          isBuiltIn,
          tapsUnlisted: library.tapsUnlisted,
        });
      },
      migrate: (manifest, module) =>
        migratePlugin(manifest, (module as unknown as ServerPlugin).migrations ?? [], {
          metadata,
          warn: (notice) =>
            logger.warn('The migrations of a plugin are odd', { plugin: manifest.id, notice }),
        }),
      willEnable: async ({ id }) => {
        await deps.hooks.call('plugins.willEnable', { id });
        if (isRestorable(id)) await turn.begin(id, ending.signal);
      },
      willDisable: async ({ id }) => {
        await deps.hooks.call('plugins.willDisable', { id });
      },
      didDisable: async ({ id }) => {
        if (isRestorable(id)) await turn.ended(id);
      },
      usage: ({ id }) => usageOf(id),
      publish({ id }) {
        checkFallbacks(deps.registries.get('columnTypes'), id);
        checkViewPermissions(deps.registries.get('viewTypes'), deps.registries.get('permissions'), id);
        // A start publishes one route table for all of the product's plugins, and a stop publishes none. A path of another plugin
        // that no table accepts refuses that plugin.
        if (isRunning || !isBuiltIn(id)) deps.routes.publish();
      },
      async persist(id, state, reason) {
        await states.persist(id, state, reason);
        // The plugin does not run, so its turn at restoring is over.
        if (reason !== undefined && isRestorable(id)) await turn.ended(id);
      },
      placeOf: (error, manifest) => placeOf(error, library.of(manifest)),
      isOutage,
      onError: (error, pluginId, step) => onError(pluginId, step, error),
    },
    { budget: deps.budget, limits: { drain: deps.drainMs } },
  );

  /** Whether it may be removed, and its data restored. */
  function isRestorable(id: string): boolean {
    const found = library.find(id);
    return found !== undefined && isInFolder(found);
  }

  function isBuiltIn(id: string): boolean {
    return manager.status(id)?.origin === 'built-in';
  }

  function isEnabled(id: string): boolean {
    const state = manager.state(id);
    return state === 'enabled' || state === 'degraded';
  }

  const announcements = new PluginAnnouncements({
    manager,
    metadata,
    onDidChange: deps.onDidChange,
    onError,
  });
  const announce = () => announcements.announce();
  deps.settings.onDidChangeForPages(({ id }) => announcements.note(id));
  const named = new NamedByOperator(deps.enabledByOperator);
  const cards = createPluginCards({ ...deps, named, manager, library, errors, announcements, web });
  const switches = createPluginSwitches({ manager, onError });

  /** Decisions of people and of other servers run one at a time. */
  const queue = new SerialQueue();
  let subscription: { dispose(): void | Promise<void> } | undefined;

  /** Lists the paths of plugins that are off, which answer 501 and not 404. */
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

  const consents = new ConsentNotes({ metadata, folder: library.folder, onError });
  const rescanner = createRescan({
    library,
    manager,
    rows,
    consents,
    named,
    warn: (plugin, notice) => logger.warn('Nobody was asked about a plugin', { plugin, notice }),
    onError,
  });

  const follower = createFollower({
    manager,
    metadata,
    rows,
    settings: deps.settings,
    turn,
    ending: ending.signal,
    isAgreed: rescanner.isAgreed,
    rescan: async () => {
      await rescanner.rescan();
      listPaths();
      nameInstalled();
    },
    announce,
    onError,
  });

  /** Informs browsers and other servers of the present plugins. */
  async function tellOfChanges(): Promise<void> {
    listPaths();
    nameInstalled();
    await announcements.announceFound();
  }

  const data = createPluginData(metadata, deps.registries.get('columnTypes'));
  const shelf = {
    data,
    ownTables: (id: string) =>
      data.tablesOf(
        id,
        manager.list().map((plugin) => plugin.id),
      ),
    library,
    manager,
    staging: new PluginStaging(library.folder),
    queue,
    tellOfChanges,
    assertUnlocked,
  };
  const installer = createPluginInstaller({ ...shelf, consents, apply: rescanner.apply, onError });
  const administered = administerSettings(manager, deps.settings);
  const remover = createPluginRemover({
    ...shelf,
    inViews: createViewUse({
      database: metadata.database,
      viewTypes: deps.registries.get('viewTypes'),
      viewAdditions: deps.registries.get('viewAdditions'),
    }),
    usage: switches.usage,
    settings: administered.settings,
    disable: switches.disable,
    reloadSettings: () => deps.settings.load(),
  });

  const restorer = createPluginRestorer({
    ...shelf,
    metadata,
    whileOff: (plugin, work) => turn.take(plugin, () => manager.whileOff(plugin.id, work)).finally(announce),
  });

  function assertUnlocked(): void {
    if (deps.locked) throw administrationErrors.create('PLUGINS_LOCKED');
  }

  return {
    installer: { ...installer, ...remover, ...restorer },
    async start({ safeMode, signal }) {
      await library.load();
      for (const { id, problem, notes = [] } of library.found) {
        for (const why of notes) logger.warn("A plugin's folder is passed over", { plugin: id, why });
        if (problem !== undefined) logger.error('A plugin cannot be used', { plugin: id, problem });
      }
      nameInstalled();
      await library.remember();
      await deps.settings.load();
      await leaveOffStopped({ file: deps.stoppedFile, library, rows, onError });
      const decided = await rescanner.decide(library.found);
      const former = await follower.begin();
      states.begin(former);
      const gone = new Set(
        [...former.keys(), ...library.missing()].filter((id) => library.find(id) === undefined),
      );
      await manager.discover([
        ...library.found.map((plugin) => {
          const { state: kept, reason } = former.get(plugin.id) ?? {};
          const now = decided.get(plugin.id);
          const state = now === 'disabled' ? now : (kept ?? now);
          return toKnownPlugin(plugin, state && { state, reason });
        }),
        ...[...gone].map((id) => toKnownPlugin({ id, origin: 'installed', folder: '' }, former.get(id))),
      ]);
      for (const { path, message } of manager.graph.cycles)
        logger.error('A plugin cannot be used', { plugin: path[0], problem: message });
      listPaths();
      // Without this, a plugin whose start is cut off would look as if it had crashed the process.
      const giveUp = () => void manager.stop();
      signal?.addEventListener('abort', giveUp);
      const isWhole = await startSoon(manager, { safeMode, queue, settle: states.settle });
      signal?.removeEventListener('abort', giveUp);
      signal?.throwIfAborted();
      isRunning = true;
      deps.routes.publish();
      announcements.begin({ isWhole });
      if (safeMode) return;
      const kept = (what: () => Promise<void>) =>
        keepTryingOnce(() => queue.run(what), {
          signal: ending.signal,
          onError: (error) => logger.error('The decisions about plugins could not be followed', { error }),
        });
      const follow = kept(follower.follow);
      subscription = metadata.generations.onDidChange(({ scope }) => {
        if (scope === 'plugins') follow();
      });
      kept(follower.giveWay)();
    },
    async stop() {
      isRunning = false;
      await subscription?.dispose();
      const stopped = manager.stop();
      // Aborted only after all plugins are told to stop: whatever waits could come back into service.
      ending.abort();
      await stopped;
      await states.settle();
    },
    list: cards.list,
    words: createPluginWords(library),
    heldMemory: deps.heldMemory,
    usage: switches.usage,
    async enable(id, { consent = {} } = {}) {
      assertUnlocked();
      await queue.run(async () => {
        await installer.agree(id, consent);
        await switches.enable(id).finally(announce);
      });
    },
    async disable(id, { cascade }) {
      assertUnlocked();
      await queue.run(() => switches.disable(id, cascade).finally(announce));
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
    nameOf: (pluginId) => manager.status(pluginId)?.manifest?.name ?? pluginId,
    isBuiltIn,
    isSystem: (pluginId) => manager.status(pluginId)?.system === true,
    stateOf: (pluginId) => manager.state(pluginId),
    onError,
    recover: (pluginId, error) => manager.recover(pluginId, error),
    reportClientError(told) {
      const { pluginId, where, message, thrownAt, reporter } = told;
      // The page's own frame belongs to no plugin.
      if (pluginId === 'host') logger.error('The page failed in a browser', { where, message, reporter });
      else if (manager.status(pluginId) !== undefined) {
        const place = thrownAt === undefined ? undefined : webPlaceOf(library.found, pluginId, thrownAt);
        errors.addReported({ ...told, message: withPlace(message, place) });
        return place;
      }
      return undefined;
    },
    webPlugins: cards.webPlugins,
    webFilesOf: (id, place) => webFilesOf(library.found, id, place),
  };
}
