import { pointer, type JsonSchema, type SchemaProblem, type TrellisError } from '@trellis/core';
import { defineErrors } from '@trellis/sdk/shared';

/** The problems of an option in words for people; `setting` is the field's title in the form. */
const optionErrors = defineErrors({
  OPTION_REQUIRED: { status: 400, message: "'{setting}' is missing." },
  OPTION_EMPTY: { status: 400, message: "'{setting}' must not be empty." },
  OPTION_LEAST: { status: 400, message: "'{setting}' must be at least {limit}." },
  OPTION_MOST: { status: 400, message: "'{setting}' must be at most {limit}." },
  OPTION_SHORT: { status: 400, message: "'{setting}' must have at least {limit} characters." },
  OPTION_LONG: { status: 400, message: "'{setting}' must have at most {limit} characters." },
  OPTION_FEW: { status: 400, message: "'{setting}' must have at least {limit} entries." },
  OPTION_MANY: { status: 400, message: "'{setting}' must have at most {limit} entries." },
  OPTION_REPEATED: { status: 400, message: "'{setting}' names something twice." },
  OPTION_CHOICE: { status: 400, message: "'{setting}' must be one of {allowed}." },
  OPTION_WRONG: { status: 400, message: "'{setting}' has a value that it cannot have." },
});

const codes = {
  required: 'OPTION_REQUIRED',
  minimum: 'OPTION_LEAST',
  maximum: 'OPTION_MOST',
  minLength: 'OPTION_SHORT',
  maxLength: 'OPTION_LONG',
  minItems: 'OPTION_FEW',
  maxItems: 'OPTION_MANY',
  uniqueItems: 'OPTION_REPEATED',
} as const;

const isKnown = (keyword: string): keyword is keyof typeof codes => Object.hasOwn(codes, keyword);

/** Converts a schema's problem with an option to a message that tells what to do. */
export function optionProblem(schema: JsonSchema, problem: SchemaProblem): TrellisError {
  const { keyword, params = {} } = problem;
  const setting = settingOf(schema, problem);
  const { limit } = params;
  if (keyword === 'minLength' && limit === 1) return optionErrors.create('OPTION_EMPTY', { setting });
  if (keyword === 'enum' || keyword === 'const') {
    const allowed = (params['allowed'] as readonly unknown[]).map((one) => String(one)).join(', ');
    return optionErrors.create('OPTION_CHOICE', { setting, allowed });
  }
  return optionErrors.create(isKnown(keyword) ? codes[keyword] : 'OPTION_WRONG', { setting, limit });
}

/** The title of the field in the form, or the option's key if the form has no field for it, followed by the path within the option. */
function settingOf(schema: JsonSchema, { path, keyword, params }: SchemaProblem): string {
  const at = keyword === 'required' ? pointer(path, String(params?.['property'])) : path;
  const [option = '', ...within] = at
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return [schema.properties?.[option]?.title ?? option, ...within].join('/');
}
