import type { RateLimiter, RowInput, SubmitContext, ViewSchema } from '@trellis/sdk/server';
import { readUtc, type CellValue, type TrellisError } from '@trellis/sdk/shared';
import {
  answerProblems,
  formOptions,
  limitValue,
  type AnswerField,
  type AnswerProblem,
} from '../shared/index.ts';
import { formErrors } from './form-errors.ts';
import { fieldsOf } from './form-fields.ts';
import type { FormRules } from './form-rules.ts';

/** Applies the rules of a form to a row: values of fields that are not asked are dropped. */
export async function checkAnswers(
  values: RowInput,
  { view, table, sender }: SubmitContext,
  { types, operators, limiter }: FormRules & { readonly limiter: RateLimiter },
): Promise<RowInput> {
  const options = formOptions(view.meta);
  const limit = { name: 'form-answers', limit: options.mostPerMinute, windowSeconds: 60 };
  await limiter.consume(limit, `${view.id} ${sender.countedBy}`);
  const fields = fieldsOf(view, table, types).filter(({ options: { creatorsOnly } }) => !creatorsOnly);
  const { asked, problems } = answerProblems(fields, operators.list(), (field) => answerOf(field, values));
  const [problem] = problems;
  if (problem !== undefined) throw errorOf(problem, fields);
  const titles = fields.filter(({ columnId }) => asked.has(columnId)).map(({ context }) => context.title);
  const sent = titles.filter((title) => Object.hasOwn(values, title));
  return Object.fromEntries(sent.map((title) => [title, values[title]]));
}

/** The sent value parsed by the column's type; a value that the type refuses is refused when the row is written, in its words. */
function answerOf({ type, context }: AnswerField, values: RowInput): CellValue {
  const sent = Object.hasOwn(values, context.title) ? values[context.title] : null;
  const parsed = sent === null || context.storage === 'virtual' ? undefined : type?.parse(sent, context);
  return parsed?.ok === true ? parsed.value : (sent as CellValue);
}

/** @throws TrellisError for a form before or after its dates. */
export function assertOpen({ meta }: Pick<ViewSchema, 'meta'>): void {
  const { opensAt, closesAt } = formOptions(meta);
  const now = Date.now();
  if (now < (readUtc(opensAt) ?? -Infinity)) throw formErrors.create('FORM_NOT_OPEN');
  if (now >= (readUtc(closesAt) ?? Infinity)) throw formErrors.create('FORM_CLOSED');
}

const codes = {
  missing: 'FORM_MISSING',
  low: 'FORM_LOW',
  high: 'FORM_HIGH',
  short: 'FORM_SHORT',
  long: 'FORM_LONG',
  early: 'FORM_EARLY',
  late: 'FORM_LATE',
  pattern: 'FORM_MISMATCH',
  invalid: 'FORM_MISMATCH',
} as const;

function errorOf(problem: AnswerProblem, fields: readonly AnswerField[]): TrellisError {
  const { kind, label: field, limit = null, message, columnId } = problem;
  if (message !== undefined) return formErrors.create('FORM_OWN_RULE', { message, field, columnId });
  const of = fields.find((each) => each.columnId === columnId);
  return formErrors.create(codes[kind], {
    field,
    columnId,
    limit: of === undefined || typeof limit !== 'string' ? limit : written(of, limit),
  });
}

/** A day or a moment in its column's format. */
function written(field: AnswerField, limit: string): string {
  const { type, context } = field;
  return type?.format(limitValue(field, limit), context) ?? limit;
}
