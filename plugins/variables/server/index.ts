import { defineServerPlugin, SecretsToken } from '@trellis/sdk/server';
import { migrations } from './migrations.ts';
import { variableRoutes } from './variable-routes.ts';
import { VariableStore } from './variable-store.ts';

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    ctx.register('permissions', {
      id: 'variableUse',
      label: 'See the variables of the project and use them in messages',
      roles: [],
      scope: 'project',
    });
    ctx.register('permissions', {
      id: 'variableSet',
      label: 'Keep the variables of the project',
      roles: [],
      scope: 'project',
    });
    const store = new VariableStore(ctx.db, ctx.get(SecretsToken));
    ctx.register('variableSources', {
      id: 'variables',
      resolve: async (scope) =>
        scope.projectId === undefined || !scope.may('variableUse') ? {} : store.values(scope.projectId),
    });
    ctx.tap('projects.didPurge', ({ projectId }) => store.forgetProject(projectId));
    ctx.register('jobs', { id: 'variables.sweep', every: 24 * 3600, run: () => store.sweep() });
    ctx.routes(...variableRoutes(ctx, store));
  },
});
