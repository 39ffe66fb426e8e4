import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  defineErrors,
  pluginErrors,
  PluginManager,
  SerialQueue,
  type ErrorBudget,
  type PluginManifest,
  type PluginModule,
  type PluginScope,
  type PluginStatus,
} from '@trellis/core';
import type { Logger, PluginAdministration, ServerPlugin, ServerPluginContext } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import type { PluginRunner } from '../http/dispatcher.ts';
import { asPlugin } from './current-plugin.ts';
import { discoverPlugins, toKnownPlugin, type FoundPlugin, type GivenPlugin } from './discover.ts';
import { serverModuleUrl, webFolder, type ModuleLocations } from './locate-modules.ts';
import { createPluginContext, type PluginContextDependencies } from './plugin-context.ts';
import { migratePlugin } from './plugin-database.ts';
import { createPatience } from './patience.ts';
import { createPluginRows, type PluginRows } from './plugin-rows.ts';
import { shareSdk } from './share-sdk.ts';

const administrationErrors = defineErrors({
  PLUGINS_LOCKED: {
    status: 403,
    message: 'The operator of this server has locked the plugins (TRELLIS_PLUGINS=locked).',
  },
  PLUGIN_HAS_NO_SETTINGS: { status: 404, message: "'{plugin}' has no settings." },
  PLUGIN_HAS_DEPENDENTS: {
    status: 409,
    message: "'{plugin}' is needed by {dependents}; they would be switched off as well.",
  },
});

type TestOutcome = Awaited<ReturnType<PluginAdministration['testSettings']>>;

export interface PluginServiceDependencies extends Omit<PluginContextDependencies, 'isEnabled'> {
  readonly locations: ModuleLocations;
  /** Where the built-in plugins are. */
  readonly builtInFolder: string;
  readonly installedFolder: string;
  readonly given?: readonly GivenPlugin[];
  readonly version: string;
  readonly budget: ErrorBudget;
  readonly logger: Logger;
  readonly locked: boolean;
  /** Milliseconds that a plugin's requests may still take when it is switched off. */
  readonly drainMs: number;
  /** Told after every change of a plugin's state. */
  readonly onDidChange: (event: {
    readonly id: string;
    readonly state: string;
    readonly generation: number;
  }) => void;
}

/** A plugin's web half as browsers are told of it. */
export interface WebPluginEntry {
  readonly id: string;
  readonly manifest: Partial<PluginManifest>;
  readonly url: string | null;
  readonly css: readonly string[];
}

export interface PluginService extends PluginAdministration, PluginRunner {
  start(options: { readonly safeMode: boolean }): Promise<void>;
  stop(): Promise<void>;
  webPlugins(): { readonly generation: number; readonly plugins: readonly WebPluginEntry[] };
  extensionFolder(id: string, version: string): string | undefined;
  /** Counts an error that a browser saw in a plugin's web half. */
  reportClientError(id: string, where: string, message: string): void;
}

const keptErrors = 50;
/** Milliseconds that one plugin may take before the server listens without those that are not there yet. */
const shortMoment = 1000;
/** Milliseconds that they may take together. */
const longestWait = 5000;

/** Finds, starts, switches and describes the plugins of this server. */
export async function createPluginService(deps: PluginServiceDependencies): Promise<PluginService> {
  const { metadata, locations, logger } = deps;
  const rows: PluginRows = createPluginRows(metadata);
  const errors = new Map<
    string,
    { readonly at: string; readonly where: string; readonly message: string }[]
  >();
  const scopes = new Map<string, PluginScope>();
  const web = await readWebManifest(locations);
  let found: readonly FoundPlugin[] = [];

  function remember(id: string, where: string, message: string): void {
    const list = errors.get(id) ?? [];
    list.unshift({ at: new Date().toISOString(), where, message: message.slice(0, 500) });
    errors.set(id, list.slice(0, keptErrors));
  }

  function onError(pluginId: string, where: string, error: unknown): void {
    remember(pluginId, where, error instanceof Error ? error.message : String(error));
    logger.error('A plugin failed', { plugin: pluginId, where, error });
  }

  async function load(manifest: PluginManifest): Promise<PluginModule<ServerPluginContext>> {
    const plugin = found.find((of) => of.id === manifest.id);
    if (plugin?.server) return inItsName(manifest.id, plugin.server);
    if (plugin?.origin === 'installed') await shareSdk(locations);
    const url =
      plugin?.origin === 'installed'
        ? installedModule(plugin.folder)
        : hasServerHalf(locations, manifest.id)
          ? serverModuleUrl(locations, manifest.id)
          : undefined;
    // A plugin may live in the browser alone.
    if (url === undefined) return { setup: () => undefined };
    const module = (await asPlugin(manifest.id, () => import(url))) as { readonly default?: ServerPlugin };
    if (typeof module.default?.setup !== 'function') {
      throw new Error(
        `The server half of plugin '${manifest.id}' must default-export defineServerPlugin({ setup }).`,
      );
    }
    return inItsName(manifest.id, module.default);
  }

  const manager: PluginManager<ServerPluginContext> = new PluginManager<ServerPluginContext>(
    {
      version: deps.version,
      load,
      createContext(manifest, scope) {
        scopes.set(manifest.id, scope);
        return createPluginContext(manifest, scope, { ...deps, isEnabled });
      },
      migrate: (manifest, module) =>
        migratePlugin(manifest.id, (module as unknown as ServerPlugin).migrations ?? [], metadata),
      willEnable: async ({ id }) => {
        await deps.hooks.call('plugins.willEnable', { id });
      },
      willDisable: async ({ id }) => {
        await deps.hooks.call('plugins.willDisable', { id });
      },
      publish: () => deps.routes.publish(),
      persist: (id, state) =>
        rows.write(id, found.find((plugin) => plugin.id === id)?.manifest?.version, state),
      onError: (error, pluginId, step) => onError(pluginId, step, error),
    },
    { budget: deps.budget, limits: { drain: deps.drainMs } },
  );

  function isEnabled(id: string): boolean {
    const state = manager.state(id);
    return state === 'enabled' || state === 'degraded';
  }

  function nameOf(id: string): string {
    return manager.status(id)?.manifest?.name ?? id;
  }

  /** The decisions that are in service here. Browsers are told no newer number, or they would read too early and be content. */
  let generation = 0;
  const changed = new Set<string>();
  /** Whether the server listens while plugins are still starting. */
  let isListeningEarly = false;
  manager.onDidChange(({ id, previous, current }) => {
    changed.add(id);
    if (isListeningEarly && previous?.state === 'starting') void announceLate(id);
    // No operation of anybody's: the error budget suspended something.
    if (current?.state === 'degraded') deps.onDidChange({ id, state: 'degraded', generation });
  });

  /** Tells of what an operation changed, once it is complete. */
  function announce(): void {
    generation = metadata.generations.current('plugins');
    const ids = [...changed];
    changed.clear();
    for (const id of ids) {
      const state = manager.state(id);
      if (state !== undefined) deps.onDidChange({ id, state, generation });
    }
  }

  /** Tells of a plugin that came after browsers had read the list. Nobody decided anything, so the number is raised for it. */
  async function announceLate(id: string): Promise<void> {
    try {
      await metadata.database.write((unit) => metadata.generations.bump(unit, 'plugins'), { retry: true });
      announce();
    } catch (error) {
      onError(id, 'announce', error);
    }
  }

  /** The decisions that were read: one of another server may lie between two of ours. */
  let followed = 0;

  /** Follows what another server decided. */
  async function follow(): Promise<void> {
    const newest = metadata.generations.current('plugins');
    if (newest <= followed) return;
    followed = newest;
    const decided = await rows.read();
    for (const { id, system, state } of manager.list()) {
      const wanted = decided.get(id);
      if (system || wanted === undefined || wanted === 'starting') continue;
      try {
        if (wanted === 'enabled' && (state === 'disabled' || state === 'discovered'))
          await manager.enable(id, { cascade: true });
        if (wanted !== 'enabled' && isEnabled(id)) await manager.disable(id, { cascade: true });
      } catch (error) {
        onError(id, 'follow', error);
      }
    }
    announce();
  }

  /** Decisions of people and of other servers take turns. */
  const queue = new SerialQueue();
  let subscription: { dispose(): void | Promise<void> } | undefined;

  /**
   * Starts the plugins and waits for those that the server can do without as long as none takes longer than a moment. The rest go
   * on meanwhile; what somebody decides then waits for them.
   *
   * @returns whether all have started.
   * @throws TrellisError of a system plugin that could not be enabled.
   */
  async function startSoon(safeMode: boolean): Promise<boolean> {
    let started: Promise<boolean> | undefined;
    await new Promise<void>((resolve, reject) => {
      started = queue.run(() => manager.start({ safeMode, onSystemReady: resolve })).then(() => true);
      started.catch(reject);
    });
    const patience = createPatience({ step: shortMoment, whole: longestWait });
    const progress = manager.onDidChange(({ previous }) => {
      if (previous?.state === 'starting') patience.renew();
    });
    try {
      return await Promise.race([started ?? true, patience.lost.then(() => false)]);
    } finally {
      await progress.dispose();
      patience.dispose();
    }
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

  /** @throws TrellisError `PLUGIN_HAS_NO_SETTINGS`. */
  function settingsOf(id: string) {
    const manifest = manager.status(id)?.manifest;
    if (manifest?.settings === undefined)
      throw administrationErrors.create('PLUGIN_HAS_NO_SETTINGS', { plugin: nameOf(id) });
    return { manifest, schema: manifest.settings };
  }

  /** What a plugin's test throws is its answer: the settings do not work, and why. */
  async function tryOut(id: string, values: Readonly<Record<string, unknown>>) {
    if (!manager.hasTest(id)) throw pluginErrors.create('PLUGIN_TEST_MISSING');
    try {
      const { ok = true, message = '' } = ((await manager.test(id, values)) ?? {}) as Partial<TestOutcome>;
      return { ok, message };
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  }

  function assertUnlocked(): void {
    if (deps.locked) throw administrationErrors.create('PLUGINS_LOCKED');
  }

  return {
    async start({ safeMode }) {
      found = await discoverPlugins(deps.builtInFolder, deps.installedFolder, deps.given);
      await deps.settings.load();
      followed = metadata.generations.current('plugins');
      const decided = await rows.read();
      const gone = [...decided.keys()].filter((id) => !found.some((plugin) => plugin.id === id));
      await manager.discover([
        ...found.map((plugin) => toKnownPlugin(plugin, decided.get(plugin.id))),
        ...gone.map((id) => ({ id, origin: 'installed' as const, persisted: decided.get(id) })),
      ]);
      deps.routes.setListed(
        found.map(({ id, manifest }) => ({
          plugin: id,
          prefixes: [...(manifest?.contributes?.routes ?? []), `/api/v1/plugins/${id}`],
        })),
      );
      const isWhole = await startSoon(safeMode);
      generation = metadata.generations.current('plugins');
      changed.clear();
      isListeningEarly = !isWhole;
      if (safeMode) return;
      subscription = metadata.generations.onDidChange(({ scope }) => {
        if (scope !== 'plugins') return;
        queue.run(follow).catch((error: unknown) => {
          logger.error('The decisions about plugins could not be followed', { error });
        });
      });
    },
    async stop() {
      await subscription?.dispose();
      await manager.stop();
    },
    list: () => manager.list().map((status) => toEntity(status, manager, errors.get(status.id) ?? [])),
    async usage(id) {
      const plan = await manager.planDisable(id);
      return (plan.usage[id] ?? []).map(({ message, params }) => fill(message, params));
    },
    async enable(id) {
      assertUnlocked();
      await queue.run(async () => {
        await manager.enable(id, { cascade: false }).finally(announce);
      });
    },
    async disable(id, { cascade }) {
      assertUnlocked();
      await queue.run(() => disable(id, cascade).finally(announce));
    },
    settings(id) {
      const schema = manager.status(id)?.manifest?.settings;
      return schema && { schema, values: deps.settings.masked(id, schema), testable: manager.hasTest(id) };
    },
    async saveSettings(id, values) {
      const { manifest, schema } = settingsOf(id);
      await deps.settings.save(manifest, schema, values);
    },
    async testSettings(id, values) {
      const { schema } = settingsOf(id);
      return asPlugin(id, () => tryOut(id, deps.settings.complete(id, schema, values)));
    },
    get generation() {
      return generation;
    },
    run(pluginId, work) {
      const scope = scopes.get(pluginId);
      const running = asPlugin(pluginId, work);
      return scope ? scope.track(running) : running;
    },
    signalOf: (pluginId) => scopes.get(pluginId)?.signal as AbortSignal | undefined,
    nameOf,
    stateOf: (pluginId) => manager.state(pluginId),
    onError,
    reportClientError(id, where, message) {
      if (manager.status(id) !== undefined) remember(id, `browser: ${where}`, message);
    },
    webPlugins: () => ({
      generation,
      plugins: manager
        .list()
        .filter(({ id }) => isEnabled(id))
        .flatMap((status) => toWebEntry(status, found, web)),
    }),
    extensionFolder(id, version) {
      const plugin = found.find(
        (of) => of.id === id && of.origin === 'installed' && of.manifest?.version === version,
      );
      return plugin && join(plugin.folder, 'dist', 'web');
    },
  };
}

/** The plugin's own code runs under its name, so that its late errors can be laid at its door. */
function inItsName(id: string, plugin: ServerPlugin): PluginModule<ServerPluginContext> {
  return { ...plugin, setup: (ctx) => asPlugin(id, () => plugin.setup(ctx)) };
}

function fill(message: string, params: Readonly<Record<string, unknown>> | undefined): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String((params?.[name] as string | undefined) ?? whole),
  );
}

function hasServerHalf(locations: ModuleLocations, id: string): boolean {
  return (
    existsSync(join(locations.root, 'plugins', id, 'server', 'index.ts')) ||
    existsSync(new URL(serverModuleUrl(locations, id)))
  );
}

function installedModule(folder: string): string | undefined {
  const file = join(folder, 'dist', 'server', 'index.js');
  return existsSync(file) ? pathToFileURL(file).href : undefined;
}

type WebManifest = Readonly<Record<string, { readonly url: string; readonly css?: readonly string[] }>>;

async function readWebManifest(locations: ModuleLocations): Promise<WebManifest> {
  try {
    return JSON.parse(await readFile(join(webFolder(locations), 'plugins.json'), 'utf8')) as WebManifest;
  } catch (error) {
    // Tests of the server alone run without a built page.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function toWebEntry(
  status: PluginStatus,
  found: readonly FoundPlugin[],
  web: WebManifest,
): readonly WebPluginEntry[] {
  const { id, manifest } = status;
  const plugin = found.find((of) => of.id === id);
  if (manifest === undefined || plugin === undefined) return [];
  const {
    name,
    version,
    category,
    description,
    dependencies,
    optionalDependencies,
    contributes,
    sdk,
    engines,
  } = manifest;
  const shared = {
    id,
    manifest: {
      id,
      name,
      version,
      category,
      description,
      dependencies,
      optionalDependencies,
      contributes,
      sdk,
      engines,
    },
  };
  if (plugin.origin === 'built-in') {
    return [{ ...shared, url: web[id]?.url ?? null, css: web[id]?.css ?? [] }];
  }
  const base = `/ext/${id}/${version}/`;
  const folder = join(plugin.folder, 'dist', 'web');
  return [
    {
      ...shared,
      url: existsSync(join(folder, 'index.js')) ? `${base}index.js` : null,
      css: existsSync(join(folder, 'index.css')) ? [`${base}index.css`] : [],
    },
  ];
}

function toEntity(
  status: PluginStatus,
  manager: PluginManager<ServerPluginContext>,
  errors: PluginEntity['errors'],
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
    errors,
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
