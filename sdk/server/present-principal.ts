import type { Principal } from './access.ts';
import type { ServerPluginContext } from './context.ts';
import { AccountStoreToken, CredentialsToken, type AccountStore } from './services.ts';

/**
 * Somebody who began something once, with the address and the roles that the account has now, for what goes on in their name. Undefined
 * where the account is gone or disabled: nothing may be done in its name any more.
 *
 * @public
 */
export async function presentPrincipal(
  accounts: Pick<AccountStore, 'byId'>,
  principal: Principal,
): Promise<Principal | undefined> {
  const account = await accounts.byId(principal.id);
  if (account === undefined || account.isDisabled) return undefined;
  return { ...principal, email: account.email, accountRoles: account.roles };
}

/**
 * Who speaks for something that goes on by itself. `gone`: the account is, or is disabled. `over`: the credential by which they set it, such as an
 * API token, was taken back or has expired.
 *
 * @public
 */
export type PresentOwner =
  | { readonly kind: 'present'; readonly principal: Principal }
  | { readonly kind: 'gone' }
  | { readonly kind: 'over' };

/**
 * Asks who speaks for something by now that somebody set once, such as an automation. What they may do is asked of the principal.
 *
 * @public
 */
export function createPresentOwner(
  ctx: Pick<ServerPluginContext, 'get'>,
): (owner: Principal) => Promise<PresentOwner> {
  const accounts = ctx.get(AccountStoreToken);
  const credentials = ctx.get(CredentialsToken);
  return async (owner) => {
    const principal = await presentPrincipal(accounts, owner);
    if (principal === undefined) return { kind: 'gone' };
    return (await credentials.isGood(owner)) ? { kind: 'present', principal } : { kind: 'over' };
  };
}

/**
 * A principal as it is kept with what goes on in its name: with its credential only where somebody can say later whether that is still good.
 *
 * @public
 */
export function keptPrincipal(principal: Principal): Principal {
  return principal.resolver === undefined ? withoutCredential(principal) : principal;
}

function withoutCredential({ credentialId: _, ...principal }: Principal): Principal {
  return principal;
}
