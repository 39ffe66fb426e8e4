import { defineRoute, type AccountStore, type RouteDefinition } from '@trellis/sdk/server';
import { defineErrors, type RegistryView } from '@trellis/core';
import type { HealthCheck, RateLimiter, ServerInfo } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';
import type { PluginService } from '../plugins/plugin-service.ts';
import { createUserStorage } from './user-storage.ts';

export interface HostRoutesDependencies {
  readonly info: ServerInfo;
  readonly accounts: AccountStore;
  readonly metadata: Metadata;
  readonly plugins: PluginService;
  readonly healthChecks: RegistryView<HealthCheck>;
  readonly limiter: RateLimiter;
}

interface ClientErrorBody {
  readonly pluginId?: string;
  readonly where?: string;
  readonly message?: string;
}

const hostErrors = defineErrors({
  NOT_HEALTHY: {
    status: 503,
    message: 'The metadata database cannot be reached, or a plugin reports that it cannot work.',
  },
});

/** How long one look at the server's health is good for. */
const healthLife = 1000;
/** Reports of browser errors that one account may send. */
const reports = { limit: 30, windowSeconds: 10 * 60 };

/** The routes that belong to the server itself and to no plugin. */
export function hostRoutes(deps: HostRoutesDependencies): readonly RouteDefinition[] {
  const { info, accounts, metadata, plugins, limiter } = deps;
  const storage = createUserStorage(metadata);
  let health: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  async function isHealthy(): Promise<boolean> {
    try {
      await metadata.database.ping();
      const checks = deps.healthChecks.list().map((item) => item.check(AbortSignal.timeout(5000)));
      return (await Promise.all(checks)).every((result) => result.ok);
    } catch {
      // Not healthy is the answer, whatever the reason.
      return false;
    }
  }

  const open = { permission: 'public' } as const;
  return [
    defineRoute({
      ...open,
      method: 'GET',
      path: '/api/v1/version',
      places: 'none',
      summary: 'The version of this server',
      handle: () => Promise.resolve({ currentVersion: info.version, releaseVersion: null }),
    }),
    defineRoute({
      ...open,
      method: 'GET',
      path: '/api/v1/health',
      places: 'none',
      summary: 'Whether the server can do its work',
      async handle() {
        if (health === undefined || Date.now() - health.at > healthLife) {
          health = { at: Date.now(), answer: isHealthy() };
        }
        if (!(await health.answer)) throw hostErrors.create('NOT_HEALTHY');
        return { message: 'OK', timestamp: Date.now(), uptime: process.uptime() };
      },
    }),
    defineRoute({
      ...open,
      method: 'GET',
      path: '/api/v1/db/meta/nocodb/info',
      summary: 'What a client needs to know before anybody signs in',
      async handle(request) {
        const firstUser = (await accounts.count()) === 0;
        return {
          authType: 'jwt',
          projectHasAdmin: !firstUser,
          firstUser,
          type: 'rest',
          googleAuthEnabled: false,
          githubAuthEnabled: false,
          oneClick: false,
          connectToExternalDB: true,
          defaultLimit: 25,
          timezone: 'UTC',
          ncMin: false,
          teleEnabled: false,
          ...(request.principal.kind !== 'guest' && {
            version: info.version,
            ncSiteUrl: info.siteUrl ?? null,
          }),
        };
      },
    }),
    defineRoute({
      ...open,
      method: 'GET',
      path: '/ui_ability',
      summary: 'Rules of the user interface',
      handle: () => Promise.resolve({ rules: {} }),
    }),
    defineRoute({
      ...open,
      method: 'GET',
      path: '/api/v1/feedback_form',
      summary: 'There is no feedback form; nothing is fetched from outside',
      handle: () => Promise.resolve({}),
    }),
    defineRoute({
      ...open,
      method: 'GET',
      path: '/api/v1/plugins/web',
      summary: 'The web halves of the plugins that are on',
      handle: () => Promise.resolve(plugins.webPlugins()),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ClientErrorBody>({
      method: 'POST',
      path: '/api/v1/plugins/client-errors',
      permission: 'signedIn',
      summary: 'Report an error that a plugin caused in a browser',
      schemas: {
        body: {
          type: 'object',
          properties: {
            pluginId: { type: 'string', maxLength: 100 },
            where: { type: 'string', maxLength: 200 },
            message: { type: 'string', maxLength: 1000 },
          },
        },
      },
      bodyLimit: 8192,
      async handle({ body, principal }) {
        await limiter.consume({ name: 'client-errors', ...reports }, principal.id);
        const { pluginId = '', where = '', message = '' } = body;
        plugins.reportClientError({ pluginId, where, message, reporter: principal.id });
        return {};
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/user-storage',
      permission: 'signedIn',
      summary: 'Small values of the person who is signed in',
      handle: (request) => storage.read(request.principal.id),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, Record<string, unknown>>({
      method: 'PUT',
      path: '/api/v1/user-storage',
      permission: 'signedIn',
      summary: 'Set small values; null takes one away',
      schemas: { body: { type: 'object', maxProperties: 50 } },
      bodyLimit: 64 * 1024,
      handle: async (request) => {
        await storage.write(request.principal.id, request.body);
        return {};
      },
    }),
  ];
}
