import { AccessServiceToken, createPresentOwner, type ServerPluginContext } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { Hook } from './hook-store.ts';
import type { OwnerCode } from './pause-codes.ts';
import { createSeesWholeRows } from './sees-whole-rows.ts';

/** Why a webhook may tell nothing in the name of its owner at the moment; undefined where it may. */
export type OwnerLost = (
  hook: Pick<Hook, 'owner' | 'projectId' | 'tableId'>,
) => Promise<OwnerCode | undefined>;

/** A webhook tells of whole rows in the name of whoever answers for it: as long as they may keep webhooks of the table and see it whole. */
export function createOwnerLost(ctx: ServerPluginContext): OwnerLost {
  const access = ctx.get(AccessServiceToken);
  const presentOwner = createPresentOwner(ctx);
  const seesWholeRows = createSeesWholeRows(ctx);
  return async ({ owner, projectId, tableId }) => {
    // Of a project in the trash nobody has rights; what waits of it is told all the same.
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
      // A project that somebody is not in answers like one that never was.
      if (error instanceof TrellisError && error.status < 500) return 'HOOK_OWNER_RIGHTS';
      throw error;
    }
  };
}
