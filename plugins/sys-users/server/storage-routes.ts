import {
  defineRoute,
  UserStorageToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';

/** Small values of the person who is signed in, for the shell and for plugins. */
export function storageRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const storage = ctx.get(UserStorageToken);
  const own = { path: '/api/v1/user-storage', permission: 'signedIn' } as const;
  return [
    defineRoute({
      ...own,
      method: 'GET',
      summary: 'Small values of the person who is signed in',
      handle: ({ principal }) => storage.read(principal.id),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, Record<string, unknown>>({
      ...own,
      method: 'PUT',
      summary: 'Set small values; null takes one away',
      schemas: { body: { type: 'object', maxProperties: 50 } },
      bodyLimit: 64 * 1024,
      async handle({ principal, body }) {
        await storage.write(principal.id, body);
        return {};
      },
    }),
  ];
}
