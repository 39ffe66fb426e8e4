import type { FilterNode } from '@trellis/sdk/shared';

/** The built-in roles that can have rules. Owners and creators see every row, since they make the rules. */
export const ruledRoles = ['editor', 'commenter', 'viewer'] as const;

export const ruleLimits = ['see', 'change'] as const;
/** What a rule restricts. */
export type RuleLimit = (typeof ruleLimits)[number];

/** The kind of the live event for changed row rules of a project. */
export const rulesObjectKind = 'row-rules';

/** The rows of a table that exist for people with a role in the project. */
export interface RowRule {
  readonly tableId: string;
  /** One of `ruledRoles`, or the id of a custom role. */
  readonly role: string;
  /** `see`: other rows do not exist for the role. `change`: they are visible, but can be neither changed nor deleted. */
  readonly limits: RuleLimit;
  /** The conditions that a row must meet. */
  readonly filters: readonly FilterNode[];
  /** Whether no row meets it until it is saved again, since it names a deleted value, such as an option of a list. */
  readonly isStopped: boolean;
  /** Identifies the rule's content: a change sends it back as `replaces`. */
  readonly revision: string;
}

/** The most conditions and groups of one rule. */
export const mostConditions = 50;
/** The deepest nesting of groups. */
export const deepestGroup = 4;
