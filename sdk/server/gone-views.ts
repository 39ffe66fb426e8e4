import type { Disposable } from '../shared/index.ts';
import type { ServerPluginContext } from './context.ts';
import { AccessServiceToken, SchemaStoreToken } from './services.ts';

/** What a plugin keeps that belongs to views. @public */
export interface KeptOfViews<Kept> {
  /** What is kept of a view; asked whenever a view changed, so it should be quick. */
  keptOf(view: { readonly tableId: string; readonly viewId: string }): Promise<readonly Kept[]>;
  /** Called with what is kept of a view that is gone, and not where that is nothing. */
  didGo(kept: readonly Kept[]): Promise<void>;
}

/**
 * Follows views that are deleted while their tables stay. Views that go with their table are not told of: the table may come back with
 * them.
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
