import type { ProjectRole } from '@trellis/sdk/shared';

/** A token in answers, in the shape of the v1 API with extensions. */
export interface TokenEntity {
  readonly id: string;
  /** Null for a token for all projects of its owner. */
  readonly project_id: string | null;
  readonly db_alias: null;
  readonly description: string;
  /** The most rights that it has; never more than its owner has at the time. */
  readonly permissions: ProjectRole;
  /** The whole token in the answer that created it, later only its prefix. */
  readonly token: string;
  /** `YYYY-MM-DD HH:mm:ss` in UTC; null for one that does not expire. */
  readonly expiry: string | null;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_used_at: string | null;
  /** Whose rights it has. */
  readonly owner: { readonly id: string; readonly email: string };
}

/** The kind of the live event for changed tokens of a project. */
export const tokensObjectKind = 'api-tokens';
/** The most characters of a token's description. */
export const longestDescription = 100;
/** The most tokens of one person. */
export const mostTokens = 100;
