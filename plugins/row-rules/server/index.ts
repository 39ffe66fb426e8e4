import { defineServerPlugin, type Permission } from '@trellis/sdk/server';
import { migrations } from './migrations.ts';
import { rowRule } from './row-rule.ts';
import { ruleRoutes } from './rule-routes.ts';
import { RuleStore } from './rule-store.ts';

const permissions: readonly Permission[] = [
  { id: 'rowRuleList', label: 'See which rows exist for which roles', roles: [], scope: 'project' },
  { id: 'rowRuleSet', label: 'Say which rows exist for which roles', roles: [], scope: 'project' },
];

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    for (const permission of permissions) ctx.register('permissions', permission);
    const rules = new RuleStore(ctx.db);
    ctx.register('scopeRules', rowRule(ctx, rules));
    ctx.register('conditionHolders', { id: 'row-rules', moved: (unit, moved) => rules.move(unit, moved) });
    ctx.tap('tables.didPurge', ({ tableId }) => rules.forgetTable(tableId));
    ctx.tap('projects.didPurge', ({ projectId }) => rules.forgetProject(projectId));
    ctx.routes(...ruleRoutes(ctx, rules));
  },
});
