import type { WebRoute } from '@trellis/sdk/web';

export const signInPath = '/user/authentication/signin';
export const projectsPath = '/projects';

/** Pages that are public for everybody; their plugins check the link itself. */
const exempt = ['/nc/view/', '/rpa/'];

export type GuardDecision =
  | { readonly kind: 'enter' }
  | { readonly kind: 'signIn'; readonly to: string }
  /** A guests' page, requested by somebody who is signed in. */
  | { readonly kind: 'onwards' }
  | { readonly kind: 'forbidden' };

/** Decides who may see a page. The server decides again for all data that the page reads. */
export function guardRoute(
  { access = 'signedIn' }: Pick<WebRoute, 'access'>,
  session: { readonly status: string; readonly superAdmin: boolean },
  path: string,
): GuardDecision {
  const signedIn = session.status === 'signedIn';
  if (access === 'everyone' || exempt.some((prefix) => path.startsWith(prefix))) return { kind: 'enter' };
  if (access === 'guest') return signedIn ? { kind: 'onwards' } : { kind: 'enter' };
  if (!signedIn) return { kind: 'signIn', to: `${signInPath}?continue=${encodeURIComponent(path)}` };
  if (access === 'superAdmin' && !session.superAdmin) return { kind: 'forbidden' };
  return { kind: 'enter' };
}

/** The target after signing in: always a path of this page, never another site. */
export function continueTarget(search: string): string {
  const wanted = new URLSearchParams(search).get('continue') ?? '/';
  const own = /^\/(?![/\\])[^\\]*$/.test(wanted) && !wanted.startsWith(signInPath);
  return own ? wanted : '/';
}
