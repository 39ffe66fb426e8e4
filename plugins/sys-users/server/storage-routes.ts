import {
  defineRoute,
  UserStorageToken,
  type Principal,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';

/** Small values of the signed-in person, for the shell and for plugins. */
export function storageRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const storage = ctx.get(UserStorageToken);
  const own = { path: '/api/v1/user-storage', permission: 'signedIn' } as const;
  return [
    defineRoute({
      ...own,
      method: 'GET',
      summary: 'Small values of the person who is signed in',
      handle: async ({ principal }) => storage.read(personOf(principal)),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, Record<string, unknown>>({
      ...own,
      method: 'PUT',
      summary: 'Set small values; null takes one away',
      schemas: { body: { type: 'object', maxProperties: 50 } },
      bodyLimit: 64 * 1024,
      async handle({ principal, body }) {
        await storage.write(personOf(principal), body);
        return {};
      },
    }),
  ];
}

/** The values are the account's, whatever projects and rights a token is limited to. */
function personOf({ kind, id }: Principal): string {
  if (kind !== 'user') throw authErrors.create('STORAGE_SESSION');
  return id;
}
