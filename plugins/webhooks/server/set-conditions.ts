import { auditText, isOfStoredCells, RowStoreToken, type ServerPluginContext } from '@trellis/sdk/server';
import type { FilterNode } from '@trellis/sdk/shared';
import type { Moment } from '../shared/index.ts';
import { partOf } from './hook-entities.ts';
import { hookErrors } from './hook-errors.ts';
import type { FoundHook } from './hook-places.ts';
import type { Hook, HookStore } from './hook-store.ts';
import { createRecord, type RecordHook } from './record.ts';
import { createAssertSeesWholeRows } from './sees-whole-rows.ts';

export type SetConditions = (
  found: FoundHook,
  how: { readonly when: Moment; readonly by: Parameters<RecordHook>[0] },
  change: (now: readonly FilterNode[]) => readonly FilterNode[],
) => Promise<Hook>;

/** The most conditions and groups of one moment: every change of the table evaluates them. */
const mostConditions = 500;

function countOf(nodes: readonly FilterNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + (node.kind === 'group' ? countOf(node.children) : 0), 0);
}

/** Validates conditions, so that their author gets the errors. */
export function createCheckConditions(ctx: ServerPluginContext) {
  const rows = ctx.get(RowStoreToken);
  return async (
    { handle, scope }: Pick<FoundHook, 'handle' | 'scope'>,
    when: Moment,
    filters: readonly FilterNode[],
  ): Promise<void> => {
    if (countOf(filters) > mostConditions)
      throw hookErrors.create('HOOK_CONDITIONS_MANY', { most: mostConditions });
    const condition = await rows.conditionOf(handle, { filters, reader: scope.principal });
    if (when === 'before' && condition !== undefined && !isOfStoredCells(condition, handle))
      throw hookErrors.create('HOOK_BEFORE');
  };
}

/** Changes the conditions of webhooks after validating them. */
export function createSetConditions(ctx: ServerPluginContext, hooks: HookStore): SetConditions {
  const check = createCheckConditions(ctx);
  const assertSeesWholeRows = createAssertSeesWholeRows(ctx);
  const record = createRecord(ctx);
  return async ({ hook, handle, scope }, { when, by }, change) => {
    const part = partOf[when];
    await assertSeesWholeRows(handle);
    await check({ handle, scope }, when, change(hook[part]));
    const changed = await hooks.change(hook.id, (now) => ({
      [part]: change(now[part]),
      owner: by.principal,
      updatedAt: Date.now(),
    }));
    if (changed === undefined) throw hookErrors.create('HOOK_NOT_FOUND');
    const { title } = changed.settings;
    await record(
      by,
      changed,
      'UPDATED',
      auditText('The conditions of the webhook {{title}} were changed', { title }),
    );
    return changed;
  };
}
