import { defineErrors } from '@trellis/sdk/shared';

export const ruleErrors = defineErrors({
  ROW_RULE_ROLE: { status: 400, message: 'A rule is for editors, commenters, viewers or a custom role.' },
  ROW_RULE_TABLE: { status: 404, message: 'This table is not there (any more).' },
  ROW_RULE_EMPTY: { status: 400, message: 'A rule needs at least one condition with a value.' },
  ROW_RULE_LARGE: {
    status: 400,
    message: 'A rule has at most {most} conditions, and groups at most {deepest} deep.',
  },
  ROW_RULE_SHAPE: { status: 400, message: 'A condition of the rule has no column or no comparison.' },
});
