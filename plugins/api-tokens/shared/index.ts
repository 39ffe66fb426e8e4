import type { ProjectRole } from '@trellis/sdk/shared';

/** A token as it travels, in the shape of the v1 API with extras. */
export interface TokenEntity {
  readonly id: string;
  /** Null for a token for all projects of its owner. */
  readonly project_id: string | null;
  readonly db_alias: null;
  readonly description: string;
  /** The most that it may do; never more than its owner at the time. */
  readonly permissions: ProjectRole;
  /** The whole token in the answer that made it, and its beginning later. */
  readonly token: string;
  /** `YYYY-MM-DD HH:mm:ss` in UTC; null for one without end. */
  readonly expiry: string | null;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_used_at: string | null;
  /** Whose rights it has. */
  readonly owner: { readonly id: string; readonly email: string };
}

/** Pages that list the tokens of a project hear by it of a change. */
export const tokensObjectKind = 'api-tokens';
/** Characters of the name of a token. */
export const longestDescription = 100;
/** Tokens of one person. */
export const mostTokens = 100;
