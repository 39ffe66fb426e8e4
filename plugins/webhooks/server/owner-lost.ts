import { AccessServiceToken, createPresentOwner, type ServerPluginContext } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { Hook } from './hook-store.ts';
import type { OwnerCode } from './pause-codes.ts';
import { createSeesWholeRows } from './sees-whole-rows.ts';

/** Why a webhook must not send anything with its owner's rights now; undefined if it may. */
export type OwnerLost = (
  hook: Pick<Hook, 'owner' | 'projectId' | 'tableId'>,
) => Promise<OwnerCode | undefined>;

/**
 * A webhook sends whole rows with its owner's rights: as long as the owner may manage webhooks of the table and can see it whole.
 */
export function createOwnerLost(ctx: ServerPluginContext): OwnerLost {
  const access = ctx.get(AccessServiceToken);
  const presentOwner = createPresentOwner(ctx);
  const seesWholeRows = createSeesWholeRows(ctx);
  return async ({ owner, projectId, tableId }) => {
    // Nobody has rights in a deleted project; its waiting events are sent anyway.
    if ((await access.locateProject(projectId)) !== projectId) return undefined;
    const present = await presentOwner(owner);
    if (present.kind === 'gone') return 'HOOK_OWNER_RIGHTS';
    if (present.kind === 'over') return 'HOOK_OWNER_TOKEN';
    try {
      const scope = await access.scopeFor(present.principal, projectId, 'webhooks');
      const inTable = scope.inTable(tableId);
      if (!inTable.may('hookCreate') && !inTable.may('hookUpdate')) return 'HOOK_OWNER_RIGHTS';
      const isWhole = await seesWholeRows({ table: { id: tableId, projectId }, scope });
      return isWhole ? undefined : 'HOOK_OWNER_LIMITED';
    } catch (error) {
      // To a non-member, a project answers like one that does not exist.
      if (error instanceof TrellisError && error.status < 500) return 'HOOK_OWNER_RIGHTS';
      throw error;
    }
  };
}
