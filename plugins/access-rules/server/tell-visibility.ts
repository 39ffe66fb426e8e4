import type { ServerPluginContext } from '@trellis/sdk/server';
import { hideableRoles } from '../shared/index.ts';

/** Whether a view is hidden, by built-in role, in the form of the v1 API. Nothing is hidden from owners. */
export function disabledOf(hiddenFrom: ReadonlySet<string> = new Set()): Readonly<Record<string, boolean>> {
  return {
    owner: false,
    ...Object.fromEntries(hideableRoles.map((role) => [role, hiddenFrom.has(role)])),
    guest: false,
  };
}

/** Adds to views for members the roles for which each is hidden. */
export function tellVisibility(ctx: ServerPluginContext): void {
  ctx.tap('views.willTell', (views, { scope }) => {
    // Visitors of a link learn of no roles.
    if (scope.principal.kind !== 'user' && scope.principal.kind !== 'token') return views;
    return views.map((view) => ({ ...view, disabled: disabledOf(new Set(scope.hiddenFrom(view.id))) }));
  });
}
