import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  Container,
  DisposableStore,
  ErrorBudget,
  setUnexpectedErrorHandler,
  toDisposable,
  type HookRegistry,
  type Registries,
} from '@trellis/core';
import {
  AccessServiceToken,
  AccountStoreToken,
  AuditLogToken,
  BusToken,
  LiveChannelToken,
  PluginAdministrationToken,
  RateLimiterToken,
  RowStoreToken,
  SchemaStoreToken,
  SecretsToken,
  ServerInfoToken,
  ViewStoreToken,
  type ServerHooks,
  type ServerInfo,
  type ServerRegistries,
} from '@trellis/sdk/server';
import { createAccessService } from './access/rights/access-service.ts';
import { createAccountStore } from './access/accounts/account-store.ts';
import { createAuditLog } from './changes/audit-log.ts';
import { ChangeRecorder } from './changes/change-recorder.ts';
import { createIdempotency, sweepIdempotency } from './http/idempotency.ts';
import { LiveLog } from './changes/live/live-log.ts';
import type { Config } from './runtime/config/config.ts';
import { keptSecret } from './runtime/config/kept-secret.ts';
import { busTransportOf, ConnectionManager, openDatabase } from './databases/index.ts';
import { Dispatcher } from './http/dispatcher.ts';
import { hostRoutes } from './http/host-routes.ts';
import { createHttpServer } from './http/http-server.ts';
import { RouteTable } from './http/route-table.ts';
import { HostBus } from './runtime/bus/host-bus.ts';
import { JobRunner } from './runtime/jobs/job-runner.ts';
import { createLiveChannel } from './changes/live/live-channel.ts';
import { createLogger, type HostLogger } from './runtime/logging/logger.ts';
import { createRateLimiter } from './access/limits/rate-limiter.ts';
import { createMetadata } from './metadata/metadata.ts';
import type { GivenPlugin } from './plugins/discover.ts';
import { findModuleLocations, webFolder } from './plugins/locate-modules.ts';
import { unitOf } from './plugins/plugin-database.ts';
import { createPluginSettingsStore } from './plugins/plugin-settings.ts';
import { createPluginService, type PluginService } from './plugins/plugin-service.ts';
import { createServerHooks } from './plugins/server-hooks.ts';
import { createServerRegistries } from './plugins/server-registries.ts';
import { createRowStore } from './rows/row-store.ts';
import { createBaseDatabases } from './schema/bases/base-databases.ts';
import { purgeParked } from './schema/jobs/purge.ts';
import { createSchemaStore } from './schema/schema-store.ts';
import { createSecrets } from './access/secrets/secrets.ts';
import { createViewStore } from './schema/views/view-store.ts';

/** A running server, or one about to run. */
export interface Host {
  readonly container: Container;
  readonly hooks: HookRegistry<ServerHooks>;
  readonly registries: Registries<ServerRegistries>;
  readonly routes: RouteTable;
  readonly plugins: PluginService;
  /** The port that it listens on; a free one for 0. */
  listen(): Promise<number>;
  /** Stops accepting, lets requests finish, takes plugins back and closes the databases. */
  stop(): Promise<void>;
}

export interface HostOptions {
  /** Where built-in plugins are looked for. Default: the installation's `plugins/`. */
  readonly pluginFolder?: string;
  /** Plugins that are handed in instead of being found. */
  readonly plugins?: readonly GivenPlugin[];
  readonly logger?: HostLogger;
  /** Milliseconds that requests may still take when the server stops. */
  readonly graceMs?: number;
  /** Aborts when the operator ends the server while it still starts: what is being set up is then given up and taken back. */
  readonly signal?: AbortSignal;
}

const defaultGrace = 20_000;
const longestDrain = 10_000;
/** A write to another database may take this long before it counts as cut off. */
const stillUnderWay = 120_000;

/**
 * Composes the whole server from its parts and starts the plugins; nothing listens yet.
 *
 * When it rejects, what was opened is closed again, the last one first.
 */
export async function createHost(config: Config, options: HostOptions = {}): Promise<Host> {
  const closing = new DisposableStore();
  try {
    return await compose(config, options, closing);
  } catch (error) {
    await closing.dispose();
    throw error;
  }
}

async function compose(config: Config, options: HostOptions, closing: DisposableStore): Promise<Host> {
  const onClose = (close: () => void | Promise<void>): void => void closing.add(toDisposable(close));
  const logger = options.logger ?? createLogger({ level: config.logLevel });
  closing.add(
    setUnexpectedErrorHandler((error) => logger.error('An error that nobody waited for', { error })),
  );
  await makeFolder(config.dataDir, 'TRELLIS_DATA_DIR');
  await makeFolder(config.sqliteDir, 'TRELLIS_SQLITE_DIR');
  const secrets = createSecrets(await keptSecret(config.dataDir, config.secret));
  const locations = findModuleLocations();
  const version = await readVersion(locations.root);

  const database = await openDatabase(config.database, { name: 'metadata' });
  onClose(() => database.close());
  const registries = createServerRegistries();
  const bus = new HostBus({
    transports: registries.get('busTransports'),
    own: await busTransportOf(config.database),
    logger,
  });
  closing.add(bus);
  const metadata = await createMetadata({
    database,
    bus,
    onPollError: (error) => logger.warn('The metadata database did not answer', { error }),
  });
  onClose(() => metadata.dispose());
  const budget = new ErrorBudget();
  const hooks = createServerHooks({
    budget,
    onContained: (error, owner, hook) => plugins.onError(owner, hook, error),
  });
  const container = new Container();
  const routes = new RouteTable();

  const access = createAccessService({ metadata, permissions: registries.get('permissions') });
  onClose(() => access.dispose());
  const accounts = createAccountStore({ metadata, unitOf });
  const connections = new ConnectionManager({
    sqliteFolder: config.sqliteDir,
    forbiddenFiles: 'file' in config.database ? [config.database.file] : [],
  });
  onClose(() => connections.close());
  const databases = createBaseDatabases({ metadata, connections, secrets });
  const recorder = new ChangeRecorder(metadata);
  const liveLog = new LiveLog({ publish: (event) => live.publish(event), bus });
  const live = createLiveChannel({
    credentials: registries.get('credentialResolvers'),
    access,
    replay: liveLog,
    logger,
    siteUrl: config.siteUrl,
    corsOrigins: config.corsOrigins,
  });
  bus.subscribe('rows.changed', {
    message(written, origin) {
      if (origin === 'elsewhere') liveLog.reset(written);
    },
    gap() {
      live
        .resetAll()
        .catch((error: unknown) => logger.error('Browsers could not be told to read again', { error }));
    },
  });
  bus.subscribe('generation.raised', {
    message({ scope, value }, origin) {
      const isProject = scope.startsWith('p_');
      if (origin === 'here' || !isProject) return;
      live.publish({ kind: 'schema', projectId: scope, generation: value, requestId: '' });
    },
    gap: () => {},
  });
  const record = recorder.recordSchemaChange.bind(recorder);
  const announce = (event: { projectId: string; tableId?: string; viewId?: string; requestId: string }) => {
    const generation = metadata.generations.current(event.projectId);
    const { projectId, tableId, viewId, requestId } = event;
    live.publish(
      tableId !== undefined && viewId !== undefined
        ? { kind: 'view', projectId, tableId, viewId, requestId }
        : { kind: 'schema', projectId, tableId, generation, requestId },
    );
    void hooks.call('schema.didChange', { projectId, tableId, viewId, generation, requestId });
  };
  const schema = createSchemaStore({
    metadata,
    databases,
    columnTypes: registries.get('columnTypes'),
    hooks,
    logger,
    record,
    announce,
    sqliteFolder: config.sqliteDir,
  });
  onClose(() => schema.dispose());
  const views = createViewStore({
    metadata,
    schema,
    viewTypes: registries.get('viewTypes'),
    filterOperators: registries.get('filterOperators'),
    record,
    announce,
  });
  const rowStore = createRowStore({
    metadata,
    schema,
    databases,
    recorder,
    liveLog,
    bus,
    hooks,
    columnTypes: registries.get('columnTypes'),
    filterOperators: registries.get('filterOperators'),
  });
  const settings = createPluginSettingsStore({ metadata, secrets, logger });
  onClose(() => settings.dispose());
  const plugins: PluginService = await createPluginService({
    metadata,
    hooks,
    registries,
    container,
    routes,
    settings,
    locations,
    builtInFolder: options.pluginFolder ?? join(locations.root, 'plugins'),
    installedFolder: join(config.dataDir, 'plugins'),
    given: options.plugins,
    version,
    budget,
    logger,
    loggerFor: (plugin) => logger.child({ plugin }),
    locked: config.pluginsLocked,
    drainMs: Math.min(options.graceMs ?? defaultGrace, longestDrain),
    onDidChange: ({ id, state, generation }) => {
      live.publish({ kind: 'plugins', generation });
      void hooks.call('plugins.didChange', { id, state, generation });
    },
  });

  const info: ServerInfo = {
    version,
    siteUrl: config.siteUrl,
    safeMode: config.safeMode,
    pluginsLocked: config.pluginsLocked,
  };
  container.bind(SchemaStoreToken, { value: schema });
  container.bind(ViewStoreToken, { value: views });
  container.bind(RowStoreToken, { value: rowStore });
  container.bind(AccessServiceToken, { value: access });
  container.bind(AccountStoreToken, { value: accounts });
  container.bind(SecretsToken, { value: secrets });
  const limiter = createRateLimiter({ database });
  container.bind(RateLimiterToken, { value: limiter });
  container.bind(AuditLogToken, { value: createAuditLog(metadata) });
  container.bind(BusToken, { value: bus });
  container.bind(LiveChannelToken, { value: live });
  container.bind(PluginAdministrationToken, { value: plugins });
  container.bind(ServerInfoToken, { value: info });
  routes.add(
    'host',
    hostRoutes({
      info,
      accounts,
      metadata,
      plugins,
      healthChecks: registries.get('healthChecks'),
      limiter,
    }),
  );

  const dispatcher = new Dispatcher({
    routes,
    access,
    schema,
    credentials: registries.get('credentialResolvers'),
    idempotency: createIdempotency(metadata),
    plugins,
    logger,
    trustProxy: config.trustProxy,
    secureCookies: config.siteUrl?.startsWith('https:') === true,
  });
  const settleChanges = async () => {
    const scopeFor = (projectId: string) => access.systemScope(projectId, 'settle-changes');
    const settled = await rowStore.settlePending(scopeFor, Date.now() - stillUnderWay);
    if (settled.done + settled.withdrawn + settled.unknown > 0)
      logger.warn('Changes to other databases that were cut off have been settled', { ...settled });
  };
  const jobs = new JobRunner({
    jobs: registries.get('jobs'),
    leases: metadata.leases,
    plugins,
    logger,
    loggerFor: (plugin) => logger.child({ plugin }),
    own: [
      { id: 'sweep-idempotency', every: 3600, run: () => sweepIdempotency(metadata) },
      { id: 'purge-parked', every: 6 * 3600, run: ({ logger: log }) => purgeParked(metadata, log) },
      { id: 'settle-changes', every: 60, run: settleChanges },
    ],
  });

  onClose(() => live.close());
  onClose(() => plugins.stop());
  // A plugin that is cut off without this would look like one that took the process down.
  const giveUp = () => void plugins.stop();
  options.signal?.addEventListener('abort', giveUp);
  onClose(() => options.signal?.removeEventListener('abort', giveUp));
  await plugins.start({ safeMode: config.safeMode });
  options.signal?.throwIfAborted();
  const http = await createHttpServer({
    dispatcher,
    logger,
    webFolder: webFolder(locations),
    extensionFolder: (id, of) => plugins.extensionFolder(id, of),
    corsOrigins: config.corsOrigins,
    siteUrl: config.siteUrl,
  });

  let stopping: Promise<void> | undefined;

  async function stop(): Promise<void> {
    const closed = http.close(options.graceMs ?? defaultGrace);
    // Open sockets would keep the server from closing; what requests still publish reaches nobody.
    await live.close();
    await closed;
    await jobs.stop();
    await closing.dispose();
  }

  return {
    container,
    hooks,
    registries,
    routes,
    plugins,
    async listen() {
      await live.attach(http.server);
      const port = await http.listen(config.port, config.host);
      jobs.start();
      // What a killed process left is finished while the server already answers: it is invisible until it is whole.
      schema
        .resumeJobs()
        .catch((error: unknown) => logger.error('Unfinished schema changes could not be resumed', { error }));
      return port;
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** @throws Error naming the folder and the variable that chooses another one. */
async function makeFolder(folder: string, variable: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(
      `The folder ${folder} cannot be made (${code}); make it writable, or set ${variable} to another one.`,
      { cause: error },
    );
  }
}

async function readVersion(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
