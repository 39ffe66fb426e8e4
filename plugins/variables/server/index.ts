import { BusToken, defineServerPlugin, LiveChannelToken, SecretsToken } from '@trellis/sdk/server';
import { variablesObjectKind } from '../shared/index.ts';
import { migrations } from './migrations.ts';
import { variableRoutes } from './variable-routes.ts';
import { VariableStore } from './variable-store.ts';

declare module '@trellis/sdk/server' {
  interface BusTopics {
    /** Variables of a project came, changed or went. */
    'variables.changed': { readonly projectId: string; readonly requestId: string };
  }
}

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
    const live = ctx.get(LiveChannelToken);
    ctx.own(
      ctx.get(BusToken).subscribe('variables.changed', {
        message: ({ projectId, requestId }) =>
          live.publish({ kind: 'objects', projectId, objectKind: variablesObjectKind, requestId }),
        // A page that shows them reads them again when it connects again.
        gap: () => undefined,
      }),
    );
    ctx.tap('projects.didPurge', ({ projectId }) => store.forgetProject(projectId));
    ctx.routes(...variableRoutes(ctx, store));
  },
});
