import { isVisitor, type AccessScope, type Principal, type ViewAct } from '@trellis/sdk/server';

/** What is asked of a caller, beside the view itself. */
export interface ViewRights {
  readonly principal: Principal;
  /** The views that a narrowing left, or `all`. */
  readonly views: 'all' | ReadonlySet<string>;
}

type View = Exclude<Parameters<AccessScope['can']>[0], undefined>;

/**
 * The one place that decides about a view by its mode and owner. A personal view is its owner's alone, whatever the others' roles
 * are; a locked one stays as people left it until its mode changes. The server itself takes out of it what is not there any more.
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
