import { defineServerPlugin } from '@trellis/sdk/server';
import { memberRoutes } from './member-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('permissions', {
      id: 'projectUserInviteResend',
      label: 'Send an invitation again',
      roles: [],
      scope: 'project',
    });
    ctx.routes(...memberRoutes(ctx));
  },
});
