import { projectRoles } from '@trellis/sdk/shared';
import type { Permission } from '@trellis/sdk/server';

const scopes: readonly unknown[] = ['project', 'account'];
const knownRoles: readonly string[] = [...projectRoles, 'super', 'user', 'user_new', 'guest'];

/**
 * Checks a permission when its plugin registers it. Without the check, its mistakes would show up in every call.
 *
 * @throws Error that lists each mistake and what to write instead.
 */
export function checkPermission({ id, label, roles, scope }: Permission): void {
  const problems: string[] = [];
  if (typeof label !== 'string' || label === '')
    problems.push("'label' is missing; write what it allows, such as 'Create a board'");
  if (!Array.isArray(roles) || roles.some((role) => typeof role !== 'string'))
    problems.push(
      "'roles' is missing; list the roles that have it, such as ['editor'], or [] for owners and creators alone",
    );
  else
    for (const role of roles.filter((of) => !knownRoles.includes(of)))
      problems.push(`'${String(role).slice(0, 40)}' is no role; the roles are ${knownRoles.join(', ')}`);
  if (scope !== undefined && !scopes.includes(scope))
    problems.push(`'scope' is '${String(scope).slice(0, 40)}'; write 'project' or 'account'`);
  if (scope === undefined) problems.push("'scope' is missing; write 'project' or 'account'");
  if (problems.length > 0)
    throw new Error(`The permission '${String(id)}' cannot be used: ${problems.join('; ')}.`);
}
