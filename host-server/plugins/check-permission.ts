import type { Permission } from '@trellis/sdk/server';

const scopes: readonly unknown[] = ['project', 'account'];

/**
 * Holds a permission against what it promises, when its plugin registers it: later its mistakes would be met by every call.
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
  if (!scopes.includes(scope)) problems.push("'scope' is missing; write 'project' or 'account'");
  if (problems.length > 0)
    throw new Error(`The permission '${String(id)}' cannot be used: ${problems.join('; ')}.`);
}
