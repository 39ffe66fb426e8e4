import type { FilterNode } from '@trellis/sdk/shared';

/** The usual roles that a rule can be for. Owners and creators see every row, since they make the rules. */
export const ruledRoles = ['editor', 'commenter', 'viewer'] as const;

export const ruleLimits = ['see', 'change'] as const;
/** What a rule keeps from a role. */
export type RuleLimit = (typeof ruleLimits)[number];

/** Which rows of a table exist for those who see the project by a role. */
export interface RowRule {
  readonly tableId: string;
  /** One of `ruledRoles`, or the id of a custom role. */
  readonly role: string;
  /** `see`: other rows do not exist for the role. `change`: they are seen, and neither changed nor deleted. */
  readonly limits: RuleLimit;
  /** What a row must meet. */
  readonly filters: readonly FilterNode[];
}

/** Conditions and groups of one rule. */
export const mostConditions = 50;
/** Groups in groups. */
export const deepestGroup = 4;
