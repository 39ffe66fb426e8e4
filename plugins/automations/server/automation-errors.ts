import { isOutage, type OutageCode } from '@trellis/sdk/server';
import { defineErrors, TrellisError } from '@trellis/sdk/shared';
import type { Problem } from '../shared/index.ts';

export const automationErrors = defineErrors({
  AUTOMATION_NOT_FOUND: { status: 404, message: 'Automation not found' },
  AUTOMATION_RUN_NOT_FOUND: { status: 404, message: 'This run is not in the log (any more).' },
  AUTOMATION_VERSION_NOT_FOUND: { status: 404, message: 'The automation has no such version.' },
  AUTOMATION_TITLE: {
    status: 400,
    message: 'An automation needs a name of at most 255 characters, none of them a control character.',
  },
  AUTOMATION_MANY: { status: 400, message: 'A project has at most {most} automations.' },
  AUTOMATION_TRIGGER: { status: 400, message: "'{type}' is nothing that starts automations on this server." },
  AUTOMATION_STEP: { status: 400, message: "'{type}' is nothing that automations can do on this server." },
  AUTOMATION_STEPS: {
    status: 400,
    message: 'An automation that is switched on needs at least one step, and has at most {most}.',
  },
  AUTOMATION_STEP_NAME: {
    status: 400,
    message:
      "The step '{name}' needs a name of its own: letters, digits, blanks and _, beginning with a letter.",
  },
  AUTOMATION_INPUT: { status: 400, message: "'{step}': please fill in '{input}'." },
  AUTOMATION_TIME: { status: 400, message: "'{step}', {input}: {reason}" },
  AUTOMATION_TABLE: { status: 400, message: "'{step}': please choose a table of this project." },
  AUTOMATION_COLUMN: { status: 400, message: "'{step}': a chosen column is not there (any more)." },
  AUTOMATION_UNLINKED: {
    status: 409,
    message:
      "The row '{key}' was added to '{table}', and could neither be linked nor be taken back. {reason}",
  },
  AUTOMATION_ROWS: {
    status: 400,
    message:
      "More than {most} rows of '{table}' meet the conditions, so none was changed. Make them narrower.",
  },
  AUTOMATION_FOUND_LARGE: {
    status: 400,
    message:
      "The rows of '{table}' that meet the conditions hold more than 1 MB together. Make the conditions narrower, so that fewer of them are found.",
  },
  AUTOMATION_OUTPUT_LARGE: {
    status: 400,
    message:
      "'{step}' is done, but gives more than 4 MB, which is not kept for the steps behind it. Let it work on a row that holds less.",
  },
  AUTOMATION_EACH: {
    status: 400,
    message: "'{step}': please choose a step before it that finds the rows for which it is taken.",
  },
  AUTOMATION_ITEMS: { status: 400, message: "'{step}': it is taken for at most {most} rows." },
  AUTOMATION_VIEW: { status: 400, message: "'{step}': please choose a view of the table." },
  AUTOMATION_PLACEHOLDER: { status: 400, message: "'{step}': nothing stands behind {placeholder}." },
  AUTOMATION_PLACEHOLDER_OPEN: {
    status: 400,
    message:
      "'{step}', line {line} of a text: the placeholder {placeholder} is not closed, its closing braces are missing.",
  },
  AUTOMATION_CONDITION: { status: 400, message: 'A condition has no column or no comparison.' },
  AUTOMATION_CONDITION_ROW: { status: 400, message: 'Only what is started by a row can have conditions.' },
  AUTOMATION_CONDITION_NONE: {
    status: 400,
    message: 'Rows come to match conditions only where there are some.',
  },
  AUTOMATION_MATCHES_MANY: {
    status: 409,
    message:
      'More than {most} rows meet its conditions. Of what is computed or linked the server has to remember which rows did before: make the conditions narrower.',
  },
  AUTOMATION_MATCHES_SLOW: {
    status: 409,
    message:
      'The database takes too long to find the rows that meet its conditions. Make them narrower, or compute less for them.',
  },
  AUTOMATION_OWNER_GONE: {
    status: 409,
    message:
      'The account of whoever saved it last is gone or disabled. It goes on when somebody else switches it on.',
  },
  AUTOMATION_OWNER_TOKEN: {
    status: 409,
    message:
      'The API token by which it was saved last was deleted or has expired. It goes on when somebody switches it on, with their rights.',
  },
  AUTOMATION_OWNER_RIGHTS: {
    status: 409,
    message:
      'Whoever saved it last may not run automations in this project any more. It goes on when somebody else switches it on.',
  },
  AUTOMATION_LOST_RIGHT: { status: 409, message: 'Its owner may not do what its step {step} does: {reason}' },
  AUTOMATION_LOOP: {
    status: 409,
    message:
      'It was started by what it had written itself. Choose columns or conditions so that its own changes do not start it.',
  },
  AUTOMATION_CHAIN: {
    status: 409,
    message: 'It was started by an automation that was started by another one, and so on, {most} times.',
  },
  AUTOMATION_OFTEN: {
    status: 409,
    message: 'It was started more than {most} times within an hour. What started it waits.',
  },
  AUTOMATION_SET_ROWS: {
    status: 409,
    message:
      '{count} rows were changed at once. Of so many the server does not keep which they are and what they held, so it started for none of them.',
  },
  AUTOMATION_WAITED: {
    status: 409,
    message: 'It waited for {days} days for the automation to go on, and was given up.',
  },
  AUTOMATION_STEP_OFF: {
    status: 409,
    message: "The plugin of its step '{step}' is switched off. What started it waits.",
  },
  AUTOMATION_CONDITIONS_GONE: { status: 409, message: 'Its conditions do not hold any more: {reason}' },
  AUTOMATION_VALUE_GONE: {
    status: 409,
    message:
      'Its conditions name an option that was deleted. Set them anew and switch the automation on again.',
  },
  AUTOMATION_INTERNAL: {
    status: 500,
    message: 'The server could not take this step. Its operator finds the reason in the log of the server.',
  },
  AUTOMATION_DATABASE_BUSY: {
    status: 503,
    message: 'The database of the table was busy with other changes.',
  },
  AUTOMATION_DATABASE_AWAY: { status: 503, message: 'The database of the table could not be reached.' },
  AUTOMATION_DATABASE_SLOW: { status: 504, message: 'The database of the table took too long to answer.' },
  AUTOMATION_STOPPED: { status: 500, message: 'The server stopped each time while it took this step.' },
  AUTOMATION_TEXT_LONG: {
    status: 400,
    message: 'With its values filled in, a text of the step is longer than 256 KB.',
  },
  AUTOMATION_TRY_ROW: { status: 400, message: 'The table {table} has no such row that you may see.' },
  AUTOMATION_TIMEOUT: { status: 504, message: 'The step took longer than {seconds} seconds.' },
  AUTOMATION_TIMEOUT_OPEN: {
    status: 504,
    message:
      'The step took longer than {seconds} seconds and could not be stopped. Whether it is done is not known, so it is not tried again by itself.',
  },
  AUTOMATION_ANSWER: { status: 400, message: 'The address answered with the status {status}.' },
  AUTOMATION_ANSWER_LATER: { status: 503, message: 'The address answered with the status {status}.' },
  AUTOMATION_ROW: {
    status: 404,
    message: "There is no row with the key '{key}' in {table}, or it may not be seen.",
  },
  AUTOMATION_NO_KEY: { status: 400, message: 'The key of the row is empty.' },
  AUTOMATION_READ_ONLY: { status: 403, message: "The column '{column}' may not be written." },
  AUTOMATION_MAIL_OFF: { status: 503, message: 'This server sends no mail yet.' },
  AUTOMATION_MAIL_TO: { status: 400, message: 'Nobody is named to whom the mail goes.' },
  AUTOMATION_MAIL_SEVERAL: {
    status: 400,
    message: 'A placeholder stands for one address, or for several people of the project.',
  },
  AUTOMATION_ACT: { status: 400, message: 'What the step is to do is not there (any more).' },
  AUTOMATION_ACT_CHOICE: {
    status: 400,
    message:
      "“{act}” cannot work with what was chosen in '{table}': it is gone, or the owner may not choose it.",
  },
  AUTOMATION_BUTTON: { status: 409, message: 'No automation is on that this button starts.' },
  AUTOMATION_WAIT: { status: 400, message: 'The time to wait must be between one minute and {most} days.' },
});

const ofOutages = {
  DATABASE_BUSY: 'AUTOMATION_DATABASE_BUSY',
  DATABASE_UNREACHABLE: 'AUTOMATION_DATABASE_AWAY',
  DATABASE_TIMEOUT: 'AUTOMATION_DATABASE_SLOW',
  STREAM_STALLED: 'AUTOMATION_DATABASE_BUSY',
} as const satisfies Readonly<Record<OutageCode, string>>;

/** An error whose text may be shown: a typed one, or a database that could not answer; undefined for any other. */
export function toldOf(error: unknown): TrellisError | undefined {
  if (error instanceof TrellisError) return error;
  return isOutage(error) ? automationErrors.create(ofOutages[error.code], {}, error) : undefined;
}

/** A failure in the form for logs. Untyped errors get a fixed text: a library's message may name addresses of this network. */
export function problemOf(error: unknown): Problem {
  const told = toldOf(error) ?? automationErrors.create('AUTOMATION_INTERNAL');
  return { msg: told.message, code: told.code, params: told.params };
}
