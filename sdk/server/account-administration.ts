import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { PageRequest } from './row-reads.ts';
import type { Account } from './services.ts';

/** Which accounts are listed. @public */
export interface AccountQuery extends PageRequest {
  /** Words that must each be in the address or a name, in any case. */
  readonly search?: string;
}

/** A page of accounts. @public */
export interface AccountPage {
  readonly list: readonly Account[];
  /** How many there are on all pages. */
  readonly total: number;
}

/**
 * The accounts of this server, for those who administer it, with scopes that name no project. Nobody changes the own account here, and
 * a server keeps a super admin who can sign in; changes of one moment take turns, so that two cannot break this together.
 *
 * Throws 400 `ACCOUNT_UNKNOWN`, `ACCOUNT_OWN`, `LAST_SUPER_ADMIN` and `ONLY_OWNER`.
 * @public
 */
export interface AccountAdministration {
  /** By address. Requires `accountList`. */
  list(scope: AccessScope, query: AccountQuery): Promise<AccountPage>;
  /** Requires `accountList`. */
  read(scope: AccessScope, accountId: string): Promise<Account>;
  /** From now on every credential of the account is nobody's: sessions, tokens, sockets. Requires `accountUpdate`. */
  disable(scope: AccessScope, accountId: string): Promise<Account>;
  /** The person may sign in again, and tokens work as before. Requires `accountUpdate`. */
  enable(scope: AccessScope, accountId: string): Promise<Account>;
  /** Makes the person a super admin. Requires `accountUpdate`. */
  promote(scope: AccessScope, accountId: string): Promise<Account>;
  /** Makes a super admin a person like others. Requires `accountUpdate`. */
  demote(scope: AccessScope, accountId: string): Promise<Account>;
  /**
   * Ends the sessions of somebody else, and sign-ins that are half done: for whoever takes away how the person proves who they are.
   * Requires `accountUpdate`.
   */
  endSessions(scope: AccessScope, accountId: string): Promise<Account>;
  /**
   * Deletes an account and its memberships; what the person made stays. Refuses with `ONLY_OWNER`, which names the projects, while it is
   * the only owner of one. Resolves to the account that was. Requires `accountDelete`.
   */
  remove(scope: AccessScope, accountId: string): Promise<Account>;
}
/** Accounts, for administrators. @public */
export const AccountAdministrationToken = createToken<AccountAdministration>('account-administration');
