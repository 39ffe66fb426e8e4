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

/** What the audit says of somebody who gets another role; without `from` they are new, without `to` they are gone. */
export function roleChanges({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): readonly AuditChange[] {
  return auditChanges(ofPerson, { role: from }, { role: to });
}

/** What the audit says of a custom role that is made, changed or deleted. */
export function customRoleChanges(before: Side | undefined, after: Side | undefined): readonly AuditChange[] {
  return auditChanges(ofRole, before, after);
}
