import { AccessServiceToken, SchemaStoreToken, type ServerPluginContext } from '@trellis/sdk/server';
import type { HookStore } from './hook-store.ts';
import type { Pause } from './pause.ts';

/** Pauses webhooks as soon as the view is gone whose rows they tell of. */
export function watchViews(
  ctx: ServerPluginContext,
  deps: { readonly hooks: HookStore; readonly pause: Pause },
): void {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  ctx.tap('schema.didChange', async ({ projectId, tableId, viewId }) => {
    if (tableId === undefined || viewId === undefined) return;
    const hooks = await deps.hooks.ofTables([tableId]);
    const told = hooks.filter(({ settings }) => settings.view_id === viewId);
    if (told.length === 0) return;
    const { tables } = await schema.snapshot(access.systemScope(projectId, 'webhooks'));
    const table = tables.get(tableId);
    // With its table, everything that its webhooks tell of is gone.
    if (table === undefined || table.views.some(({ id }) => id === viewId)) return;
    for (const { id } of told) await deps.pause(id, 'HOOK_VIEW_GONE');
  });
}
