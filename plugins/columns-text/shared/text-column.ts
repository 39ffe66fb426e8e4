import { textOperators } from '#plugins/columns-basic/shared';
import {
  defineColumnType,
  parseText,
  textProblem,
  type ColumnTypeDefinition,
  type ColumnValidator,
  type ParseResult,
} from '@trellis/sdk/shared';

/** The options of a text with a check. */
export type CheckedTextOptions = {
  /** Whether only texts that pass the type's validators are accepted. */
  readonly validate: boolean;
};

type Part = 'id' | 'label' | 'description' | 'icon' | 'order' | 'examples';
type TextColumn = Pick<ColumnTypeDefinition<string, CheckedTextOptions>, Part | 'guess' | 'width'> & {
  /** The label of the switch in the options panel. */
  readonly validLabel?: string;
  /** The check, with its name in the API. */
  readonly validator?: ColumnValidator<string>;
};

/** Longer texts are neither addresses nor numbers, and are refused before any pattern is tried. */
const longestChecked = 2083;

function parse(input: unknown): ParseResult<string> {
  const read = parseText(input);
  return read.ok && read.value !== null ? { ok: true, value: read.value.trim() } : read;
}

/** A short text with a meaning: stored trimmed, and checked if the column requires it. */
export function textColumn({ validLabel, validator, ...type }: TextColumn) {
  return defineColumnType<string, CheckedTextOptions>({
    ...type,
    storage: 'string',
    accepts: ['string', 'text'],
    fallback: 'SingleLineText',
    operators: textOperators,
    parse,
    format: (value) => (value === null ? '' : String(value)),
    invalid: [{ a: 1 }, ['a'], 'a\u0000b', '\uD800'],
    ...(validator !== undefined && {
      validators: [
        {
          ...validator,
          accepts: (text: string) =>
            text === '' || (text.length <= longestChecked && validator.accepts(text)),
        },
      ],
      options: {
        schema: {
          type: 'object' as const,
          properties: { validate: { type: 'boolean' as const, title: validLabel, default: false } },
        },
        defaults: { validate: false },
      },
    }),
  });
}

/** How well the samples fit a check, which all of them must pass. */
export function guessBy(accepts: (text: string) => boolean, score: number) {
  return (samples: readonly string[]): number =>
    samples.every(
      (text) => text.length <= longestChecked && textProblem(text) === undefined && accepts(text.trim()),
    )
      ? score
      : 0;
}
