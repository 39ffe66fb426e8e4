import { defineServerPlugin, type Permission } from '@trellis/sdk/server';
import { memberNotices } from '../shared/notices.ts';
import { memberRoutes } from './member-routes.ts';
import { migrations } from './migrations.ts';
import { rescueRoutes } from './rescue-routes.ts';
import { CustomRoles } from './roles/custom-roles.ts';
import { roleRoutes } from './roles/role-routes.ts';
import { roleRule } from './roles/role-rule.ts';

const permissions: readonly Permission[] = [
  { id: 'projectUserInviteResend', label: 'Send an invitation again', roles: [], scope: 'project' },
  { id: 'customRoleList', label: 'See the custom roles of a project', roles: [], scope: 'project' },
  { id: 'customRoleSet', label: 'Make and change custom roles', roles: [], scope: 'project' },
];

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    for (const kind of memberNotices) ctx.register('noticeKinds', kind);
    for (const permission of permissions) ctx.register('permissions', permission);
    const roles = new CustomRoles(ctx.db);
    ctx.register('scopeRules', roleRule(ctx, roles));
    ctx.tap('projects.didPurge', ({ projectId }) => roles.forgetProject(projectId));
    ctx.routes(...memberRoutes(ctx, roles), ...roleRoutes(ctx, roles), ...rescueRoutes(ctx, roles));
  },
});
