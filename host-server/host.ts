import {
  Container,
  setUnexpectedErrorHandler,
  toDisposable,
  type HookRegistry,
  type Registries,
} from '@trellis/core';
import {
  PasswordCostToken,
  type PluginAdministration,
  type ServerHooks,
  type ServerRegistries,
} from '@trellis/sdk/server';
import { bindAccess } from './access/bind.ts';
import { bindChanges } from './changes/bind.ts';
import { HostLiveChannelToken, LogFollowerToken } from './changes/tokens.ts';
import { bindDatabases } from './databases/bind.ts';
import { bindFacades } from './facades/bind.ts';
import { ListenerRunnerToken } from './facades/tokens.ts';
import { bindHttp } from './http/bind.ts';
import type { RouteTable } from './http/route-table.ts';
import { GraceToken, HttpServerToken, RouteTableToken } from './http/tokens.ts';
import { bindMetadata } from './metadata/bind.ts';
import { bindPlugins } from './plugins/bind.ts';
import type { GivenPlugin } from './plugins/library/discover.ts';
import type { PluginService } from './plugins/plugin-service.ts';
import { PluginOptionsToken, PluginServiceToken } from './plugins/tokens.ts';
import { bindRows } from './rows/bind.ts';
import { SettleAtStartToken } from './rows/tokens.ts';
import { bindRuntime } from './runtime/bind.ts';
import type { Config } from './runtime/config/config.ts';
import { prepareData } from './runtime/config/prepare-data.ts';
import { KnownSecrets } from './runtime/logging/known-secrets.ts';
import { createLogger, type HostLogger } from './runtime/logging/logger.ts';
import {
  ConfigToken,
  HooksToken,
  JobRunnerToken,
  KnownSecretsToken,
  ListeningToken,
  LoggerToken,
  RegistriesToken,
  TaskWorkerToken,
} from './runtime/tokens.ts';
import { bindSchema } from './schema/bind.ts';
import { HostSchemaStoreToken } from './schema/tokens.ts';

/** A running server, or one about to run. */
export interface Host {
  readonly container: Container;
  readonly hooks: HookRegistry<ServerHooks>;
  readonly registries: Registries<ServerRegistries>;
  readonly routes: RouteTable;
  readonly plugins: PluginService;
  /** Resolves to the port that it listens on; a free one for 0. */
  listen(): Promise<number>;
  /** Stops accepting requests, lets running ones finish, stops plugins and closes the databases. */
  stop(): Promise<void>;
}

export interface HostOptions {
  /** The folder of built-in plugins. Default: the installation's `plugins/`. */
  readonly pluginFolder?: string;
  /** Plugins that are passed in instead of being searched for. */
  readonly plugins?: readonly GivenPlugin[];
  readonly logger?: HostLogger;
  /** What that logger removes from its lines; the host adds the secrets that it learns. */
  readonly secrets?: KnownSecrets;
  /** Milliseconds for running requests when the server stops. */
  readonly graceMs?: number;
  /** The cost of a password hash, for tests that create many accounts. Default: that of the product's servers. */
  readonly passwordCost?: number;
  /** Aborts when the operator stops the server during its start, which is then cancelled and undone. */
  readonly signal?: AbortSignal;
  /** What plugins hold in memory. Default: nobody measures. */
  readonly heldMemory?: PluginAdministration['heldMemory'];
}

const defaultGrace = 20_000;
/**
 * 32 MB and about 60 ms on one core (OWASP's scrypt recommendation, N = 2^15 with p = 3, costs three times that; sign-ins are
 * limited as well).
 */
const defaultPasswordCost = 15;
const longestDrain = 10_000;

/** The rooms. Their order does not matter: what a service needs is created before it and disposed after it. */
const rooms = [
  bindDatabases,
  bindMetadata,
  bindRuntime,
  bindAccess,
  bindChanges,
  bindSchema,
  bindRows,
  bindFacades,
  bindPlugins,
  bindHttp,
];

/**
 * Creates the whole server and starts the plugins, but does not listen yet.
 *
 * When it rejects, everything opened is closed again, in reverse order.
 */
export async function createHost(config: Config, options: HostOptions = {}): Promise<Host> {
  const { secrets = new KnownSecrets(), graceMs = defaultGrace } = options;
  const { logger = createLogger({ level: config.logLevel, secrets }) } = options;
  secrets.remember(config.secret);
  const container = new Container();
  const reporting = setUnexpectedErrorHandler((error) =>
    logger.error('An error that nobody waited for', { error }),
  );
  const close = toDisposable(async () => {
    await container.dispose();
    await reporting.dispose();
  });
  try {
    await prepareData(config);
    container.bind(ConfigToken, { value: config });
    container.bind(LoggerToken, { value: logger });
    container.bind(KnownSecretsToken, { value: secrets });
    container.bind(GraceToken, { value: graceMs });
    container.bind(PasswordCostToken, { value: options.passwordCost ?? defaultPasswordCost });
    const drainMs = Math.min(graceMs, longestDrain);
    container.bind(PluginOptionsToken, {
      value: {
        folder: options.pluginFolder,
        given: options.plugins,
        drainMs,
        heldMemory: options.heldMemory ?? (() => Promise.resolve(undefined)),
      },
    });
    for (const bindRoom of rooms) bindRoom(container);
    // Created before the server, so that jobs and tasks end after the last request.
    await container.getAsync(JobRunnerToken);
    await container.getAsync(TaskWorkerToken);
    await container.getAsync(HttpServerToken);
    await container.get(PluginServiceToken).start({ safeMode: config.safeMode, signal: options.signal });
  } catch (error) {
    await close.dispose();
    throw error;
  }
  return toHost(container, config, async () => close.dispose());
}

function toHost(container: Container, config: Config, stop: () => Promise<void>): Host {
  const http = container.get(HttpServerToken);
  const logger = container.get(LoggerToken);
  return {
    container,
    hooks: container.get(HooksToken),
    registries: container.get(RegistriesToken),
    routes: container.get(RouteTableToken),
    plugins: container.get(PluginServiceToken),
    async listen() {
      await container.get(HostLiveChannelToken).attach(http.server);
      const port = await http.listen(config.port, config.host);
      container.get(ListeningToken).port = port;
      container.get(JobRunnerToken).start();
      container.get(TaskWorkerToken).start();
      container.get(LogFollowerToken).start();
      container.get(ListenerRunnerToken).start();
      // Work that a killed process left is finished while the server already answers: it is invisible until complete.
      const resumed = container.get(HostSchemaStoreToken).resumeJobs();
      resumed.catch((error: unknown) =>
        logger.error('Unfinished schema changes could not be resumed', { error }),
      );
      void container.get(SettleAtStartToken)();
      return port;
    },
    stop,
  };
}
