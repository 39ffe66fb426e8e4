import type { Page } from '@trellis/sdk/shared';

/** An account, for administrators of the server. */
export interface ServerUserEntity {
  readonly id: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
  /** The address of the picture. */
  readonly picture: string | null;
  readonly is_super: boolean;
  readonly is_disabled: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** The answer of the list of accounts. */
export type ServerUserList = Page<ServerUserEntity>;

/** Changes of an account; absent properties stay unchanged. */
export interface ServerUserPatch {
  readonly is_super?: boolean;
  readonly is_disabled?: boolean;
}

/** A link for one person. */
export interface MadeLink {
  readonly email: string;
  /** The end of the link, if no mail has delivered it. It is shown only once. */
  readonly token: string | null;
  /** `off`: mail is not set up. `waiting`: the mail server did not answer, and the mail will be tried again. */
  readonly mail: 'sent' | 'waiting' | 'off';
}

/** An invitation to this server. Times are `YYYY-MM-DD HH:mm:ss` in UTC. */
export interface ServerInvitationEntity {
  readonly id: string;
  readonly email: string;
  readonly created_at: string;
  readonly expires_at: string;
}
