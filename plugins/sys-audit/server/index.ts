import { defineServerPlugin } from '@trellis/sdk/server';
import { auditRoutes } from './audit-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('permissions', {
      id: 'auditRowUpdate',
      label: 'Announce a change of a cell, as clients of the v1 API do',
      roles: ['editor', 'commenter'],
      scope: 'project',
    });
    ctx.register('permissions', {
      id: 'serverAuditList',
      label: 'Read what was done on this server outside of projects',
      roles: [],
      scope: 'account',
    });
    ctx.routes(...auditRoutes(ctx));
  },
});
