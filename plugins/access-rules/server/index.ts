import {
  AccessServiceToken,
  BusToken,
  defineServerPlugin,
  LiveChannelToken,
  SchemaStoreToken,
  type Permission,
} from '@trellis/sdk/server';
import { HiddenViews } from './hidden-views.ts';
import { migrations } from './migrations.ts';
import { tellVisibility } from './tell-visibility.ts';
import { visibilityRoutes } from './visibility-routes.ts';
import { visibilityRule } from './visibility-rule.ts';

declare module '@trellis/sdk/server' {
  interface BusTopics {
    /** Called when views of a project were hidden from roles, or shown again. */
    'access-rules.changed': { readonly projectId: string; readonly requestId: string };
  }
}

const permissions: readonly Permission[] = [
  { id: 'modelVisibilityList', label: 'See for which roles views are listed', roles: [], scope: 'project' },
  { id: 'modelVisibilitySet', label: 'Say for which roles views are listed', roles: [], scope: 'project' },
];

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    for (const permission of permissions) ctx.register('permissions', permission);
    const hidden = new HiddenViews(ctx.db);
    const access = ctx.get(AccessServiceToken);
    const schema = ctx.get(SchemaStoreToken);
    const live = ctx.get(LiveChannelToken);
    /** Open pages reload their lists of tables and views. */
    async function tellPages(projectId: string, requestId: string): Promise<void> {
      const { generation } = await schema.snapshot(access.systemScope(projectId, 'visibility'));
      live.publish({ kind: 'schema', projectId, generation, requestId });
    }
    ctx.own(
      ctx.get(BusToken).subscribe('access-rules.changed', {
        message({ projectId, requestId }) {
          tellPages(projectId, requestId).catch((error: unknown) =>
            ctx.logger.warn('Open pages were not told of changed rules', { error }),
          );
        },
        gap: () => undefined,
      }),
    );
    ctx.register('scopeRules', visibilityRule(hidden));
    ctx.tap('projects.didPurge', ({ projectId }) => hidden.forgetProject(projectId));
    tellVisibility(ctx);
    ctx.routes(...visibilityRoutes(ctx, hidden));
  },
});
