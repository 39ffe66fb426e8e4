import { isVisitor, type AccessScope, type Principal, type ViewAct } from '@trellis/sdk/server';

/** The facts about a caller that decide, beside the view itself. */
export interface ViewRights {
  readonly principal: Principal;
  /** The views that a restriction left, or `all`. */
  readonly views: 'all' | ReadonlySet<string>;
}

type View = Exclude<Parameters<AccessScope['can']>[0], undefined>;

/**
 * The one place that decides about a view by its mode and owner. A personal view is its owner's alone, whatever the roles of
 * others; a locked one stays unchanged until its mode changes, except that the server removes what no longer exists.
 */
export function canWithView({ principal, views }: ViewRights, view: View, act: ViewAct): boolean {
  const isOwn = view.lockType !== 'personal' || view.ownerId === principal.id || principal.kind === 'system';
  const isSeen = isOwn && (views === 'all' || views.has(view.id));
  switch (act) {
    case 'see':
    case 'read':
      return isSeen;
    case 'change':
      return isSeen && (view.lockType !== 'locked' || principal.kind === 'system') && !isVisitor(principal);
    case 'delete':
      return isSeen && view.lockType !== 'locked' && !isVisitor(principal);
    case 'lock':
    case 'share':
      return isSeen && !isVisitor(principal);
  }
}
