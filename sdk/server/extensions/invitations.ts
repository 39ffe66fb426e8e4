import { createToken, type ProjectRole } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';
import type { Account } from '../services.ts';

/** Somebody who was asked to come and is not here yet. @public */
export interface Invitation {
  readonly id: string;
  /** In its normal form. */
  readonly email: string;
  readonly role: ProjectRole | undefined;
  /** UTC, milliseconds since 1970. */
  readonly createdAt: number;
  /** UTC, milliseconds since 1970; the link does not work any more then, and a new one can be made. */
  readonly expiresAt: number;
}

/** How an invited person hears of it. @public */
export interface InvitationLetter {
  /** The languages of whoever invites, as a browser sends them (`accept-language`). */
  readonly languages: string | undefined;
  /** What the person is invited to. */
  readonly projectTitle?: string;
}

/** An invitation that was made, or whose link was. @public */
export interface SentInvitation {
  readonly invitation: Invitation;
  /** What the link ends in, where no mail has brought it to the person. It is nowhere kept. */
  readonly token?: string;
  /** `off`: mail is not set up. `waiting`: the mail server is away, and the mail is tried again. */
  readonly mail: 'sent' | 'waiting' | 'off';
}

/**
 * Invitations to the scope's project, or to this server where it names none. Each is for one address, works once, for seven days,
 * and has one link, the newest. Provided by `sys-users`.
 *
 * Throws 400 `INVITATION_MISSING` for an id of another project or of nothing.
 * @beta
 */
export interface Invitations {
  /** By address. Requires `userList`, without a project `accountList`. */
  list(scope: AccessScope): Promise<readonly Invitation[]>;
  /** Invites an address, or invites it anew. Requires `userInvite`, without a project `accountInvite`. */
  invite(
    scope: AccessScope,
    who: { readonly email: string; readonly role?: ProjectRole },
    letter: InvitationLetter,
  ): Promise<SentInvitation>;
  /** Makes a new link, and sends it where mail is set up. Requires what `invite` does. */
  renew(scope: AccessScope, id: string, letter: InvitationLetter): Promise<SentInvitation>;
  /** Requires `projectUserUpdate`. */
  setRole(scope: AccessScope, id: string, role: ProjectRole): Promise<void>;
  /** Its link is dead at once. Requires `projectUserDelete`, without a project `accountInvite`. */
  remove(scope: AccessScope, id: string): Promise<void>;
  /** Tells somebody who has an account already that they were added. */
  announce(scope: AccessScope, account: Account, letter: InvitationLetter): Promise<void>;
}
/** Invitations. @beta */
export const InvitationsToken = createToken<Invitations>('invitations');
