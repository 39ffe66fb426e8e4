import type { ScopeRule } from '@trellis/sdk/server';
import type { HiddenViews } from './hidden-views.ts';

/** Hides views from the roles that a project's owners chose, also from visitors who have such a role. */
export function visibilityRule(hidden: HiddenViews): ScopeRule {
  return {
    id: 'access-rules.visibility',
    async narrow({ projectId }) {
      if (projectId === undefined) return undefined;
      const hiddenViewsOf = new Map<string, Set<string>>();
      for (const [viewId, roles] of await hidden.of(projectId)) {
        for (const role of roles)
          hiddenViewsOf.set(role, (hiddenViewsOf.get(role) ?? new Set<string>()).add(viewId));
      }
      return hiddenViewsOf.size === 0 ? undefined : { hiddenViewsOf };
    },
  };
}
