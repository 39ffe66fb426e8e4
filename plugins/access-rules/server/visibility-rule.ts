import type { ScopeRule, ScopeRuleFacts } from '@trellis/sdk/server';
import { hideableRoles } from '../shared/index.ts';
import type { HiddenViews } from './hidden-views.ts';

/** Hides views from the roles that a project's owners chose. */
export function visibilityRule(hidden: HiddenViews): ScopeRule {
  return {
    id: 'access-rules.visibility',
    async narrow(facts) {
      const role = roleOf(facts);
      if (facts.projectId === undefined || role === undefined) return undefined;
      const views = [...(await hidden.of(facts.projectId))]
        .filter(([, roles]) => roles.has(role))
        .map(([viewId]) => viewId);
      return views.length === 0 ? undefined : { hiddenViews: new Set(views) };
    },
  };
}

/** The role by which the caller sees the project: its own, or the lower one of the credential. Undefined for owners and strangers. */
function roleOf({ roles, principal }: ScopeRuleFacts): (typeof hideableRoles)[number] | undefined {
  const own = hideableRoles.find((role) => roles.includes(role));
  const isOwner = roles.includes('owner');
  const limit = hideableRoles.find((role) => role === principal.maximumRole);
  if (limit === undefined) return isOwner ? undefined : own;
  if (own === undefined) return limit;
  return hideableRoles[Math.max(hideableRoles.indexOf(own), hideableRoles.indexOf(limit))];
}
