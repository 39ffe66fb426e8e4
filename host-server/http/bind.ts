import type { Container } from '@trellis/core';
import {
  AccessServiceToken,
  SecretsToken,
  ServedRoutesToken,
  ServerHealthToken,
  VisitorLimitToken,
} from '@trellis/sdk/server';
import { PrincipalsToken } from '../access/tokens.ts';
import { CallMarksToken, HostLiveChannelToken, WrittenCallsToken } from '../changes/tokens.ts';
import { MetadataToken } from '../metadata/tokens.ts';
import { webFolder } from '../plugins/locate-modules.ts';
import { ModuleLocationsToken, PluginServiceToken } from '../plugins/tokens.ts';
import {
  ConfigToken,
  HostBackgroundToken,
  HostJobToken,
  LoggerToken,
  KnownSecretsToken,
  PluginErrorsToken,
  registryToken,
} from '../runtime/tokens.ts';
import { HostSchemaStoreToken } from '../schema/tokens.ts';
import { Dispatcher } from './dispatcher.ts';
import { FramedPages } from './framed-pages.ts';
import { createHttpServer } from './http-server.ts';
import { createIdempotency, sweepIdempotency } from './idempotency.ts';
import { RouteTable } from './route-table.ts';
import { createServerHealth } from './server-health.ts';
import { DispatcherToken, GraceToken, HttpServerToken, IdempotencyToken, RouteTableToken } from './tokens.ts';

/** Binds the way of requests to handlers. */
export function bindHttp(container: Container): void {
  container.bind(RouteTableToken, { needs: {}, make: () => new RouteTable() });
  container.bind(ServedRoutesToken, {
    needs: { routes: RouteTableToken },
    make: ({ routes }) => ({
      list: () => routes.list().map(({ owner, path, route }) => ({ plugin: owner, path, route })),
    }),
  });
  container.bind(IdempotencyToken, {
    needs: {
      metadata: MetadataToken,
      calls: WrittenCallsToken,
      secrets: SecretsToken,
      logger: LoggerToken,
    },
    make: ({ logger, ...needed }) =>
      createIdempotency({
        ...needed,
        onError: (error) => logger.error('What is known of a repeated write could not be kept', { error }),
      }),
    dispose: (idempotency) => idempotency.dispose(),
  });
  container.contribute(HostJobToken, {
    needs: { metadata: MetadataToken },
    make: ({ metadata }) => ({
      id: 'sweep-idempotency',
      every: 3600,
      run: ({ signal }) => sweepIdempotency(metadata, signal),
    }),
  });
  container.bind(DispatcherToken, {
    needs: {
      routes: RouteTableToken,
      access: AccessServiceToken,
      schema: HostSchemaStoreToken,
      principals: PrincipalsToken,
      objectHomes: registryToken('objectHomes'),
      idempotency: IdempotencyToken,
      marks: CallMarksToken,
      requests: HostBackgroundToken,
      visits: VisitorLimitToken,
      plugins: PluginServiceToken,
      logger: LoggerToken,
      config: ConfigToken,
    },
    make: ({ config, ...needed }) =>
      new Dispatcher({
        ...needed,
        trustProxy: config.trustProxy,
        site: config,
        secureCookies: config.siteUrl?.startsWith('https:') === true,
      }),
  });
  container.bind(ServerHealthToken, {
    needs: {
      metadata: MetadataToken,
      healthChecks: registryToken('healthChecks'),
      errors: PluginErrorsToken,
      knownSecrets: KnownSecretsToken,
    },
    make: createServerHealth,
  });
  bindServer(container);
}

function bindServer(container: Container): void {
  container.bind(HttpServerToken, {
    needs: {
      dispatcher: DispatcherToken,
      plugins: PluginServiceToken,
      logger: LoggerToken,
      locations: ModuleLocationsToken,
      live: HostLiveChannelToken,
      graceMs: GraceToken,
      framedPages: registryToken('framedPages'),
    },
    make: ({ dispatcher, plugins, logger, locations, framedPages }) =>
      createHttpServer({
        dispatcher,
        logger,
        webFolder: webFolder(locations),
        framed: new FramedPages(framedPages, logger),
        webFilesOf: (id, place) => plugins.webFilesOf(id, place),
      }),
    // Both end together: open sockets would keep the server from closing, and events of the last requests reach nobody any more.
    dispose: async (server, { live, graceMs }) =>
      void (await Promise.all([server.close(graceMs), live.close()])),
  });
}
