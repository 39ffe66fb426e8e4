import { textOperators } from '#plugins/columns-basic/shared';
import {
  defineColumnType,
  parseText,
  textProblem,
  type ColumnTypeDefinition,
  type ColumnValidator,
  type ParseResult,
} from '@trellis/sdk/shared';

/** What a person can set for a text with a check. */
export type CheckedTextOptions = {
  /** Only texts that pass the type's validators are taken. */
  readonly validate: boolean;
};

type Part = 'id' | 'label' | 'description' | 'icon' | 'order' | 'examples';
type TextColumn = Pick<ColumnTypeDefinition<string, CheckedTextOptions>, Part | 'guess' | 'width'> & {
  /** The line beside the switch of the options panel. */
  readonly validLabel?: string;
  /** The name of the check, as the API tells it, and the check. */
  readonly validator?: ColumnValidator<string>;
};

/** Longer texts are no address and no number of any kind, and are refused before a pattern looks at them. */
const longestChecked = 2083;

function parse(input: unknown): ParseResult<string> {
  const read = parseText(input);
  return read.ok && read.value !== null ? { ok: true, value: read.value.trim() } : read;
}

/** A short text with a meaning: kept without the blanks around it, and checked where a person asked for it. */
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

/** How well the samples fit a check: all of them must. */
export function guessBy(accepts: (text: string) => boolean, score: number) {
  return (samples: readonly string[]): number =>
    samples.every(
      (text) => text.length <= longestChecked && textProblem(text) === undefined && accepts(text.trim()),
    )
      ? score
      : 0;
}
