import type { Refusal, SettingsSchema, AttachedFile } from '@trellis/sdk/shared';
import { tooManyFiles } from './attachments.ts';
import { endingOf } from './file-types.ts';

/** The limits of a file column. */
export type AttachmentOptions = {
  /** The most files of a cell; 0 for the general limit. */
  readonly maximumFiles: number;
  /** The most megabytes of a file; 0 for the server's limit. */
  readonly maximumMegabytes: number;
  /** Kinds in the form of a file dialog, separated by commas: `image/*, application/pdf, .dwg`. Empty for all. */
  readonly accept: string;
};

export const anyFile: AttachmentOptions = { maximumFiles: 0, maximumMegabytes: 0, accept: '' };

export const optionsSchema: SettingsSchema = {
  type: 'object',
  required: ['maximumFiles', 'maximumMegabytes', 'accept'],
  properties: {
    maximumFiles: {
      type: 'integer',
      title: 'Files in a cell at most',
      description: '0: as many as a cell can hold',
      minimum: 0,
      maximum: 100,
      default: 0,
    },
    maximumMegabytes: {
      type: 'integer',
      title: 'Megabytes of a file at most',
      description: '0: as much as this server takes',
      minimum: 0,
      maximum: 2000,
      default: 0,
    },
    accept: {
      type: 'string',
      title: 'Kinds of files',
      description: 'For example: image/*, application/pdf, .dwg. Empty: all kinds',
      maxLength: 500,
      default: '',
    },
  },
};

/** The bytes of a megabyte, as sizes are counted here. */
export const megabyte = 1024 * 1024;

function kindsOf({ accept }: Pick<AttachmentOptions, 'accept'>): readonly string[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((kind) => kind.trim())
    .filter((kind) => kind !== '');
}

/** Why these options are refused. */
export function optionsProblem(options: AttachmentOptions): Refusal | undefined {
  const wrong = kindsOf(options).find(
    (kind) => !/^(?:\.[a-z0-9]{1,10}|[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*))$/.test(kind),
  );
  return wrong === undefined
    ? undefined
    : {
        message: "'{{kind}}' is no kind of files; write image/*, application/pdf or .dwg.",
        params: { kind: wrong },
      };
}

/** The known facts about a file before it is in a cell. */
export interface FileFacts {
  readonly name: string;
  readonly type: string;
  /** Bytes; undefined before it is known. */
  readonly size?: number | undefined;
}

/** Why a column refuses a file. */
export type FileProblem =
  | { readonly kind: 'size'; readonly megabytes: number }
  /** The accepted kinds. */
  | { readonly kind: 'kind'; readonly kinds: string };

/** Why a column refuses a file; undefined if it accepts it. */
export function fileProblem(file: FileFacts, options: AttachmentOptions): FileProblem | undefined {
  const { maximumMegabytes: megabytes } = options;
  if (megabytes > 0 && (file.size ?? 0) > megabytes * megabyte) return { kind: 'size', megabytes };
  const kinds = kindsOf(options);
  const ending = `.${endingOf(file.name)}`;
  const fits = (kind: string) =>
    kind.startsWith('.')
      ? kind === ending
      : kind.endsWith('/*')
        ? file.type.startsWith(kind.slice(0, -1))
        : kind === file.type;
  return kinds.length === 0 || kinds.some(fits) ? undefined : { kind: 'kind', kinds: kinds.join(', ') };
}

/** Why a column refuses a cell with so many files; undefined if it accepts it. */
export function countProblem(
  files: readonly AttachedFile[],
  options: AttachmentOptions,
): Refusal | undefined {
  const { maximumFiles: most } = options;
  return most > 0 && files.length > most ? tooManyFiles(most) : undefined;
}
