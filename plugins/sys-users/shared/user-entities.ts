import type { Page } from '@trellis/sdk/shared';

/** Somebody who has an account, for those who administer the server. */
export interface ServerUserEntity {
  readonly id: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
  /** Where the picture is read. */
  readonly picture: string | null;
  readonly is_super: boolean;
  readonly is_disabled: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** Answer of the list of everybody who has an account. */
export type ServerUserList = Page<ServerUserEntity>;

/** What is changed of an account; what is absent stays. */
export interface ServerUserPatch {
  readonly is_super?: boolean;
  readonly is_disabled?: boolean;
}

/** A link that leads one person to a page. */
export interface MadeLink {
  readonly email: string;
  /** What the link ends in, where no mail has brought it to the person. It is shown this once. */
  readonly token: string | null;
  /** `off`: mail is not set up. `waiting`: the mail server is away, and the mail is tried again. */
  readonly mail: 'sent' | 'waiting' | 'off';
}

/** An invitation to this server. Times are `YYYY-MM-DD HH:mm:ss` in UTC. */
export interface ServerInvitationEntity {
  readonly id: string;
  readonly email: string;
  readonly created_at: string;
  readonly expires_at: string;
}
