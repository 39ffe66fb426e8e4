import {
  defineRoute,
  PluginAdministrationToken,
  RateLimiterToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';

interface ClientErrorBody {
  readonly pluginId?: string;
  readonly where?: string;
  readonly message?: string;
  readonly thrownAt?: string;
}

/** Errors of one plugin that one account may report: a page that fails over and over tells nothing new. */
const reports = { limit: 30, windowSeconds: 10 * 60 };

/** The web halves of the plugins that are on, and the errors that they cause in browsers. */
export function webHalfRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const administration = ctx.get(PluginAdministrationToken);
  const limiter = ctx.get(RateLimiterToken);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/plugins/web',
      permission: 'public',
      summary: 'The web halves of the plugins that are on',
      handle: () => Promise.resolve(administration.webPlugins()),
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
            thrownAt: { type: 'string', maxLength: 500 },
          },
        },
      },
      bodyLimit: 8192,
      async handle({ body, principal }) {
        const { pluginId = '', where = '', message = '', thrownAt } = body;
        const isKnown = pluginId === 'host' || administration.list().some(({ id }) => id === pluginId);
        if (!isKnown) return {};
        await limiter.consume({ name: 'client-errors', ...reports }, `${principal.id} ${pluginId}`);
        const error = { pluginId, where, message, thrownAt, reporter: principal.id };
        return { place: administration.reportClientError(error) };
      },
    }),
  ];
}
