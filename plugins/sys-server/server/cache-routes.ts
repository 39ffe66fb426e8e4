import {
  defineRoute,
  MetadataCacheToken,
  RouteAnswer,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';

const path = '/api/v1/db/meta/cache';

/** Lists and clears the server's cache, as the v1 API does for super admins. */
export function cacheRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const cache = ctx.get(MetadataCacheToken);
  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'cacheRead',
      summary: 'What the server keeps of its metadata, and how often each part changed',
      handle({ scope }) {
        const headers = { 'content-disposition': 'attachment; filename="cache-export.json"' };
        return Promise.resolve(new RouteAnswer({ body: cache.list(scope), headers }));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      permission: 'cacheClear',
      summary: 'Have the server read its metadata again when they are next needed',
      handle({ scope }) {
        cache.forget(scope);
        return Promise.resolve('OK');
      },
    }),
  ];
}
