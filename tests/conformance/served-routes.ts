import type { RouteDefinition } from '@trellis/sdk/server';
import type { TestServer } from '@trellis/sdk/testing/server';

/** Every route of a server once, with its full path: relative paths are below their plugin's. */
export function servedRoutes(server: TestServer): readonly RouteDefinition[] {
  const entries = new Map(server.host.routes.list().map(({ owner, route }) => [route, owner]));
  return [...entries].map(([route, owner]) =>
    route.path.startsWith('/') ? route : { ...route, path: `/api/v1/plugins/${owner}/${route.path}` },
  );
}
