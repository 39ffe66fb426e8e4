import { defineErrors } from '@trellis/core';

export const schemaErrors = defineErrors({
  TABLE_NOT_FOUND: { status: 404, message: 'Table not found' },
  COLUMN_NOT_FOUND: { status: 404, message: "Column with id/name '{column}' is not found" },
  PROJECT_TITLE_TAKEN: { status: 400, message: 'Project title already in use' },
  TABLE_NAME_REQUIRED: { status: 400, message: 'Table name required' },
  TABLE_NAME_WHITESPACE: {
    status: 400,
    message: 'Leading or trailing whitespace not allowed in table names',
  },
  TABLE_NAME_LONG: { status: 400, message: 'Table name exceeds {limit} characters' },
  TABLE_TITLE_TAKEN: { status: 400, message: 'Duplicate table alias' },
  COLUMN_NAME_REQUIRED: { status: 400, message: 'Column name required' },
  COLUMN_NAME_WHITESPACE: {
    status: 400,
    message: 'Leading or trailing whitespace not allowed in column names',
  },
  COLUMN_NAME_LONG: { status: 400, message: 'Column name exceeds {limit} characters' },
  COLUMN_TITLE_TAKEN: { status: 400, message: 'Duplicate column alias' },
  NAME_CHARACTERS: { status: 400, message: 'Following characters are not allowed . / \\' },
  NAME_NOT_PLAIN: {
    status: 400,
    message: 'Following characters are not allowed {characters}',
  },
  NAME_START: { status: 400, message: 'Name should start with an alphabet or _' },
  NAME_UNPRINTABLE: {
    status: 400,
    message: 'The name holds a control character or half of a character; please type it again.',
  },
  COLUMN_TYPE_UNKNOWN: {
    status: 400,
    message: "UI Datatype not found: no plugin provides the column type '{type}'.",
  },
  COLUMN_TYPE_STARTING: {
    status: 503,
    message:
      "The column type '{type}' needs the plugin '{plugin}', which is still starting. Please try again in a moment.",
  },
  COLUMN_TYPE_OFF: {
    status: 409,
    message: "The column type '{type}' needs the plugin '{plugin}', which does not run; switch it on first.",
  },
  COLUMN_TYPE_FAILED: {
    status: 500,
    message: "The rules of the column type '{type}' failed, so nothing was changed.",
  },
  COLUMN_SETTING: { status: 400, message: "Column '{column}': {problem}" },
  META_NESTED: { status: 400, message: '`meta` must not nest deeper than {most} levels.' },
  META_TOO_LARGE: { status: 400, message: '`meta` must not be larger than {most} KB.' },
  COLUMN_DEFAULT: { status: 400, message: "Column '{column}': the default value {problem}." },
  DEFAULT_NO_OPTION: {
    status: 400,
    message: "Column '{column}': Default value '{value}' is not a select option.",
  },
  COLUMN_DEFAULT_LOST: {
    status: 400,
    message:
      "Column '{column}': its default value {value} cannot be kept with the new type; take the default away first.",
  },
  COLUMN_WITHOUT_DEFAULT: { status: 400, message: "Column '{column}': can't have default value" },
  COLUMN_NATIVE_TYPE: {
    status: 400,
    message: "Column '{column}': the database type is not one of the types that databases have.",
  },
  COLUMN_SIZE: {
    status: 400,
    message: "Column '{column}': length, precision and scale must be whole numbers.",
  },
  COLUMN_BEFORE_TABLE: {
    status: 400,
    message: "Column '{column}': is made of what is in the table, so it is added once the table is there.",
  },
  COLUMN_AUTO_UPDATE: {
    status: 400,
    message: "Column '{column}': only a date and time can be renewed by each change of its row.",
  },
  COLUMN_OF_DATABASE: {
    status: 400,
    message: "Column '{column}': the database computes its values, so its type stays as it is.",
  },
  COLUMN_CIRCLE: {
    status: 400,
    message: "'{column}' would be computed from itself: {path}. Change what one of them is computed from.",
  },
  COLUMN_TOO_LARGE: {
    status: 400,
    message:
      "'{by}' is computed from '{column}', and would be nested too deep or too long after this change.",
  },
  RETYPE_VIRTUAL: { status: 501, message: 'Updating {from} => {to} is not implemented' },
  ONE_AUTO_INCREMENT: {
    status: 400,
    message: 'Only one column of a table can count up by itself, and it must hold whole numbers.',
  },
  ONE_ROW_NUMBER: {
    status: 400,
    message: "The rows of this table are numbered by the column '{column}' already.",
  },
  TOO_MANY_COLUMNS: {
    status: 400,
    message: 'A table can have at most {limit} columns; deleted ones count until they are purged.',
  },
  COLUMN_NEEDS_DEFAULT: {
    status: 400,
    message:
      "'{column}' cannot be required: rows without a value: {count}, such as {rows}. Give it a default value, or fill the rows first.",
  },
  COLUMN_NEEDS_DEFAULT_UNSEEN: {
    status: 400,
    message:
      "'{column}' cannot be required: rows without a value: {count}, none of which you may read. Give it a default value.",
  },
  COLUMN_NOT_UNIQUE: {
    status: 400,
    message: "'{column}' cannot be unique: values that stand in several rows: {count}, such as {values}.",
  },
  COLUMN_NOT_UNIQUE_UNSEEN: {
    status: 400,
    message:
      "'{column}' cannot be unique: values that stand in several rows: {count}, none of which you may read.",
  },
  UNIQUE_LONG_TEXT: {
    status: 400,
    message: "'{column}' holds long text, which this database cannot keep unique. Use a single line text.",
  },
  LINK_TABLE_UNKNOWN: {
    status: 400,
    message: 'The link names a table that is not in this project.',
  },
  LINK_ELSEWHERE: { status: 400, message: "The link does not begin or end at the table '{table}'." },
  LINK_ACROSS_BASES: {
    status: 400,
    message: "'{table}' and '{other}' are in different databases, between which there are no links.",
  },
  LINK_NEEDS_KEY: {
    status: 400,
    message: "'{table}' has no primary key, so its rows cannot be linked to.",
  },
  LINK_NAMES_NOTHING: {
    status: 400,
    message: "'{column}' shows rows of another table and cannot name the rows of this one.",
  },
  LINK_NOT_HELD: {
    status: 400,
    message: "The database does not watch over the link '{column}', so it does nothing with linked rows.",
  },
  LINKED_TABLE: {
    status: 400,
    message:
      "Table can't be deleted since Table is being referred in following tables : {tables}. Delete LinkToAnotherRecord columns and try again.",
  },
  LINK_KEY_COLUMN: {
    status: 501,
    message: "Not implemented: '{column}' holds the link '{link}'. Delete that column instead.",
  },
  KEY_COLUMN: {
    status: 400,
    message: "'{column}' is part of the primary key and cannot be changed or deleted here.",
  },
  COPY_LINK: { status: 400, message: "'{column}' is a link, which is not duplicated; add another link." },
  ROW_ORDER_OWN_ONLY: {
    status: 409,
    message: "Rows of '{table}' have no order that could be changed: only tables made here keep one.",
  },
  COPY_NEEDS_KEY: {
    status: 400,
    message: 'A column with its values can only be duplicated in a table with a primary key.',
  },
  RETYPE_LINKING: {
    status: 400,
    message: "'{column}' links rows by its values, so it keeps the type of the column at the other end.",
  },
  RETYPE_NEEDS_KEY: {
    status: 400,
    message: 'The type of a column can only be changed in a table with a primary key.',
  },
  RETYPE_LOSES_VALUES: {
    status: 409,
    message:
      "{lost} of {total} values cannot be converted to {type}. They would be empty. The trash keeps all former values for 30 days, as the column '{kept}'.",
  },
  TRIAL_MARK_UNKNOWN: {
    status: 400,
    message: '`after` must be the `next` of the part before. Please look at the values from the beginning.',
  },
  OPTIONS_IN_USE: {
    status: 409,
    message:
      "{lost} of {total} values of '{column}' hold an option that is taken away, and would lose it. The trash keeps all former values for 30 days, as the column '{kept}'.",
  },
  OPTIONS_CHANGED: {
    status: 409,
    message:
      "Somebody else changed the same options of '{title}' in the meantime. Please look at them again.",
  },
  RETYPE_OPENED: {
    status: 409,
    message:
      "Another application may use this database, and would find {type} in '{column}' from now on. All values can be converted; what they were stays in the new column '{kept}'.",
  },
  RETYPE_OPENED_LOSES_VALUES: {
    status: 409,
    message:
      "Another application may use this database, and would find {type} in '{column}' from now on. {lost} of {total} values cannot be converted and would be empty; what they were stays in the new column '{kept}'.",
  },
  RETYPE_EMPTIES_REQUIRED: {
    status: 400,
    message:
      "Every row needs a value in '{column}', and some values cannot be converted. Change them first, or let the column be empty.",
  },
  TABLE_READ_ONLY: { status: 400, message: '{reason}' },
  SYNC_SHRANK: {
    status: 409,
    message:
      'The database lacks {gone} of the {total} tables of this project. Is it the right one? To take this over, confirm it by the title of the project.',
  },
  SYNC_RENAME: {
    status: 400,
    message: "'{from}' was not renamed to '{to}' in the database. Please compare again.",
  },
  SYNC_RENAME_TWICE: { status: 400, message: 'Two of them cannot have been renamed to the same.' },
  TRASH_NOT_FOUND: { status: 404, message: 'This is not in the trash any more.' },
  TRASH_TABLE_DELETED: {
    status: 409,
    message: "The table of '{column}' was deleted, too. Restore the table first.",
  },
  TRASH_GONE: {
    status: 409,
    message: "Another application took '{title}' out of the database, so it cannot be restored.",
  },
  TRASH_LINK_GONE: {
    status: 409,
    message: "The link that '{column}' showed was deleted for good, so the column cannot be restored.",
  },
  SCHEMA_BUSY: {
    status: 409,
    message: 'Somebody else is changing the tables of this project. Please try again.',
  },
  SCHEMA_CHANGED: {
    status: 409,
    message: 'The table was changed in the meantime. Please look at it and try again.',
  },
  TABLE_TOO_BUSY: {
    status: 409,
    message:
      'So many rows of this table are written at the moment that its values could not be converted. Please try again later.',
  },
  DATABASE_NOT_SUPPORTED: { status: 400, message: 'Database not supported' },
  DATABASE_DRIVER_MISSING: {
    status: 400,
    message: "The driver for '{type}' is not installed on this server, so its databases cannot be opened.",
  },
  DATABASE_PARAMETER: {
    status: 400,
    message: "Invalid database parameters: '{key}' is not one that may be set here.",
  },
  DATABASE_SETTINGS: { status: 400, message: 'Invalid database parameters: {description}' },
  DATABASE_UNUSABLE: {
    status: 400,
    message: 'Unable to connect to database, please check your database is up.',
  },
  DATABASE_CREDENTIALS: { status: 400, message: 'Invalid database credentials.' },
  DATABASE_ABSENT: {
    status: 400,
    message: 'Invalid database parameters: the server has no database of this name.',
  },
  DATABASE_SCHEMA_ABSENT: {
    status: 400,
    message: 'Invalid database parameters: the database has no schema of this name.',
  },
  DATABASE_NO_RIGHT: {
    status: 400,
    message: 'User does not exist or have sufficient permission to create schema.',
  },
  DATABASE_EMPTY: { status: 400, message: 'The database has no tables.' },
  DATABASE_OBJECT_NOT_FOUND: { status: 404, message: 'The database has no such object any more.' },
  BASE_NOT_FOUND: { status: 404, message: 'Base not found' },
  BASE_OWN: {
    status: 400,
    message: "These tables are in the server's own database, which has no connection of the project.",
  },
  BASE_UNSETTLED: {
    status: 409,
    message:
      'A change of the tables of this project was cut off and is not settled yet. Make its database reachable where it was, and try again.',
  },
  BASE_LAST: {
    status: 409,
    message: 'A project keeps at least one database. To be rid of this one, delete the project.',
  },
  BASE_FILE_FIXED: {
    status: 400,
    message: 'A file cannot be exchanged for another one. Open the other file as a further database.',
  },
  SCHEMA_FIXED: {
    status: 403,
    message:
      'Tables and columns of this database are not changed from here. Whoever connected it can allow that.',
  },
  FILE_OPEN_AS: { status: 409, message: "This file is already open as the project '{project}'." },
  FILE_OPEN: { status: 409, message: 'This file is already open as a project that you are not a member of.' },
  FILE_IN_USE: { status: 409, message: 'A project has this file open.' },
  FILE_UPLOAD_OFF: { status: 403, message: 'This server takes no database files.' },
  FILE_UPLOAD_LARGE: { status: 413, message: 'The file is larger than {megabytes} MB.' },
  FILE_UPLOAD_NO_ROOM: { status: 507, message: 'The server has no room for this file.' },
  FILE_UPLOAD_NOT_SQLITE: {
    status: 400,
    message: 'This is no SQLite database, or one that is encrypted.',
  },
  FILE_UPLOAD_DAMAGED: {
    status: 400,
    message:
      'The database in this file is damaged. If another application has it open, close it there and send the file again.',
  },
  FILE_UPLOAD_UNREADABLE: {
    status: 400,
    message: 'SQLite cannot check this file: it may need an extension that this server does not have.',
  },
  FILE_UPLOAD_GONE: {
    status: 404,
    message: 'No such file was sent to this server, or it is gone already.',
  },
  SQLITE_FILE_CHARACTER: { status: 400, message: 'Invalid character in folder path.' },
  SQLITE_FILE_MISSING: {
    status: 400,
    message: 'Choose one of the SQLite files in the folder of this server.',
  },
});
