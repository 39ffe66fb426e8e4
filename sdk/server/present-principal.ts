import type { Principal } from './access.ts';
import type { ServerPluginContext } from './context.ts';
import { AccountStoreToken, CredentialsToken, type AccountStore } from './services.ts';

/**
 * A principal that started some work, with the present address and roles of its account. Undefined if the account is gone or
 * disabled: then nothing may be done in its name.
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
 * The present owner of something that works by itself. `gone`: the account is gone or disabled. `over`: the credential with which
 * it was set up, such as an API token, was revoked or has expired.
 *
 * @public
 */
export type PresentOwner =
  | { readonly kind: 'present'; readonly principal: Principal }
  | { readonly kind: 'gone' }
  | { readonly kind: 'over' };

/**
 * Makes a function that returns the present owner of something that was set up earlier, such as an automation. The rights are
 * those of the returned principal.
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
 * A principal in the form that is stored with work in its name: with its credential only if a resolver can later tell whether it
 * is still valid.
 *
 * @public
 */
export function keptPrincipal(principal: Principal): Principal {
  return principal.resolver === undefined ? withoutCredential(principal) : principal;
}

function withoutCredential({ credentialId: _, ...principal }: Principal): Principal {
  return principal;
}
