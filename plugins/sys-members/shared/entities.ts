import type { Page, ProjectRole } from '@trellis/sdk/shared';

/** A member of a project, or an invited person, in the shape of the v1 API. */
export interface MemberEntity {
  /** The account's id; that of the invitation for an invited person. */
  readonly id: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
  /** The address of the picture; an extension of the v1 API. */
  readonly picture: string | null;
  /** Account roles separated by commas; empty for an invited person. */
  readonly main_roles: string;
  readonly project_id: string;
  readonly roles: ProjectRole;
  /** The custom role that limits `roles`; an extension of the v1 API. */
  readonly custom_role: { readonly id: string; readonly title: string } | null;
  /** Whether the account is disabled, so that the person cannot sign in; an extension of the v1 API. */
  readonly disabled: boolean;
  /** Always null: links of invitations are not stored. */
  readonly invite_token: null;
  readonly created_at: string;
  /** When the link of an invitation expires; null for members. */
  readonly invited_until: string | null;
}

/** The answer of the list of members. */
export interface MemberList {
  readonly users: Page<MemberEntity>;
}

/** A person whom a call invited. */
export interface InvitedPerson {
  readonly email: string;
  /** The end of the link, if no mail has delivered it. */
  readonly invite_token: string | null;
  /** `added` for a person who has an account and is now a member. */
  readonly outcome: 'added' | 'mailed' | 'waiting' | 'link';
}

/** An address that was refused, with the error. */
export interface RefusedPerson {
  readonly email: string;
  readonly error: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The answer of adding people; published clients read `msg`, `invite_token`, `email` and `emails`. */
export interface AddAnswer {
  readonly msg?: string;
  readonly invite_token?: string;
  readonly email?: string;
  readonly emails?: readonly string[];
  readonly error?: readonly RefusedPerson[];
  readonly people: readonly InvitedPerson[];
  /** What prevents mails with links, if a person was invited only by a link although a sender is set up: the site's address. */
  readonly mail_lacks?: 'address';
}

/** The kind of the live event for invitations to a project. Changes of its members are announced as changes of the projects. */
export const teamObjectKind = 'team';

/** The kind of the live event for a project that gets a new owner from outside. */
export const ownersObjectKind = 'project-owners';

/** A project of the server, for its administrators. */
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
