import type { ProjectRole } from '@trellis/sdk/shared';

/** What the holder of an invitation's link may know about it. */
export interface InvitationEntity {
  readonly email: string;
  /** Null for an invitation to the server alone. */
  readonly project: { readonly id: string; readonly title: string } | null;
  readonly role: ProjectRole | null;
  /** A person with an account signs in to accept. */
  readonly has_account: boolean;
}
