import type { RouteDefinition } from '@trellis/sdk/server';
import type { TestServer } from '@trellis/sdk/testing/server';

/** Every route that a server has, once, with its whole address: relative paths lie below their plugin's own. */
export function servedRoutes(server: TestServer): readonly RouteDefinition[] {
  const entries = new Map(server.host.routes.list().map(({ owner, route }) => [route, owner]));
  return [...entries].map(([route, owner]) =>
    route.path.startsWith('/') ? route : { ...route, path: `/api/v1/plugins/${owner}/${route.path}` },
  );
}
