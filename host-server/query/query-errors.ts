import { defineErrors } from '@trellis/core';

export const queryErrors = defineErrors({
  WHERE_SYNTAX: { status: 400, message: 'The where is not understood at character {position}: {problem}.' },
  WHERE_TOO_LARGE: {
    status: 400,
    message: 'The where has more than {limit} conditions or is nested too deep.',
  },
  COLUMN_UNKNOWN: { status: 400, message: "There is no column '{column}' to {use} by." },
  SORTS_TOO_MANY: { status: 400, message: 'Rows can be sorted by at most {limit} columns.' },
  GROUPS_TOO_MANY: { status: 400, message: 'Rows can be grouped by at most {limit} columns.' },
  OPERATOR_UNKNOWN: { status: 400, message: "There is no comparison '{operator}'." },
  FILTER_OPERATOR_DISABLED: {
    status: 409,
    message:
      "The comparison '{operator}' belongs to a plugin that is switched off or removed. Show the view without this filter, take it out, or have the plugin switched on.",
  },
  FILTER_OPERATOR_FAILED: {
    status: 500,
    message:
      "The comparison '{operator}' failed, so nothing was read or changed. The page of its plugin in the app store says why.",
  },
  FILTER_UNFIT: {
    status: 409,
    message:
      "The filter of this view on '{column}' {problem}. Show the view without this filter, or change the filter.",
  },
  FILTER_VALUE: { status: 400, message: "The filter on '{column}' {problem}." },
  FILTER_NESTED: { status: 400, message: 'must not nest deeper than {most} levels' },
  FILTER_WITHOUT_VALUE: { status: 400, message: 'has no value to compare with' },
  COLUMN_MISSING: {
    status: 409,
    message: "The table '{table}' no longer has a column that this query is computed from.",
  },
  COLUMN_WITHOUT_ORDER: {
    status: 400,
    message: "Rows cannot be sorted or grouped by '{column}': its cells have no order.",
  },
  COLUMN_NOT_SEARCHED: {
    status: 400,
    message: "The cells of '{column}' name files, so what stands in them cannot be searched by a link.",
  },
  COLUMN_OF_SEVERAL: {
    status: 400,
    message:
      "A cell of '{column}' may hold several values, so rows cannot be sorted, grouped or computed by it.",
  },
  COLUMN_NOT_COMPUTED: {
    status: 409,
    message: "The column '{column}' is computed by the type '{type}', which is switched off.",
  },
  COLUMN_CIRCULAR: {
    status: 409,
    message: "The column '{column}' is computed from itself. Change what it is computed from.",
  },
  LINK_MISSING: { status: 409, message: "A link of the table '{table}' is no longer there." },
  EXPRESSION_TOO_LARGE: {
    status: 400,
    message:
      'What is to be computed is nested too deep or too long: its SQL has at most {depth} levels, {bindings} values and {length} characters.',
  },
  NUMBERS_EXPECTED: { status: 400, message: 'Only numbers can be computed with.' },
  AGGREGATE_WITHOUT_VALUE: { status: 400, message: "'{aggregate}' needs a value of the linked rows." },
  CONDITION_EXPECTED: { status: 400, message: "The function '{function}' is no condition." },
  FUNCTION_UNKNOWN: {
    status: 409,
    message: "There is no function '{function}'; the plugin that has it may be switched off.",
  },
  FUNCTION_UNSUPPORTED: {
    status: 409,
    message: "The function '{function}' does not exist on this database.",
  },
  FUNCTION_CIRCULAR: { status: 409, message: "The function '{function}' is made of itself." },
  FUNCTION_ARGUMENTS: { status: 400, message: "The function '{function}' does not take {given} values." },
  FUNCTION_ARGUMENT_KIND: { status: 400, message: "The function '{function}' does not take a {kind}." },
  COUNT_TIMEOUT: { status: 504, message: 'Counting the rows took longer than 10 seconds.' },
});
