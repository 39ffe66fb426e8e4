import type { Principal } from './access.ts';

/** Links whose principal is remembered. */
const mostRemembered = 1000;

/**
 * The principals of visitors: whoever comes by a link and has no account here, one principal for each link.
 *
 * @param kind what the link opens.
 * @param rule the id of the scope rule that says what such a visitor may do; no other right is theirs.
 * @returns the principal of a link, by what names the link.
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

/** Somebody who came by a shared link and is no member. @public */
export function isVisitor({ kind }: Principal): boolean {
  return kind === 'sharedView' || kind === 'sharedBase';
}
