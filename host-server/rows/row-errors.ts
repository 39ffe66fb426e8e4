import { defineErrors } from '@trellis/core';

export const rowErrors = defineErrors({
  TABLE_READ_ONLY: { status: 400, message: '{reason}' },
  COLUMN_TYPE_DISABLED: {
    status: 409,
    message:
      "'{column}' cannot be written: its column type '{type}' belongs to a plugin that is switched off.",
  },
  COLUMN_READ_ONLY: {
    status: 403,
    message: "You may read '{column}' and not change it, so nothing was saved.",
  },
  VALUE_REFUSED: { status: 400, message: "'{column}' {problem}." },
  VALUE_REFUSED_IN_ROW: { status: 400, message: "Row {row}: '{column}' {problem}." },
  VALUE_INVALID: { status: 400, message: 'Validation failed : {validator} ({column})' },
  VALUE_INVALID_IN_ROW: { status: 400, message: 'Row {row}: Validation failed : {validator} ({column})' },
  VALUE_REQUIRED: { status: 400, message: "'{column}' needs a value." },
  CELL_CONTENDED: {
    status: 409,
    message: "'{column}' is being changed by too many at once, so nothing was saved. Try again.",
  },
  ROW_IN_USE: {
    status: 400,
    message: "Rows of {tables} still point to this row of '{table}', so it cannot be deleted.",
  },
  ROW_IN_USE_UNSEEN: {
    status: 400,
    message: "Other rows still point to this row of '{table}', so it cannot be deleted.",
  },
  LINKED_ROW_MISSING: { status: 400, message: "'{column}' names a row that does not exist in {tables}." },
  ROW_MISSING: { status: 404, message: "This row of '{table}' is not there (any more)." },
  PLACE_GONE: {
    status: 409,
    message: "The row of '{table}' beside which rows are put is not where it was any more. Try again.",
  },
  TABLE_NOT_ARRANGED: {
    status: 409,
    message: "The rows of '{table}' are being given an order at the moment. Try again.",
  },
  LINKED_TITLE_UNKNOWN: { status: 400, message: "No row of '{table}' is named {titles}." },
  LINKED_TITLE_AMBIGUOUS: {
    status: 409,
    message: "Several rows of '{table}' are named {titles}. Open the cell and choose among them.",
  },
  LINKED_ROWS_GONE: {
    status: 404,
    message: "A row of '{table}' that was to be linked is not there (any more).",
  },
  LINKED_ONE_AT_MOST: { status: 400, message: "The row links to one row of '{table}' at the most." },
  LINKS_CHANGED: {
    status: 409,
    message: 'Others keep setting the same links. Try again in a moment.',
  },
  LINKED_TWICE: {
    status: 409,
    message: "Each row of '{table}' can belong to one row only, and several cells were to hold the same one.",
  },
  LINKED_WITHOUT_TITLES: {
    status: 400,
    message: "Rows of '{table}' have no names to be found by. Open the cell and choose them.",
  },
  TOO_MANY_LINKS: {
    status: 413,
    message:
      'More rows than {limit} would be linked or taken away at once; nothing was changed. Go in steps.',
  },
  NOTHING_TO_UPDATE: {
    status: 400,
    message: 'The body names no column of this table, so nothing would change.',
  },
  KEY_MISSING: { status: 400, message: "A new row of '{table}' needs a value for '{column}'." },
  ROW_OUT_OF_REACH: {
    status: 403,
    message: "You could not see or change this row of '{table}' afterwards, so nothing was saved.",
  },
  ROW_NOT_CHANGEABLE: { status: 403, message: "You see this row of '{table}', and may not change it." },
  CONFIRM_ALL: {
    status: 400,
    message: 'Without a condition this is about all {count} rows. Send confirm=all if they are meant.',
  },
  MORE_THAN_MEANT: {
    status: 413,
    message: 'More than {limit} rows meet these conditions; none was changed.',
  },
  TOO_MANY_MATCHED: {
    status: 413,
    message:
      'More than {limit} rows meet these conditions; no row was deleted. Delete them by one condition over all rows.',
  },
  TOO_MANY_CONDITIONS: {
    status: 413,
    message:
      'More than {limit} rows of this call are named by other values than their keys; no row was deleted. Name rows by their keys.',
  },
  TOO_MUCH_AT_ONCE: {
    status: 413,
    message: 'These rows hold more than can be changed at once; nothing was changed. Send fewer of them.',
  },
  TOO_MANY_TO_CHECK: {
    status: 409,
    message:
      "These are more than 10,000 rows of '{table}', and you might not see all of them any more afterwards. Narrow the condition and go in steps.",
  },
  NOT_ONE_ROW: { status: 409, message: 'The key does not name exactly one row, so nothing was changed.' },
  ROW_KEPT_OUT: {
    status: 409,
    message:
      "The database of '{table}' kept a row out, by a trigger or another rule of its own, so nothing was added.",
  },
  COLUMN_COMPUTED: { status: 400, message: "The column '{column}' is computed and cannot be written." },
  AGGREGATE_COLUMN_UNKNOWN: {
    status: 400,
    message: "There is no column '{column}' to make a figure of.",
  },
  PAGE_TOO_DEEP: {
    status: 400,
    message: 'By a link, rows are read up to the {limit}th. Search, or sort them.',
  },
  EXPORT_TOO_LARGE: {
    status: 400,
    message:
      'By a link, {limit} rows are exported at the most, and these are {rows}. Filter them, or search.',
  },
  // A download that has begun is cut off; the reason is in the log.
  EXPORT_TOO_LONG: { status: 400, message: 'By a link, an export ends after {seconds} seconds.' },
  GROUP_COLUMN_UNKNOWN: { status: 400, message: "There is no column '{column}' to group by." },
  TOO_MANY_LINKED: {
    status: 413,
    message:
      "One row is linked to more than {limit} rows of '{table}'. Leave the columns that show them out of the export.",
  },
  TOO_MANY_GROUPS: {
    status: 409,
    message: 'These columns make more than {limit} groups. Group by columns with fewer different values.',
  },
  CONDITION_UNKNOWN: {
    status: 400,
    message: "Row {row}: '{column}' is no column to delete by; no row was deleted.",
  },
  TOO_MANY_TO_ASK: {
    status: 409,
    message:
      "The plugin '{plugin}' looks at every change of '{table}', and these are more than 10,000 at once. Narrow the condition and go in steps.",
  },
  OPERATION_UNKNOWN: { status: 404, message: 'There is nothing to undo.' },
  UNDO_CONFLICT: {
    status: 409,
    message: 'Somebody changed these rows in the meantime, so they were left as they are.',
  },
  UNDO_FORBIDDEN: {
    status: 403,
    message: "Taking this back would write '{column}', which you may not change; nothing was taken back.",
  },
  UNDO_OUT_OF_SIGHT: {
    status: 403,
    message: 'Taking this back would write columns that you may not see; nothing was taken back.',
  },
  UNDO_COLUMNS_GONE: {
    status: 409,
    message:
      'These rows had values in columns that were deleted for good, which nobody can put back; nothing was taken back.',
  },
  UNDO_VALUES_UNFIT: {
    status: 409,
    message:
      'What these rows held in {columns} does not suit the type that is there now; nothing was taken back. Change the type back first.',
  },
  UNDO_UNKNOWN: {
    status: 409,
    message: 'What these rows held before is not known, so they were left as they are.',
  },
  UNDO_PURGED: {
    status: 409,
    message: 'What these rows held was deleted for good; nothing was taken back.',
  },
  UNDO_PURGE_UNFINISHED: {
    status: 409,
    message:
      "Rows of this are being deleted for good, which does not succeed: the server's log says why, under operation {operation}. Nothing was taken back.",
  },
  UNDO_TOO_LARGE: { status: 409, message: 'So many rows changed at once that it cannot be undone.' },
  UNDO_SEVERAL_TABLES: {
    status: 409,
    message:
      'This changed rows of several tables at once in a database that others use, too, and cannot be undone.',
  },
  TOO_MANY_TAKEN_ALONG: {
    status: 409,
    message:
      "More than {limit} rows of '{table}' would be deleted or unlinked with these rows. Delete or unlink those first.",
  },
  TOO_MANY_TAKEN_UNSEEN: {
    status: 409,
    message: "More than {limit} rows elsewhere would be deleted or unlinked with these rows of '{table}'.",
  },
  UNDO_TABLE_GONE: {
    status: 409,
    message:
      'This changed rows of a table that was deleted since; nothing was taken back. Restore the table first.',
  },
  LOAD_OWN_ONLY: {
    status: 409,
    message: "'{table}' lies in an external database, into which rows are not loaded.",
  },
  LOAD_STOPPED: {
    status: 409,
    message:
      'Of rows {first} to {last} none was added: {problem} The {before} rows before them are in the table.',
  },
  LOAD_TAKEN_OVER: { status: 503, message: 'Another server goes on with adding the rows.' },
});
