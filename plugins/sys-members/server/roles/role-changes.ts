import { auditChanges, auditText, type AuditChange } from '@trellis/sdk/server';
import type { CustomRoleInput } from '../../shared/index.ts';

const ofPerson = { role: auditText('Role', {}) };
const ofRole = {
  title: auditText('Name of the role', {}),
  description: auditText('Description', {}),
  base: auditText('Based on', {}),
  denied: auditText('Permissions that it lacks', {}),
};

type Side = Pick<CustomRoleInput, 'title' | 'description' | 'base' | 'denied'>;

/** The audit entry for a changed role of a person; without `from` they are new, without `to` they have left. */
export function roleChanges({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): readonly AuditChange[] {
  return auditChanges(ofPerson, { role: from }, { role: to });
}

/** The audit entry for a custom role that is created, changed or deleted. */
export function customRoleChanges(before: Side | undefined, after: Side | undefined): readonly AuditChange[] {
  return auditChanges(ofRole, before, after);
}
