import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Container, ErrorBudget, setUnexpectedErrorHandler } from '@trellis/core';
import {
  AccessServiceToken,
  AccountStoreToken,
  AuditLogToken,
  LiveChannelToken,
  PluginAdministrationToken,
  RateLimiterToken,
  RecordStoreToken,
  SchemaStoreToken,
  SecretsToken,
  ServerInfoToken,
  ViewStoreToken,
  type ServerInfo,
} from '@trellis/sdk/server';
import { createAccessService } from './access/access-service.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { createAuditLog } from './changes/audit-log.ts';
import { ChangeRecorder } from './changes/change-recorder.ts';
import { createIdempotency, sweepIdempotency } from './changes/idempotency.ts';
import { LiveLog } from './changes/live-log.ts';
import type { Config } from './config/config.ts';
import { keptSecret } from './config/kept-secret.ts';
import { ConnectionManager, openDatabase } from './databases/index.ts';
import { Dispatcher } from './http/dispatcher.ts';
import { hostRoutes } from './http/host-routes.ts';
import { createHttpServer } from './http/http-server.ts';
import { RouteTable } from './http/route-table.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { createLiveChannel } from './live/live-channel.ts';
import { createLogger } from './logging/logger.ts';
import { createRateLimiter } from './limits/rate-limiter.ts';
import { createMetadata } from './metadata/metadata.ts';
import { currentPlugin } from './plugins/current-plugin.ts';
import { findModuleLocations, webFolder } from './plugins/locate-modules.ts';
import { unitOf } from './plugins/plugin-database.ts';
import { createPluginService, type PluginService } from './plugins/plugin-service.ts';
import { createServerHooks } from './plugins/server-hooks.ts';
import { createServerRegistries } from './plugins/server-registries.ts';
import { createRecordStore } from './records/record-store.ts';
import { createBaseDatabases } from './schema/base-databases.ts';
import { createSchemaStore } from './schema/schema-store.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createViewStore } from './views/view-store.ts';

/** A running server, or one about to run. */
export interface Host {
  readonly container: Container;
  readonly plugins: PluginService;
  /** The port that it listens on; a free one for 0. */
  listen(): Promise<number>;
  /** Stops accepting, lets requests finish, takes plugins back and closes the databases. */
  stop(): Promise<void>;
}

export interface HostOptions {
  /** Where built-in plugins are looked for. Default: the installation's `plugins/`. */
  readonly pluginFolder?: string;
  /** Milliseconds that requests may still take when the server stops. */
  readonly graceMs?: number;
}

const defaultGrace = 20_000;

/** Composes the whole server from its parts and starts the plugins; nothing listens yet. */
export async function createHost(config: Config, options: HostOptions = {}): Promise<Host> {
  const logger = createLogger({ level: config.logLevel });
  setUnexpectedErrorHandler((error) =>
    logger.error('An error that nobody waited for', { error, plugin: currentPlugin() }),
  );
  await mkdir(config.dataDir, { recursive: true });
  await mkdir(config.sqliteDir, { recursive: true });
  const secrets = createSecrets(await keptSecret(config.dataDir, config.secret));
  const locations = findModuleLocations();
  const version = await readVersion(locations.root);

  const database = await openDatabase(config.database, { name: 'metadata' });
  const metadata = await createMetadata({
    database,
    onPollError: (error) => logger.warn('The metadata database did not answer', { error }),
  });
  const budget = new ErrorBudget();
  const registries = createServerRegistries();
  const hooks = createServerHooks({
    budget,
    onContained: (error, owner, hook) => plugins.onError(owner, hook, error),
  });
  const container = new Container();
  const routes = new RouteTable();

  const access = createAccessService({ metadata, permissions: registries.get('permissions') });
  const accounts = createAccountStore({ metadata, unitOf });
  const connections = new ConnectionManager({
    sqliteFolder: config.sqliteDir,
    forbiddenFiles: config.database.kind === 'sqlite' ? [config.database.file] : [],
  });
  const databases = createBaseDatabases({ metadata, connections, secrets });
  const recorder = new ChangeRecorder(metadata);
  const liveLog = new LiveLog((event) => live.publish(event));
  const live = createLiveChannel({
    credentials: registries.get('credentialResolvers'),
    access,
    replay: liveLog,
    logger,
    siteUrl: config.siteUrl,
    corsOrigins: config.corsOrigins,
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
  const views = createViewStore({
    metadata,
    schema,
    viewTypes: registries.get('viewTypes'),
    record,
    announce,
  });
  const records = createRecordStore({
    metadata,
    schema,
    databases,
    recorder,
    liveLog,
    hooks,
    columnTypes: registries.get('columnTypes'),
    filterOperators: registries.get('filterOperators'),
  });
  const plugins: PluginService = await createPluginService({
    metadata,
    hooks,
    registries,
    container,
    routes,
    locations,
    builtInFolder: options.pluginFolder ?? join(locations.root, 'plugins'),
    installedFolder: join(config.dataDir, 'plugins'),
    version,
    budget,
    logger,
    loggerFor: (plugin) => logger.child({ plugin }),
    locked: config.pluginsLocked,
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
  container.bind(RecordStoreToken, { value: records });
  container.bind(AccessServiceToken, { value: access });
  container.bind(AccountStoreToken, { value: accounts });
  container.bind(SecretsToken, { value: secrets });
  container.bind(RateLimiterToken, { value: createRateLimiter({ database }) });
  container.bind(AuditLogToken, { value: createAuditLog(metadata) });
  container.bind(LiveChannelToken, { value: live });
  container.bind(PluginAdministrationToken, { value: plugins });
  container.bind(ServerInfoToken, { value: info });
  routes.add(
    'host',
    hostRoutes({ info, accounts, metadata, plugins, healthChecks: registries.get('healthChecks') }),
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
  });
  const jobs = new JobRunner({
    jobs: registries.get('jobs'),
    leases: metadata.leases,
    logger,
    own: [{ id: 'sweep-idempotency', every: 3600, run: () => sweepIdempotency(metadata) }],
  });

  async function close(): Promise<void> {
    await jobs.stop();
    await plugins.stop();
    await live.close();
    schema.dispose();
    access.dispose();
    metadata.dispose();
    await connections.close();
    await database.close();
  }

  try {
    await plugins.start({ safeMode: config.safeMode });
  } catch (error) {
    await close();
    throw error;
  }
  const http = await createHttpServer({
    dispatcher,
    logger,
    webFolder: webFolder(locations),
    extensionFolder: (id, of) => plugins.extensionFolder(id, of),
    corsOrigins: config.corsOrigins,
    siteUrl: config.siteUrl,
  });

  return {
    container,
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
    async stop() {
      const closed = http.close(options.graceMs ?? defaultGrace);
      await live.close();
      await closed;
      await close();
    },
  };
}

async function readVersion(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
