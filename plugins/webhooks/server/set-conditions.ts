import { RowStoreToken, type ServerPluginContext } from '@trellis/sdk/server';
import type { FilterNode } from '@trellis/sdk/shared';
import { partOf, type Moment } from './hook-entities.ts';
import { hookErrors } from './hook-errors.ts';
import type { FoundHook } from './hook-places.ts';
import type { Hook, HookStore } from './hook-store.ts';
import { isOfStoredCells } from './is-met.ts';

export type SetConditions = (
  found: FoundHook,
  when: Moment,
  change: (now: readonly FilterNode[]) => readonly FilterNode[],
) => Promise<Hook>;

/** Changes the conditions of webhooks, once they are known to mean something. */
export function createSetConditions(ctx: ServerPluginContext, hooks: HookStore): SetConditions {
  const rows = ctx.get(RowStoreToken);
  return async ({ hook, handle, scope }, when, change) => {
    const part = partOf[when];
    // Tried now, so that who sets them is told what is wrong with them.
    const condition = await rows.conditionOf(handle, {
      filters: change(hook[part]),
      reader: scope.principal,
    });
    if (when === 'before' && condition !== undefined && !isOfStoredCells(condition, handle))
      throw hookErrors.create('HOOK_BEFORE');
    const changed = await hooks.change(hook.id, (now) => ({
      [part]: change(now[part]),
      updatedAt: Date.now(),
    }));
    if (changed === undefined) throw hookErrors.create('HOOK_NOT_FOUND');
    return changed;
  };
}
