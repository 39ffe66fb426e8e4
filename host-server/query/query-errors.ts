import { defineErrors } from '@trellis/core';

export const queryErrors = defineErrors({
  WHERE_SYNTAX: { status: 400, message: 'The where is not understood at character {position}: {problem}.' },
  WHERE_TOO_LARGE: {
    status: 400,
    message: 'The where has more than {limit} conditions or is nested too deep.',
  },
  COLUMN_UNKNOWN: { status: 400, message: "There is no column '{column}' to {use} by." },
  OPERATOR_UNKNOWN: { status: 400, message: "There is no comparison '{operator}'." },
  FILTER_OPERATOR_DISABLED: {
    status: 409,
    message:
      "The comparison '{operator}' belongs to a plugin that is switched off. Show the view without this filter, or switch the plugin on.",
  },
  FILTER_VALUE: { status: 400, message: "The filter on '{column}' {problem}." },
  COUNT_TIMEOUT: { status: 504, message: 'Counting the rows took longer than 10 seconds.' },
});
