import { defineErrors, isExpected, type RegistryView } from '@trellis/core';
import { isVisitor, type Narrowing, type ScopeRule, type ScopeRuleFacts } from '@trellis/sdk/server';
import type { PluginErrors } from '../../runtime/tokens.ts';
import { isOutage } from '../../sql/database-error.ts';
import { isLimited, nothing } from './access-scope.ts';

const ruleErrors = defineErrors({
  RIGHTS_UNKNOWN: {
    status: 503,
    message:
      "What you may do here is decided by the rule '{rule}' of the plugin '{plugin}', which fails. Nothing is allowed until it works.",
  },
});

export interface ScopeRulesDependencies {
  readonly rules: RegistryView<ScopeRule>;
  readonly errors: PluginErrors;
  readonly nameOf: (pluginId: string) => string;
}

/**
 * All that is taken away from a caller in a project, by the limits of the credential itself and by every rule.
 *
 * A failing rule is never left out, and no error budget suspends one: without it the caller would have more rights.
 *
 * @throws TrellisError 503 `RIGHTS_UNKNOWN` when a rule fails; whatever a rule throws as an expected error.
 */
export async function narrowingsFor(
  { rules, errors, nameOf }: ScopeRulesDependencies,
  facts: ScopeRuleFacts,
): Promise<readonly Narrowing[]> {
  const { principal } = facts;
  const isIncomplete = principal.scopeRules?.some((id) => rules.get(id) === undefined) === true;
  if (isIncomplete) return [nothing];
  const answers = await Promise.all(
    rules.entries().map(async ({ item, owner }) => {
      try {
        return await item.narrow(facts);
      } catch (error) {
        if (isExpected(error) || isOutage(error)) throw error;
        errors.report(owner, `scope rule '${item.id}'`, error);
        const named = { rule: item.id, plugin: nameOf(owner) };
        throw ruleErrors.create('RIGHTS_UNKNOWN', named, { cause: error });
      }
    }),
  );
  const narrowings = [...credentialLimits(facts), ...answers.flatMap((answer) => answer ?? [])];
  return isVisitor(principal) && !narrowings.some(grantsByName) ? [nothing] : narrowings;
}

/** Whether a narrowing lists what stays, and not only what is taken away. */
function grantsByName({ permissions, maximumRole }: Narrowing): boolean {
  return permissions !== undefined || maximumRole !== undefined;
}

/** What a credential itself is limited to: a role, some projects, and outside of projects to listing them. */
function credentialLimits({ principal, projectId }: ScopeRuleFacts): readonly Narrowing[] {
  const { maximumRole, onlyProjects } = principal;
  if (projectId === undefined) return isLimited(principal) ? [{ permissions: new Set(['projectList']) }] : [];
  if (onlyProjects !== undefined && !onlyProjects.includes(projectId)) return [nothing];
  return maximumRole === undefined ? [] : [{ maximumRole }];
}
