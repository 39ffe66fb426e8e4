import { defineServerPlugin } from '@trellis/sdk/server';
import { myPlugin } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('viewTypes', myPlugin);
    // Who may make such a view; roles are named where it is not for owners and creators alone.
    ctx.register('permissions', {
      id: 'myPluginViewCreate',
      label: 'Create a view of the type My plugin',
      scope: 'project',
      roles: [],
    });
  },
});
