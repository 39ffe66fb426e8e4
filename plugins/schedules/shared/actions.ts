import type { SettingsSchema } from '@trellis/sdk/shared';
import { problemWords } from './problems.ts';

/** The most rows of one request of `schedules.call`, and of one of its runs. */
export const rowsOfRequest = 100;
export const rowsOfRun = 10_000;

interface ActionForm {
  readonly label: string;
  readonly description: string;
  readonly settings: SettingsSchema;
}

const mostKept = 200;

/** The problem of the number of files to keep, by JSON pointer. */
export function keepProblems(kept: unknown): Readonly<Record<string, string>> {
  if (kept === undefined || kept === null) return {};
  const isNumber = Number.isInteger(kept) && Number(kept) >= 1 && Number(kept) <= mostKept;
  return isNumber ? {} : { '/keep': problemWords.keep };
}

/** The number of files to keep. */
const keep = {
  type: 'integer',
  title: 'Files to keep',
  description:
    'The newest stay, older ones are removed. Empty for all, as long as their runs are remembered.',
  minimum: 1,
  maximum: mostKept,
} as const;

/** A file format for rows. */
interface FileFormat {
  readonly id: string;
  readonly label: string;
}

/** The texts for the export of a view, with the available formats. */
export const exportForm = (formats: readonly FileFormat[]): ActionForm => ({
  label: 'Export a view',
  description:
    'Writes the rows of a view as a file, which is kept with the run and mailed to whoever you name.',
  settings: {
    type: 'object',
    properties: {
      format: {
        type: 'string',
        title: 'Format',
        default: 'csv',
        enum: formats.map(({ id }) => id),
        'x-ui': { labels: formats.map(({ label }) => label) },
      },
      to: {
        type: 'string',
        title: 'Mail to',
        description: 'Addresses, separated by commas. Left empty, the file is kept with the run alone.',
        maxLength: 2000,
        'x-ui': { placeholder: 'ann@example.com' },
      },
      keep,
    },
  },
});

export const backupForm: ActionForm = {
  label: 'Back up the project',
  description:
    'Writes all rows, the files in their cells, and what tables, columns, links and views there are into one archive, which is kept with the run and can be restored as a new project.',
  settings: { type: 'object', properties: { keep } },
};

export const callForm: ActionForm = {
  label: 'Send rows to an address',
  description: 'Sends the rows of a view to another program as JSON, 100 in each request and 10,000 at most.',
  settings: {
    type: 'object',
    required: ['address'],
    properties: {
      address: {
        type: 'string',
        title: 'Address',
        format: 'http-url',
        maxLength: 2000,
        'x-ui': { placeholder: 'https://example.com/in' },
      },
    },
  },
};
