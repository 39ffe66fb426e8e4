import { TrellisError, type ErrorParams } from './trellis-error.ts';

/** The HTTP status and the English text of an error. `{name}` in the text is replaced by a parameter. */
export interface ErrorDefinition {
  readonly status: number;
  readonly message: string;
}

export type ErrorDefinitions = Readonly<Record<string, ErrorDefinition>>;

type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** The parameters named in a definition's text; more may be given. */
export type ErrorParamsOf<Definition extends ErrorDefinition> = Readonly<
  Record<Placeholder<Definition['message']>, unknown>
> &
  ErrorParams;

type CreateArguments<Definition extends ErrorDefinition> = [Placeholder<Definition['message']>] extends [
  never,
]
  ? [params?: ErrorParams, cause?: unknown]
  : [params: ErrorParamsOf<Definition>, cause?: unknown];

/** The errors of one owner. */
export interface ErrorCatalogue<Definitions extends ErrorDefinitions> {
  readonly definitions: Definitions;
  /** Makes the error, with its text filled in. */
  create<Code extends keyof Definitions & string>(
    code: Code,
    ...rest: CreateArguments<Definitions[Code]>
  ): TrellisError;
  /** The owner that defined a code. */
  ownerOf(code: string): string | undefined;
}

/**
 * Defines errors by code.
 *
 * @example
 * const errors = defineErrors({ TABLE_EXISTS: { status: 409, message: "Table '{title}' exists already." } }, 'sys-tables');
 * throw errors.create('TABLE_EXISTS', { title });
 * @public
 */
export function defineErrors<const Definitions extends ErrorDefinitions>(
  definitions: Definitions,
  owner = 'unknown',
): ErrorCatalogue<Definitions> {
  return {
    definitions,
    create(code, ...[params, cause]) {
      const definition: ErrorDefinition | undefined = definitions[code];
      if (definition === undefined)
        throw new Error(`Error code '${code}' is not in this catalogue; define it first.`);
      const values: ErrorParams = params ?? {};
      return new TrellisError(code, formatMessage(definition.message, values), {
        status: definition.status,
        params: values,
        cause,
      });
    },
    ownerOf: (code) => (Object.hasOwn(definitions, code) ? owner : undefined),
  };
}

/** Replaces `{name}` by the parameter of that name. A name without a value stays, so that the mistake is noticed. */
function formatMessage(text: string, params: ErrorParams): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(params, name) ? formatValue(params[name]) : placeholder,
  );
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}
