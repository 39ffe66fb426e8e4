import type { FilterNode } from '@trellis/sdk/shared';

/** The usual roles that a rule can be for. Owners and creators see every row, since they make the rules. */
export const ruledRoles = ['editor', 'commenter', 'viewer'] as const;

export const ruleLimits = ['see', 'change'] as const;
/** What a rule keeps from a role. */
export type RuleLimit = (typeof ruleLimits)[number];

/** The kind of the live event that tells that row rules of a project changed. */
export const rulesObjectKind = 'row-rules';

/** Which rows of a table exist for those who see the project by a role. */
export interface RowRule {
  readonly tableId: string;
  /** One of `ruledRoles`, or the id of a custom role. */
  readonly role: string;
  /** `see`: other rows do not exist for the role. `change`: they are seen, and neither changed nor deleted. */
  readonly limits: RuleLimit;
  /** What a row must meet. */
  readonly filters: readonly FilterNode[];
  /** Whether no row meets it until it is saved anew, since it names a value that was deleted, such as an option of a list. */
  readonly isStopped: boolean;
  /** Names what the rule says: a change sends it back as `replaces`. */
  readonly revision: string;
}

/** Conditions and groups of one rule. */
export const mostConditions = 50;
/** Groups in groups. */
export const deepestGroup = 4;
