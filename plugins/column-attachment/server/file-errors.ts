import { defineErrors } from '@trellis/sdk/shared';
import type { FileProblem } from '../shared/index.ts';

export const fileErrors = defineErrors({
  CELL_MISSING: { status: 404, message: 'There is no such cell of files.' },
  FILE_NOT_HERE: {
    status: 400,
    message: "The file '{title}' is not one of this project, or waited too long to be saved. Add it again.",
  },
  FILE_REFUSED: { status: 400, message: "'{title}' cannot be kept in '{column}': it is none of {kinds}." },
  FILE_OVERSIZED: { status: 413, message: "'{title}' is larger than {megabytes} MB." },
  FILES_LEFT: {
    status: 409,
    message:
      'Files are kept while a cell of a column of files holds them. In another type their addresses stay to be read, and lead nowhere once the files are removed, after {days} days.',
  },
  NO_FILES: { status: 400, message: 'The body holds no file.' },
  SOURCE_REFUSED: { status: 400, message: "'{host}' gave no file: it answered with the status {status}." },
  TOO_MANY_WAITING: {
    status: 429,
    message:
      'Your uploads that are in no row yet take {megabytes} MB. Put them into rows, or wait a day until they are removed.',
  },
  TOO_MANY_SENT: {
    status: 429,
    message:
      'Files that were sent here and are in no row yet take {megabytes} MB. Send the rows that they belong to, or wait an hour until they are removed.',
  },
  UPLOAD_NEEDS_PROJECT: {
    status: 403,
    message: 'You may upload to projects whose rows you may change: name one in the path.',
  },
});

/** The error for a file that a column refuses. */
export function refusal(title: string, column: string, problem: FileProblem): Error {
  return problem.kind === 'size'
    ? fileErrors.create('FILE_OVERSIZED', { title, megabytes: problem.megabytes })
    : fileErrors.create('FILE_REFUSED', { title, column, kinds: problem.kinds });
}
