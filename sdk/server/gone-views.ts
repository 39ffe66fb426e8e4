import type { Disposable } from '../shared/index.ts';
import type { ServerPluginContext } from './context.ts';
import { AccessServiceToken, SchemaStoreToken } from './services.ts';

/** A plugin's data about views. @public */
export interface KeptOfViews<Kept> {
  /** The data of a view; called whenever a view changed, so it should be fast. */
  keptOf(view: { readonly tableId: string; readonly viewId: string }): Promise<readonly Kept[]>;
  /** Called with the data of a deleted view, unless there is none. */
  didGo(kept: readonly Kept[]): Promise<void>;
}

/**
 * Reports views that are deleted while their tables stay. Views deleted with their table are not reported, since the table may be
 * restored with them.
 * @public
 */
export function followGoneViews<Kept>(
  ctx: ServerPluginContext,
  { keptOf, didGo }: KeptOfViews<Kept>,
): Disposable {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  return ctx.tap('schema.didChange', async ({ projectId, tableId, viewId }) => {
    if (tableId === undefined || viewId === undefined) return;
    const kept = await keptOf({ tableId, viewId });
    if (kept.length === 0) return;
    const { tables } = await schema.snapshot(access.systemScope(projectId, ctx.manifest.id));
    const table = tables.get(tableId);
    if (table !== undefined && table.views.every(({ id }) => id !== viewId)) await didGo(kept);
  });
}
