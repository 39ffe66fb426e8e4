import type { Principal } from './access.ts';

/** The most links whose principal is remembered. */
const mostRemembered = 1000;

/**
 * The principals of visitors, who come by a link without an account: one principal for each link.
 *
 * @param kind the kind of object that the link opens.
 * @param rule the id of the scope rule that gives such a visitor rights; they have no others.
 * @returns a function from a link's id to its principal.
 * @public
 */
export function principalsOfVisitors(
  kind: 'sharedBase' | 'sharedView',
  rule: string,
): (credentialId: string) => Principal {
  const known = new Map<string, Principal>();
  return (credentialId) => {
    let principal = known.get(credentialId);
    if (principal === undefined) {
      if (known.size >= mostRemembered) known.clear();
      principal = Object.freeze<Principal>({
        kind,
        id: '',
        email: '',
        accountRoles: [],
        credentialId,
        scopeRules: [rule],
      });
      known.set(credentialId, principal);
    }
    return principal;
  };
}

/** Whether a principal is a visitor of a shared link, who is no member. @public */
export function isVisitor({ kind }: Principal): boolean {
  return kind === 'sharedView' || kind === 'sharedBase';
}
