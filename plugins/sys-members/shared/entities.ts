import type { Page, ProjectRole } from '@trellis/sdk/shared';

/** A member of a project, or somebody who was invited, in the shape of the v1 API. */
export interface MemberEntity {
  /** The account's id; that of the invitation for somebody who is not here yet. */
  readonly id: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
  /** Where the picture is read: an extra of ours. */
  readonly picture: string | null;
  /** Account roles with commas between them; empty for somebody who is not here yet. */
  readonly main_roles: string;
  readonly project_id: string;
  readonly roles: ProjectRole;
  /** The custom role that narrows `roles`: an extra of ours. */
  readonly custom_role: { readonly id: string; readonly title: string } | null;
  /** The account is disabled, so that the person cannot sign in: an extra of ours. */
  readonly disabled: boolean;
  /** Always null: links of invitations are kept nowhere. */
  readonly invite_token: null;
  readonly created_at: string;
  /** Until when the link of an invitation works; null for members. */
  readonly invited_until: string | null;
}

/** Answer of the list of members. */
export interface MemberList {
  readonly users: Page<MemberEntity>;
}

/** Somebody whom a call invited. */
export interface InvitedPerson {
  readonly email: string;
  /** What the link ends in, where no mail has brought it to the person. */
  readonly invite_token: string | null;
  /** `added` for somebody who has an account and is a member now. */
  readonly outcome: 'added' | 'mailed' | 'waiting' | 'link';
}

/** What an address was refused with. */
export interface RefusedPerson {
  readonly email: string;
  readonly error: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Answer of adding people; `msg`, `invite_token`, `email` and `emails` are what published clients read. */
export interface AddAnswer {
  readonly msg?: string;
  readonly invite_token?: string;
  readonly email?: string;
  readonly emails?: readonly string[];
  readonly error?: readonly RefusedPerson[];
  readonly people: readonly InvitedPerson[];
  /** What keeps mails with links in, where somebody was invited by a link alone and a sender is set up: the address of the site. */
  readonly mail_lacks?: 'address';
}

/** The kind of the live event that tells of invitations to a project. Of its members the page hears as of a change of the projects. */
export const teamObjectKind = 'team';

/** What pages hear of when a project gets another owner from outside. */
export const ownersObjectKind = 'project-owners';

/** A project of the server, as those see it who administer the server. */
export interface OwnedProjectEntity {
  readonly id: string;
  readonly title: string;
  readonly created_at: string;
  readonly owners: readonly {
    readonly id: string;
    readonly email: string;
    readonly is_disabled: boolean;
  }[];
}
