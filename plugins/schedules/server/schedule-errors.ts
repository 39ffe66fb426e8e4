import type { ScheduledOutcome } from '@trellis/sdk/server';
import { defineErrors, TrellisError } from '@trellis/sdk/shared';

export const scheduleErrors = defineErrors({
  SCHEDULE_NOT_FOUND: { status: 404, message: 'There is no such schedule.' },
  SCHEDULE_RUN_NOT_FOUND: { status: 404, message: 'There is no such run.' },
  SCHEDULE_FILE_GONE: { status: 404, message: 'The file of this run is no longer kept.' },
  SCHEDULE_INVALID: { status: 400, message: 'The schedule cannot be kept like this.' },
  SCHEDULE_MANY: { status: 400, message: 'A project has at most {most} schedules.' },
  SCHEDULE_ENDED: { status: 409, message: 'This run has ended already.' },
  SCHEDULE_OWNER_GONE: {
    status: 409,
    message:
      'The account of whoever set this schedule is gone or disabled. Save it to run it with your own rights.',
  },
  SCHEDULE_OWNER_TOKEN: {
    status: 409,
    message:
      'The API token by which this schedule was set was deleted or has expired. Save it to run it with your own rights.',
  },
  SCHEDULE_OWNER_RIGHTS: {
    status: 409,
    message: 'Whoever set this schedule may no longer do this here. Save it to run it with your own rights.',
  },
  SCHEDULE_ACTION_OFF: {
    status: 409,
    message: 'What this schedule does needs a plugin that is switched off.',
  },
  SCHEDULE_OVERLAP: { status: 409, message: 'Passed over, because the run before was still going on.' },
  SCHEDULE_RUN_WAITS: { status: 409, message: 'A run that somebody asked for waits for its turn already.' },
  SCHEDULE_MISSED: { status: 409, message: 'Passed over, because no server was running at that time.' },
  SCHEDULE_CUT_OFF: { status: 503, message: 'The server of this run went away.' },
  SCHEDULE_TIME_OUT: { status: 504, message: 'It took longer than {minutes} minutes and was stopped.' },
  SCHEDULE_CANCELLED: { status: 409, message: 'Somebody cancelled the run.' },
  SCHEDULE_FAILED: { status: 500, message: 'Some internal error occurred; the log of the server has more.' },
  SCHEDULE_MAIL_LARGE: {
    status: 413,
    message: 'The file is larger than {megabytes} MB, which is too much for a mail.',
  },
  SCHEDULE_ANSWER: { status: 502, message: 'The receiver answered with the status {status}.' },
  SCHEDULE_FORMAT: { status: 409, message: 'Nobody writes files of the format {format} on this server.' },
});

/** What can be wrong with a backup that is to become a project. */
export const restoreErrors = defineErrors({
  RESTORE_NOT_FOUND: { status: 404, message: 'There is no such backup; send it again.' },
  RESTORE_BEGUN: { status: 409, message: 'This backup is being restored already.' },
  RESTORE_NO_BACKUP: { status: 400, message: 'This file is no backup of a project.' },
  RESTORE_VERSION: {
    status: 400,
    message: 'The backup is of the version {version}, which this server does not read.',
  },
  RESTORE_DAMAGED: { status: 400, message: 'The backup is damaged, or was changed by somebody.' },
  RESTORE_UNPACKS: {
    status: 413,
    message: 'The file would unpack to more than a backup of its size can hold, so it is not read.',
  },
  RESTORE_TITLE: { status: 400, message: 'The project needs a name.' },
  RESTORE_MANY: { status: 429, message: 'At most {most} backups wait at once; restore or remove one first.' },
});

/** What of a backup a restored project does not have. */
export const restoreNotes = defineErrors({
  RESTORE_LEFT_LINK: {
    status: 200,
    message: "The link '{column}' of '{table}' could not be made; what its cells name is in a column.",
  },
  RESTORE_LEFT_COLUMN: {
    status: 200,
    message: "The column '{column}' of '{table}' could not be made: {problem}",
  },
  RESTORE_CHANGED_COLUMN: {
    status: 200,
    message: "The column '{column}' of '{table}' is not as it was: {problem}",
  },
  RESTORE_LEFT_VIEW: { status: 200, message: "The view '{view}' of '{table}' is not as it was: {problem}" },
  RESTORE_LEFT_ADDITION: {
    status: 200,
    message:
      "The view '{view}' of '{table}' lacks what the plugin of '{addition}' kept with it, which is switched off.",
  },
  RESTORE_LEFT_VALUES: {
    status: 200,
    message: "Values of the column '{column}' of '{table}' that it does not take were left out: {count}.",
  },
  RESTORE_LEFT_KEYS: {
    status: 200,
    message:
      "Links in the column '{column}' of '{table}' to rows that are not in the backup were left out: {count}.",
  },
  RESTORE_LEFT_ROWS: {
    status: 200,
    message: "Rows of '{table}' that link rows which are not in the backup were left out: {count}.",
  },
  RESTORE_LEFT_FILES: { status: 200, message: 'Files of cells that are not in the backup: {count}.' },
});

/** How runs went that went well: pages say it in the reader's language by the code, as they do with errors. */
export const scheduleOutcomes = defineErrors({
  SCHEDULE_FILE_KEPT: { status: 200, message: 'The file is kept with the run.' },
  SCHEDULE_KEPT_WITHOUT: {
    status: 200,
    message: 'The file is kept with the run. Files of cells that were not found, and are not in it: {count}.',
  },
  SCHEDULE_BACKUP_AT: { status: 200, message: 'Tables that are written: {done} of {total}.' },
  SCHEDULE_FILE_MAILED_TO: {
    status: 200,
    message: 'The file was mailed to {addresses}, and is kept with the run.',
  },
  SCHEDULE_ROWS_SENT: { status: 200, message: 'Rows that were sent: {count}.' },
});

const longest = 500;

/** What people are told of an error: its own words where they are meant for them. */
export function wordsOf(error: unknown): ScheduledOutcome {
  const told = error instanceof TrellisError ? error : scheduleErrors.create('SCHEDULE_FAILED');
  return {
    msg: told.message.slice(0, longest),
    code: told.code,
    params: Object.fromEntries(
      Object.entries(told.params).filter(
        (entry): entry is [string, string | number] =>
          typeof entry[1] === 'string' || typeof entry[1] === 'number',
      ),
    ),
  };
}
