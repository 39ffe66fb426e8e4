import { AccessServiceToken, defineServerPlugin, SecretsToken, type Permission } from '@trellis/sdk/server';
import { framedLinks } from './framing.ts';
import { linkFiles } from './link-files.ts';
import { linkRoutes } from './link-routes.ts';
import { ViewLinks } from './links.ts';
import { migrations } from './migrations.ts';
import { publicRoutes } from './public-routes.ts';
import { createSenders } from './senders.ts';
import { submitRoutes } from './submit-routes.ts';
import { visitorRule } from './visitors.ts';
import { VisitCounts } from './visit-counts.ts';
import { createVisits } from './visits.ts';

/** Owners and creators have them. */
const permissions: readonly Permission[] = [
  { id: 'shareViewList', label: 'See which views are shared by links', roles: [], scope: 'project' },
  { id: 'shareView', label: 'Share a view by a link', roles: [], scope: 'project' },
  { id: 'shareViewUpdate', label: 'Change the link of a view', roles: [], scope: 'project' },
  { id: 'shareViewDelete', label: 'Close the link of a view', roles: [], scope: 'project' },
];

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    for (const permission of permissions) ctx.register('permissions', permission);
    const access = ctx.get(AccessServiceToken);
    const links = new ViewLinks(ctx.db, (unit) => access.didChangeRules(unit));
    const visits = createVisits(ctx, links);
    const visitCounts = ctx.own(new VisitCounts({ db: ctx.db, logger: ctx.logger }));
    ctx.register('jobs', {
      id: 'shared-views.prune-visits',
      every: 24 * 60 * 60,
      run: () => visitCounts.prune(),
    });
    ctx.register('scopeRules', visitorRule(links));
    ctx.register('framedPages', framedLinks(links));
    ctx.register('openViews', {
      id: 'shared-views',
      ofTable: (tableId) => ctx.db.table('link').where({ table_id: tableId }),
      isOpen: (viewId) => links.isOpen(viewId),
    });
    const files = linkFiles(ctx);
    const senders = createSenders(ctx.get(SecretsToken));
    ctx.register('fileGrants', files.grant(visits));
    ctx.tap('views.willTell', async (views, { scope, table }) => {
      // A link opens the view to anybody with it, so only people who may share get it.
      if (!scope.may('shareViewList')) return views;
      const found = await links.find({ table_id: table.id });
      const uuids = new Map(found.map(({ viewId, uuid }) => [viewId, uuid]));
      return views.map((view) => ({ ...view, uuid: uuids.get(view.id) ?? null }));
    });
    ctx.tap('projects.didDelete', ({ projectId }) => links.close({ project_id: projectId }));
    ctx.routes(
      ...linkRoutes(ctx, { links, passwords: visits.passwords, visitCounts }),
      ...publicRoutes(ctx, { visits, files, visitCounts, senders }),
      ...submitRoutes(ctx, { visits, files, senders }),
    );
  },
});
