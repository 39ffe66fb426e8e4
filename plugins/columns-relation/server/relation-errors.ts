import { defineErrors } from '@trellis/sdk/shared';

export const relationErrors = defineErrors({
  PROPERTY_MISSING: { status: 400, message: "Missing '{property}' property in request body" },
  LINK_KIND_UNKNOWN: { status: 400, message: '`type` of a link must be one of hm, bt, mm.' },
  LINK_ACTION_UNKNOWN: {
    status: 400,
    message: '`{property}` of a link must be one of no action, restrict, cascade, set null, set default.',
  },
  DEFINITION_FIXED: { status: 501, message: 'Updating {type} => {type} is not implemented' },
  LINK_COLUMN_UNKNOWN: { status: 400, message: 'The table has no link column with this id.' },
  LINKED_COLUMN_UNKNOWN: { status: 400, message: "The linked table '{table}' has no column with this id." },
  ROLLUP_FUNCTION_UNKNOWN: { status: 400, message: '`rollup_function` must be one of {functions}.' },
  ROLLUP_OF_ONE: {
    status: 400,
    message: "'{link}' leads to one row at the most, so there is nothing to make a figure of. Use a lookup.",
  },
  ROLLUP_NEEDS_NUMBERS: {
    status: 400,
    message: "'{column}' holds no numbers, and '{function}' needs them.",
  },
});
