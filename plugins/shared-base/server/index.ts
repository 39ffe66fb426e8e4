import { AccessServiceToken, defineServerPlugin, type Permission } from '@trellis/sdk/server';
import { framedShares } from './framing.ts';
import { migrations } from './migrations.ts';
import { shareRoutes } from './share-routes.ts';
import { Shares } from './shares.ts';
import { visitorResolver, visitorRule } from './visitors.ts';

/** Owners and creators have them. */
const permissions: readonly Permission[] = [
  {
    id: 'getSharedBaseLink',
    label: 'See whether a project is open to visitors',
    roles: [],
    scope: 'project',
  },
  { id: 'createSharedBaseLink', label: 'Open a project to visitors', roles: [], scope: 'project' },
  { id: 'updateSharedBaseLink', label: 'Change what visitors may do', roles: [], scope: 'project' },
  { id: 'disableSharedBaseLink', label: 'Close a project to visitors', roles: [], scope: 'project' },
];

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    for (const permission of permissions) ctx.register('permissions', permission);
    const access = ctx.get(AccessServiceToken);
    const shares = new Shares(ctx.db, (unit) => access.didChangeRules(unit));
    ctx.register('credentialResolvers', visitorResolver());
    ctx.register('scopeRules', visitorRule(ctx, shares));
    ctx.register('framedPages', framedShares(shares));
    ctx.register('serverFigures', {
      id: 'sharedBaseCount',
      count: async (projectId) => ((await shares.of(projectId)) === undefined ? 0 : 1),
    });
    ctx.tap('projects.didDelete', ({ projectId }) => shares.close(projectId));
    ctx.routes(...shareRoutes(ctx, shares));
  },
});
