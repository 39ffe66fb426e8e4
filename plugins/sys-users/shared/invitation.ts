import type { ProjectRole } from '@trellis/sdk/shared';

/** What somebody who holds the link of an invitation may know of it. */
export interface InvitationEntity {
  readonly email: string;
  /** Null for an invitation to the server alone. */
  readonly project: { readonly id: string; readonly title: string } | null;
  readonly role: ProjectRole | null;
  /** Whoever has an account signs in to accept. */
  readonly has_account: boolean;
}
