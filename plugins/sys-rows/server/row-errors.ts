import { defineErrors } from '@trellis/sdk/shared';

export const rowErrors = defineErrors({
  ROW_NOT_FOUND: { status: 404, message: 'Not found' },
  QUERY_NOT_JSON: { status: 400, message: '{parameter} is not a JSON array.' },
  FILTERS_TOO_DEEP: { status: 400, message: 'Groups of filters can be nested {limit} deep.' },
  PARAMETER_MISSING: { status: 400, message: 'The parameter {parameter} is missing.' },
  PARAMETER_NOT_TEXT: { status: 400, message: 'The parameter {parameter} must be a text.' },
  PARAMETER_NOT_NUMBER: { status: 400, message: 'The parameter {parameter} must be a whole number.' },
  PARAMETER_NOT_NESTED: {
    status: 400,
    message: 'The parameter nested must name a link and what is asked of it: nested[Title][limit]=5.',
  },
  NESTED_COLUMN_UNKNOWN: { status: 404, message: "Column with id/name '{column}' is not found" },
  TOO_MANY_AGGREGATIONS: { status: 400, message: 'At most {limit} figures can be asked for in one call.' },
  BODY_NOT_ROWS: { status: 400, message: 'The body must be an array of rows.' },
  BODY_NOT_LINKS: {
    status: 400,
    message:
      'The body must be an array of cells, each with the key of its row as `row`, and as `rows` a list of keys or a text of titles.',
  },
  BODY_NOT_COPIES: {
    status: 400,
    message:
      'The body must be an array of copies, each with the key of its row as `of`, and as `values` an object of column titles and values.',
  },
  BODY_NOT_KEYS: {
    status: 400,
    message: 'The body must be an object with the keys of rows, as texts, in `rows`.',
  },
  PLACE_TWICE: { status: 400, message: 'Rows are put `before` or `after` another one, not both.' },
  BODY_NOT_ROW: { status: 400, message: 'The body must be one row: an object of column titles and values.' },
  TOO_MANY_ROWS: { status: 400, message: 'At most {limit} rows can be sent in one call.' },
  IGNORE_WEBHOOK_VALUE: { status: 400, message: 'ignoreWebhook value can be either true or false' },
  FORMAT_UNKNOWN: { status: 404, message: 'Not found' },
  IMPORT_UNKNOWN: {
    status: 404,
    message: "Nothing here reads rows from '{type}'. What is read here: {known}.",
  },
  IMPORT_ABSENT: { status: 404, message: 'No plugin here reads rows from files.' },
});
