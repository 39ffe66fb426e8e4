import { createToken, type ProjectRole } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';
import type { Account } from '../services.ts';

/** An invited person who has not joined yet. @public */
export interface Invitation {
  readonly id: string;
  /** In its normal form. */
  readonly email: string;
  readonly role: ProjectRole | undefined;
  /** UTC, milliseconds since 1970. */
  readonly createdAt: number;
  /** UTC, milliseconds since 1970; the link expires then, and a new one can be created. */
  readonly expiresAt: number;
}

/** The text parameters of an invitation mail. @public */
export interface InvitationLetter {
  /** The inviter's languages, as the browser sends them (`accept-language`). */
  readonly languages: string | undefined;
  /** The project of the invitation. */
  readonly projectTitle?: string;
}

/** An invitation that was created, or whose link was renewed. @public */
export interface SentInvitation {
  readonly invitation: Invitation;
  /** The end of the link, if no mail has delivered it. It is not stored. */
  readonly token?: string;
  /** `off`: mail is not set up. `waiting`: the mail server did not answer, and the mail will be tried again. */
  readonly mail: 'sent' | 'waiting' | 'off';
}

/**
 * Invitations to the scope's project, or to this server if the scope names none. Each is for one address, works once, expires after
 * seven days, and has only one valid link, the newest. Provided by `sys-users`.
 *
 * Throws 400 `INVITATION_MISSING` for an unknown id, or one of another project.
 * @beta
 */
export interface Invitations {
  /** Sorted by address. Requires `userList`, without a project `accountList`. */
  list(scope: AccessScope): Promise<readonly Invitation[]>;
  /** Invites an address, or renews its invitation. Requires `userInvite`, without a project `accountInvite`. */
  invite(
    scope: AccessScope,
    who: { readonly email: string; readonly role?: ProjectRole },
    letter: InvitationLetter,
  ): Promise<SentInvitation>;
  /** Creates a new link, and sends it if mail is set up. Requires the same permission as `invite`. */
  renew(scope: AccessScope, id: string, letter: InvitationLetter): Promise<SentInvitation>;
  /** Requires `projectUserUpdate`. */
  setRole(scope: AccessScope, id: string, role: ProjectRole): Promise<void>;
  /** The link stops working at once. Requires `projectUserDelete`, without a project `accountInvite`. */
  remove(scope: AccessScope, id: string): Promise<void>;
  /** Tells a person who already has an account that they were added. */
  announce(scope: AccessScope, account: Account, letter: InvitationLetter): Promise<void>;
}
/** Invitations. @beta */
export const InvitationsToken = createToken<Invitations>('invitations');
