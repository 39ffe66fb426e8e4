import type { Principal } from './access.ts';
import type { AccountStore } from './services.ts';

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
