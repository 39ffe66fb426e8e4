import { AccessServiceToken, SchemaStoreToken, type ServerPluginContext } from '@trellis/sdk/server';
import type { Tally } from './tally.ts';

/** Forgets how many answers a form had, and by whom, as soon as it is deleted. */
export function watchForms(ctx: ServerPluginContext, tally: Tally): void {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  ctx.tap('schema.didChange', async ({ projectId, tableId, viewId }) => {
    if (tableId === undefined || viewId === undefined) return;
    const { tables } = await schema.snapshot(access.systemScope(projectId, 'view-form'));
    const table = tables.get(tableId);
    // A table that was deleted may come back with its forms.
    if (table === undefined || table.views.some(({ id }) => id === viewId)) return;
    await tally.forget(viewId);
  });
}
