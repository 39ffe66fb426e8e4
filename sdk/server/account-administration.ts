import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { PageRequest } from './row-reads.ts';
import type { Account } from './services.ts';

/** Which accounts are listed. @public */
export interface AccountQuery extends PageRequest {
  /** Words that must each occur in the address or a name, in any case. */
  readonly search?: string;
}

/** A page of accounts. @public */
export interface AccountPage {
  readonly list: readonly Account[];
  /** The number of accounts on all pages. */
  readonly total: number;
}

/**
 * The accounts of this server, for those who administer it, with scopes that name no project. Callers cannot change their own
 * account here, and a server always keeps a super admin who can sign in. Changes run one at a time, so that two together cannot
 * break this rule.
 *
 * Throws 400 `ACCOUNT_UNKNOWN`, `ACCOUNT_OWN`, `LAST_SUPER_ADMIN` and `ONLY_OWNER`.
 * @public
 */
export interface AccountAdministration {
  /** Ordered by address. Requires `accountList`. */
  list(scope: AccessScope, query: AccountQuery): Promise<AccountPage>;
  /** Requires `accountList`. */
  read(scope: AccessScope, accountId: string): Promise<Account>;
  /** Invalidates every credential of the account at once: sessions, tokens, sockets. Requires `accountUpdate`. */
  disable(scope: AccessScope, accountId: string): Promise<Account>;
  /** Allows the person to sign in again; tokens work as before. Requires `accountUpdate`. */
  enable(scope: AccessScope, accountId: string): Promise<Account>;
  /** Makes the person a super admin. Requires `accountUpdate`. */
  promote(scope: AccessScope, accountId: string): Promise<Account>;
  /** Makes a super admin an ordinary account. Requires `accountUpdate`. */
  demote(scope: AccessScope, accountId: string): Promise<Account>;
  /**
   * Ends the sessions and unfinished sign-ins of another account. Call it after removing a way by which the person proves their
   * identity. Requires `accountUpdate`.
   */
  endSessions(scope: AccessScope, accountId: string): Promise<Account>;
  /**
   * Deletes an account and its memberships; everything that the person made stays. Throws `ONLY_OWNER`, naming the projects,
   * while the account is the only owner of one. Resolves to the former account. Requires `accountDelete`.
   */
  remove(scope: AccessScope, accountId: string): Promise<Account>;
}
/** Accounts, for administrators. @public */
export const AccountAdministrationToken = createToken<AccountAdministration>('account-administration');
