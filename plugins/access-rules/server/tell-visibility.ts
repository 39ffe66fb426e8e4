import type { ServerPluginContext } from '@trellis/sdk/server';
import { hideableRoles } from '../shared/index.ts';

/** Each usual role with whether a view is hidden from it, as the v1 API tells of views. Nothing is hidden from owners. */
export function disabledOf(hiddenFrom: ReadonlySet<string> = new Set()): Readonly<Record<string, boolean>> {
  return {
    owner: false,
    ...Object.fromEntries(hideableRoles.map((role) => [role, hiddenFrom.has(role)])),
    guest: false,
  };
}

/** Adds to views as members are told of them for which roles each is not listed. */
export function tellVisibility(ctx: ServerPluginContext): void {
  ctx.tap('views.willTell', (views, { scope }) => {
    // Whoever came by a link is told of nobody's role.
    if (scope.principal.kind !== 'user' && scope.principal.kind !== 'token') return views;
    return views.map((view) => ({ ...view, disabled: disabledOf(new Set(scope.hiddenFrom(view.id))) }));
  });
}
