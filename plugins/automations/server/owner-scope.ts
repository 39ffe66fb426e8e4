import {
  AccessServiceToken,
  createPresentOwner,
  type AccessScope,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { automationErrors } from './automation-errors.ts';
import type { Automation } from './automation-store.ts';

export type OwnerScope = (
  automation: Pick<Automation, 'owner' | 'projectId'>,
  requestId: string,
) => Promise<AccessScope>;

/**
 * Returns the current rights of an automation's owner.
 *
 * @throws TrellisError `AUTOMATION_OWNER_GONE`, `AUTOMATION_OWNER_TOKEN`, `AUTOMATION_OWNER_RIGHTS`
 */
export function createOwnerScope(ctx: ServerPluginContext): OwnerScope {
  const access = ctx.get(AccessServiceToken);
  const presentOwner = createPresentOwner(ctx);
  return async ({ owner, projectId }, requestId) => {
    const present = await presentOwner(owner);
    if (present.kind === 'gone') throw automationErrors.create('AUTOMATION_OWNER_GONE');
    if (present.kind === 'over') throw automationErrors.create('AUTOMATION_OWNER_TOKEN');
    try {
      const scope = await access.scopeFor(present.principal, projectId, requestId);
      if (scope.may('automationSet')) return scope;
    } catch (error) {
      // To a non-member, a project answers like one that does not exist.
      if (!(error instanceof TrellisError) || error.status >= 500) throw error;
    }
    throw automationErrors.create('AUTOMATION_OWNER_RIGHTS');
  };
}

const lostCodes: readonly string[] = [
  'AUTOMATION_OWNER_GONE',
  'AUTOMATION_OWNER_TOKEN',
  'AUTOMATION_OWNER_RIGHTS',
];

/** Whether an error of `OwnerScope` means that the automation has no valid owner any more. */
export function isOwnerLost(error: unknown): error is TrellisError {
  return error instanceof TrellisError && lostCodes.includes(error.code);
}

/** Whether an error is caused by the automation itself, which pauses it, and not by the server or a database. */
export function stopsAutomation(error: unknown): error is TrellisError {
  return error instanceof TrellisError && (error.status < 500 || isOwnerLost(error));
}
